import SystemIO

extension Browser {
  /// Checks all known services, queries missing records, and notes differences.
  mutating func look(at now: Duration, removed: [RecordCache.Entry], isLinkGone: Bool) {
    needsLook = false
    if case .types = goal { return lookAtTypes() }
    var found: [DomainName: Peer] = [:]
    for link in queriers.keys.sorted(by: { $0.index < $1.index }) {
      for instance in followUp(on: link, at: now) {
        guard let peer = peer(instance, on: link) else { continue }
        let known = found[instance]?.addresses ?? []
        found[instance] = found[instance] ?? peer
        found[instance]!.addresses = known + peer.addresses
      }
    }
    compare(found, removed: removed, isLinkGone: isLinkGone)
  }

  private mutating func lookAtTypes() {
    let key = RecordKey(DNSServiceType.enumeration, .ptr)
    var current: Set<DomainName> = []
    for querier in queriers.values {
      for case .pointer(let name) in querier.cache.entries(key).map(\.record.data) {
        guard let text = DNSServiceType.text(of: name), current.insert(name).inserted else { continue }
        if types.insert(name).inserted { events.append(.type(text)) }
      }
    }
    // A flood must not fill the memory; types that have disappeared may be reported again.
    if types.count > 2 * cacheLimit { types = current }
  }

  /// Queries on a link the records that its instances lack, and returns the instances.
  ///
  /// If a host floods us with pointers to missing records, only the newest are followed up. So we do not
  /// flood the link in turn, and still query a newly arrived peer.
  private mutating func followUp(on link: NetworkLink, at now: Duration) -> [DomainName] {
    let querier = queriers[link]!
    let instances = instances(querier)
    var names = Set<DomainName>()
    var missing: [(since: Duration, keys: [RecordKey])] = []
    for (instance, since) in instances {
      names.insert(instance)
      let host = location(of: instance, querier)?.host
      if let host { names.insert(host) }
      let keys = Self.missing(instance, host, querier.cache)
      if !keys.isEmpty { missing.append((since, keys)) }
    }
    if missing.count > Self.mostUnresolved {
      missing = Array(missing.sorted { $0.since > $1.since }.prefix(Self.mostUnresolved))
    }
    queriers[link]!.ask(standing.union(missing.flatMap(\.keys)), at: now, delayed: true)
    queriers[link]!.follow(names)
    return instances.map(\.name)
  }

  /// The highest number of instances of one link that are queried at a time.
  private static let mostUnresolved = 256

  private static func missing(_ instance: DomainName, _ host: DomainName?, _ cache: RecordCache)
    -> [RecordKey]
  {
    let own = [RecordType.srv, .txt].map { RecordKey(instance, $0) }.filter { !cache.has($0) }
    guard let host else { return own }
    let places = [RecordKey(host, .a), RecordKey(host, .aaaa)]
    return places.contains(where: cache.has) ? own : own + places
  }

  /// Each instance with the time at which it was first received.
  private func instances(_ querier: Querier) -> [(name: DomainName, since: Duration)] {
    switch goal {
    case .service(let type):
      querier.cache.entries(RecordKey(type.name, .ptr)).compactMap { entry in
        guard case .pointer(let instance) = entry.record.data, instance.parent == type.name else {
          return nil
        }
        return (instance, entry.since)
      }
    case .instance(let name, let type): type.name.prefixed(by: name).map { [($0, .zero)] } ?? []
    case .types: []
    }
  }

  private func location(of instance: DomainName, _ querier: Querier) -> ServiceLocation? {
    let newest = querier.cache.entries(RecordKey(instance, .srv)).max { $0.received < $1.received }
    guard case .service(let location)? = newest?.record.data else { return nil }
    return location
  }

  /// Nil while a record is missing; a TXT record is awaited only for two requests.
  private func peer(_ instance: DomainName, on link: NetworkLink) -> Peer? {
    let querier = queriers[link]!
    guard let location = location(of: instance, querier), let type else { return nil }
    let addresses = [RecordType.a, .aaaa].flatMap { querier.cache.entries(RecordKey(location.host, $0)) }
      .compactMap { entry in if case .address(let address) = entry.record.data { address } else { nil } }
    let newest = querier.cache.entries(RecordKey(instance, .txt)).max { $0.received < $1.received }
    var txt: TextRecord?
    if case .text(let strings)? = newest?.record.data { txt = TextRecord(reading: strings) }
    if txt == nil, querier.timesAsked(RecordKey(instance, .txt)) > 1 { txt = TextRecord() }
    guard !addresses.isEmpty, let txt else { return nil }
    return Peer(
      instance: instance.firstLabel, service: type, host: location.host, port: location.port,
      addresses: addresses.sorted().map { Peer.Address(address: $0, link: link) }, txt: txt)
  }

  private var type: DNSServiceType? {
    switch goal {
    case .service(let type), .instance(_, let type): type
    case .types: nil
    }
  }

  private mutating func compare(
    _ found: [DomainName: Peer], removed: [RecordCache.Entry], isLinkGone: Bool
  ) {
    for (name, peer) in peers where found[name] == nil {
      events.append(.lost(peer, isLinkGone ? .interface : Self.loss(of: peer, name, removed)))
    }
    for (name, peer) in found.sorted(by: { $0.value.instance < $1.value.instance }) {
      if let old = peers[name] {
        if old != peer { events.append(.updated(peer)) }
      } else {
        events.append(.discovered(peer))
      }
    }
    peers = found
  }

  private static func loss(
    of peer: Peer, _ name: DomainName, _ removed: [RecordCache.Entry]
  ) -> DiscoveryEvent.Loss {
    let said = removed.contains { entry in
      guard entry.isGoodbye else { return false }
      if case .pointer(let target) = entry.record.data { return target == name }
      return entry.record.name == name || entry.record.name == peer.host
    }
    return said ? .goodbye : .expired
  }
}
