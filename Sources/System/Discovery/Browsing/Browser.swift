package import SyncCore
import SystemIO

/// Finds services on any number of links, and reports which appear, change and disappear.
///
/// It is pure: it does not use sockets or clocks. Each peer is reported once, even if it is found on several
/// links and in several address families. Devices on different links that have the same name are different
/// peers.
package struct Browser: Sendable {
  package enum Goal: Hashable, Sendable {
    /// All instances of a type.
    case service(DNSServiceType)
    /// One instance.
    case instance(String, DNSServiceType)
    /// The existing types.
    case types
  }

  let goal: Goal
  private var random: SplitMix64
  let cacheLimit: Int
  var queriers: [NetworkLink: Querier] = [:]
  /// The devices of each name, usually only one.
  var peers: [DomainName: [Peer]] = [:]
  var types: Set<DomainName> = []
  var events: [DiscoveryEvent] = []
  var needsLook = false

  package init(_ goal: Goal, random: SplitMix64, cacheLimit: Int = 4_096) {
    self.goal = goal
    self.random = random
    self.cacheLimit = cacheLimit
  }

  package mutating func takeEvents() -> [DiscoveryEvent] {
    defer { events = [] }
    return events
  }

  /// The questions that are repeated while the browser runs.
  var standing: Set<RecordKey> {
    switch goal {
    case .service(let type): [RecordKey(type.name, .ptr)]
    case .instance(let name, let type):
      Set(type.name.prefixed(by: name).map { [RecordKey($0, .srv), RecordKey($0, .txt)] } ?? [])
    case .types: [RecordKey(DNSServiceType.enumeration, .ptr)]
    }
  }
}

extension Browser: LinkAgent {
  package mutating func addLink(_ link: NetworkLink, at now: Duration, isStart: Bool, allowsUnicast: Bool) {
    var querier = Querier(
      random: SplitMix64(seed: random.next()), allowsUnicast: allowsUnicast, cacheLimit: cacheLimit)
    querier.ask(standing, at: now, delayed: !isStart)
    queriers[link] = querier
  }

  package mutating func removeLink(_ link: NetworkLink, at now: Duration) {
    queriers[link] = nil
    look(at: now, removed: [], isLinkGone: true)
  }

  package mutating func receive(_ message: DNSMessage, _ origin: Origin, at now: Duration) -> [Outgoing] {
    if message.isResponse {
      guard origin.canRespond else { return [] }
      let hasNews = queriers[origin.link]?.receive(response: message, from: origin.address, at: now)
      if hasNews == true { needsLook = true }
    } else if origin.isMulticast, origin.port == MulticastDNS.port {
      // The answers to a query from another port are sent only to its sender.
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
      outgoing += queriers[link]!.oneShots(at: now).map {
        Outgoing(link: link, destination: .groupOneShot, message: $0)
      }
      removed += queriers[link]!.takeRemoved()
    }
    if needsLook || !removed.isEmpty || !outgoing.isEmpty {
      look(at: now, removed: removed, isLinkGone: false)
    }
    return outgoing
  }

  package mutating func end(at now: Duration) -> [Outgoing] { [] }
}
