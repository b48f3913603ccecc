import SystemIO

extension Browser {
  /// Checks all known services, queries missing records, and notes differences.
  mutating func look(at now: Duration, removed: [RecordCache.Entry], isLinkGone: Bool) {
    needsLook = false
    if case .types = goal { return lookAtTypes() }
    var found: [DomainName: [Peer]] = [:]
    for link in queriers.keys.sorted(by: { $0.index < $1.index }) {
      var addresses = LinkAddresses(link, queriers[link]!.cache)
      for instance in followUp(on: link, at: now) {
        guard let peer = peer(instance, on: link, &addresses) else { continue }
        if let place = found[instance]?.firstIndex(where: { $0.isSameDevice(as: peer) }) {
          found[instance]![place].addresses += peer.addresses
        } else {
          found[instance, default: []].append(peer)
        }
      }
    }
    for name in found.keys { found[name]!.number(after: peers[name] ?? []) }
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

  /// The maximum number of instances of one link that are queried at a time.
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

  /// The peer of an instance; nil while a record is missing.
  ///
  /// A TXT record is awaited only for two requests.
  private func peer(
    _ instance: DomainName, on link: NetworkLink, _ addresses: inout LinkAddresses
  ) -> Peer? {
    let querier = queriers[link]!
    guard let location = location(of: instance, querier), let type else { return nil }
    let newest = querier.cache.entries(RecordKey(instance, .txt)).max { $0.received < $1.received }
    var txt: TextRecord?
    if case .text(let strings)? = newest?.record.data { txt = TextRecord(reading: strings) }
    if txt == nil, querier.timesAsked(RecordKey(instance, .txt)) > 1 { txt = TextRecord() }
    let places = addresses.of(location.host)
    guard !places.isEmpty, let txt else { return nil }
    return Peer(
      name: instance, service: type, host: location.host, port: location.port, addresses: places, txt: txt)
  }

  private var type: DNSServiceType? {
    switch goal {
    case .service(let type), .instance(_, let type): type
    case .types: nil
    }
  }

  private mutating func compare(
    _ found: [DomainName: [Peer]], removed: [RecordCache.Entry], isLinkGone: Bool
  ) {
    for peer in peers.values.joined()
    where found[peer.name]?.contains(where: { $0.number == peer.number }) != true {
      events.append(.lost(peer, isLinkGone ? .interface : Self.loss(of: peer, removed)))
    }
    for peer in found.values.joined().sorted(by: { ($0.instance, $0.number) < ($1.instance, $1.number) }) {
      if let old = peers[peer.name]?.first(where: { $0.number == peer.number }) {
        if old != peer { events.append(.updated(peer)) }
      } else {
        events.append(.discovered(peer))
      }
    }
    peers = found
  }

  private static func loss(of peer: Peer, _ removed: [RecordCache.Entry]) -> DiscoveryEvent.Loss {
    let said = removed.contains { entry in
      guard entry.isGoodbye else { return false }
      if case .pointer(let target) = entry.record.data { return target == peer.name }
      return entry.record.name == peer.name || entry.record.name == peer.host
    }
    return said ? .goodbye : .expired
  }
}

extension [Peer] {
  /// Numbers the devices of one name: known devices keep their numbers, and new devices get the lowest free numbers.
  ///
  /// A new device gets the number of a device that is gone, because it may be the same device on another host or port.
  fileprivate mutating func number(after old: [Peer]) {
    if count == 1, old.count < 2 { return self[0].number = old.first?.number ?? 0 }
    var (left, rest) = (old, [Int]())
    for index in indices {
      if let place = left.firstIndex(where: { $0.isSameDevice(as: self[index]) }) {
        self[index].number = left.remove(at: place).number
      } else {
        rest.append(index)
      }
    }
    var taken = Set(old.map(\.number))
    for index in rest {
      self[index].number = left.isEmpty ? (0...).first { !taken.contains($0) }! : left.removeFirst().number
      taken.insert(self[index].number)
    }
  }
}

/// The addresses of the hosts of one link.
///
/// Many instances may be on one host, whose addresses are collected once.
private struct LinkAddresses {
  private let link: NetworkLink
  private let cache: RecordCache
  private var known: [DomainName: [Peer.Address]] = [:]

  /// The maximum number of addresses of a host; the addresses that were received first are used.
  private static let most = 32

  init(_ link: NetworkLink, _ cache: RecordCache) { (self.link, self.cache) = (link, cache) }

  mutating func of(_ host: DomainName) -> [Peer.Address] {
    if let addresses = known[host] { return addresses }
    let entries = [RecordType.a, .aaaa].flatMap { cache.entries(RecordKey(host, $0)) }
    let all = entries.compactMap { entry in
      if case .address(let address) = entry.record.data { (entry.since, address) } else { nil }
    }
    let first = all.sorted(by: <).prefix(Self.most).map(\.1)
    known[host] = first.sorted().map { Peer.Address(address: $0, link: link) }
    return known[host]!
  }
}
