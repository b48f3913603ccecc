import SystemIO

extension Browser {
  /// Looks at all that is known, asks for what is missing, and notes what is different.
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
    for querier in queriers.values {
      for case .pointer(let name) in querier.cache.entries(key).map(\.record.data)
      where types.insert(name).inserted {
        events.append(
          .type(name.labels.dropLast().map { String(decoding: $0, as: UTF8.self) }.joined(separator: ".")))
      }
    }
  }

  /// Asks on a link for the records that its instances lack, and gives the instances.
  private mutating func followUp(on link: Link, at now: Duration) -> [DomainName] {
    let querier = queriers[link]!
    let instances = instances(querier)
    var questions = standing
    var names = Set(instances)
    for instance in instances {
      for type in [RecordType.srv, .txt] where !querier.cache.has(RecordKey(instance, type)) {
        questions.insert(RecordKey(instance, type))
      }
      guard let location = location(of: instance, querier) else { continue }
      names.insert(location.host)
      let addresses = [RecordKey(location.host, .a), RecordKey(location.host, .aaaa)]
      if !addresses.contains(where: querier.cache.has) { questions.formUnion(addresses) }
    }
    queriers[link]!.ask(questions, at: now, delayed: true)
    queriers[link]!.follow(names)
    return instances
  }

  private func instances(_ querier: Querier) -> [DomainName] {
    switch goal {
    case .service(let type):
      querier.cache.entries(RecordKey(type.name, .ptr)).compactMap { entry in
        if case .pointer(let instance) = entry.record.data, instance.parent == type.name {
          instance
        } else {
          nil
        }
      }
    case .instance(let name, let type): type.name.prefixed(by: name).map { [$0] } ?? []
    case .types: []
    }
  }

  private func location(of instance: DomainName, _ querier: Querier) -> ServiceLocation? {
    let newest = querier.cache.entries(RecordKey(instance, .srv)).max { $0.received < $1.received }
    guard case .service(let location)? = newest?.record.data else { return nil }
    return location
  }

  /// Nil while something is missing; a TXT record is no longer waited for once it has been asked for twice.
  private func peer(_ instance: DomainName, on link: Link) -> Peer? {
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
