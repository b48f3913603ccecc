package import SyncCore
import SystemIO

/// Finds services on any number of links, and says who comes, changes and goes.
///
/// Pure: each peer is told of once, whatever links and address families it is heard on.
package struct Browser: Sendable {
  package enum Goal: Hashable, Sendable {
    /// All instances of a type.
    case service(ServiceType)
    /// One instance.
    case instance(String, ServiceType)
    /// Which types there are.
    case types
  }

  private let goal: Goal
  private var random: SplitMix64
  private let cacheLimit: Int
  private var queriers: [Link: Querier] = [:]
  private var peers: [DomainName: Peer] = [:]
  private var types: Set<DomainName> = []
  private var events: [DiscoveryEvent] = []
  private var needsLook = false

  package init(_ goal: Goal, random: SplitMix64, cacheLimit: Int = 4_096) {
    self.goal = goal
    self.random = random
    self.cacheLimit = cacheLimit
  }

  package mutating func takeEvents() -> [DiscoveryEvent] {
    defer { events = [] }
    return events
  }

  /// The questions that are asked for as long as the browser runs.
  private var standing: Set<RecordKey> {
    switch goal {
    case .service(let type): [RecordKey(type.name, .ptr)]
    case .instance(let name, let type):
      Set(type.name.prefixed(by: name).map { [RecordKey($0, .srv), RecordKey($0, .txt)] } ?? [])
    case .types: [RecordKey(ServiceType.enumeration, .ptr)]
    }
  }
}

extension Browser: LinkAgent {
  package mutating func addLink(_ link: Link, at now: Duration, isStart: Bool, allowsUnicast: Bool) {
    var querier = Querier(
      random: SplitMix64(seed: random.next()), allowsUnicast: allowsUnicast, cacheLimit: cacheLimit)
    querier.ask(standing, at: now, delayed: !isStart)
    queriers[link] = querier
  }

  package mutating func removeLink(_ link: Link, at now: Duration) {
    queriers[link] = nil
    look(at: now, removed: [], isLinkGone: true)
  }

  package mutating func receive(_ message: Message, _ origin: Origin, at now: Duration) -> [Outgoing] {
    if message.isResponse {
      guard origin.canRespond else { return [] }
      let hasNews = queriers[origin.link]?.receive(response: message, from: origin.address, at: now)
      if hasNews == true { needsLook = true }
    } else if origin.isMulticast {
      queriers[origin.link]?.receive(query: message, at: now)
    }
    return []
  }

  package var deadline: Duration? {
    needsLook ? .zero : queriers.values.compactMap(\.deadline).min()
  }

  package mutating func advance(to now: Duration) -> [Outgoing] {
    var outgoing: [Outgoing] = []
    var removed: [RecordCache.Entry] = []
    for link in Array(queriers.keys) {
      let messages = queriers[link]!.advance(to: now)
      outgoing += messages.map { Outgoing(link: link, message: $0) }
      removed += queriers[link]!.takeRemoved()
    }
    if needsLook || !removed.isEmpty || !outgoing.isEmpty {
      look(at: now, removed: removed, isLinkGone: false)
    }
    return outgoing
  }

  package mutating func end(at now: Duration) -> [Outgoing] { [] }
}

extension Browser {
  /// Looks at all that is known, asks for what is missing, and notes what is different.
  private mutating func look(at now: Duration, removed: [RecordCache.Entry], isLinkGone: Bool) {
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
    let key = RecordKey(ServiceType.enumeration, .ptr)
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

  private var type: ServiceType? {
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
