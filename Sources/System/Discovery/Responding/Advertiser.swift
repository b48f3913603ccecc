package import JSONLines
package import SyncCore
package import SystemIO

/// An event about an advertisement.
package enum AdvertisementEvent: Hashable, Sendable {
  /// The name belongs to us, and was announced on the link.
  case advertised(name: String, host: DomainName)
  /// Another host has the name, so it was changed.
  case renamed(from: String, to: String)
  case withdrawn(name: String)
}

/// Announces one service instance on any number of links under one name.
///
/// It is pure, with the time as a parameter. If a name is taken on one link, it is changed on all links.
package struct Advertiser: Sendable {
  private let advertisement: Advertisement
  private(set) var name: String
  private(set) var host: DomainName
  private var random: SplitMix64
  private var responders: [NetworkLink: Responder] = [:]
  private var addresses: [NetworkLink: [IPAddress]] = [:]
  private var conflicts: [Duration] = []
  private var events: [AdvertisementEvent] = []
  private var isTold = false

  /// Begins without links; nil if the name is empty or does not fit into a label, or if the host's name is
  /// too long for a suffix.
  package init?(_ advertisement: Advertisement, random: SplitMix64) {
    self.advertisement = advertisement
    self.random = random
    name = advertisement.name
    guard advertisement.service.name.prefixed(by: name) != nil else { return nil }
    host = Self.host(advertisement.host, &self.random)
  }

  package mutating func takeEvents() -> [AdvertisementEvent] {
    defer { events = [] }
    return events
  }

  /// The host's name with a random suffix, because a daemon on this machine may use the plain name with other
  /// addresses.
  private static func host(_ base: String, _ random: inout SplitMix64) -> DomainName {
    let suffix = "-" + String(UInt32.random(in: 0x1000_0000...UInt32.max, using: &random), radix: 16)
    let label = base[...].cut(toBytes: 63 - suffix.utf8.count) + suffix
    return DomainName(labels: [label, "local"])!
  }

  private func records(on link: NetworkLink) -> ServiceRecords {
    // The name was checked at the start, and every later name is cut to fit.
    let instance = advertisement.service.name.prefixed(by: name)!
    return ServiceRecords(
      advertisement.service, instance: instance, host: host, port: advertisement.port, txt: advertisement.txt,
      addresses[link] ?? [])
  }

  private mutating func begin(on link: NetworkLink, at now: Duration, allowsUnicast: Bool, wait: Duration?) {
    responders[link] = Responder(
      records(on: link), random: SplitMix64(seed: random.next()), allowsUnicast: allowsUnicast, at: now,
      wait: wait)
  }
}

extension Advertiser: LinkAgent {
  package mutating func addLink(_ link: NetworkLink, at now: Duration, isStart: Bool, allowsUnicast: Bool) {
    begin(on: link, at: now, allowsUnicast: allowsUnicast, wait: nil)
  }

  package mutating func removeLink(_ link: NetworkLink, at now: Duration) {
    responders[link] = nil
    addresses[link] = nil
  }

  package mutating func setAddresses(_ own: [IPAddress], on link: NetworkLink, at now: Duration) {
    guard addresses[link] != own else { return }
    addresses[link] = own
    let records = records(on: link)
    responders[link]?.replace(records, at: now)
  }

  package mutating func receive(_ message: DNSMessage, _ origin: Origin, at now: Duration) -> [Outgoing] {
    guard responders[origin.link] != nil else { return [] }
    if !message.isResponse {
      guard origin.canAsk else { return [] }
      let replies = responders[origin.link]!.receive(query: message, from: origin, at: now)
      return replies.map { Outgoing($0, $1, on: origin.link) }
    }
    guard origin.canRespond,
      let conflict = responders[origin.link]!.receive(
        response: message, isMulticast: origin.isMulticast, at: now)
    else { return [] }
    return resolve(conflict, on: origin.link, at: now)
  }

  package var deadline: Duration? { responders.values.compactMap(\.deadline).min() }

  package mutating func advance(to now: Duration) -> [Outgoing] {
    var outgoing: [Outgoing] = []
    for link in responders.keys.sorted(by: { $0.index < $1.index }) {
      outgoing += responders[link]!.advance(to: now).map { Outgoing($0, $1, on: link) }
      if !isTold, !responders[link]!.isProbing {
        isTold = true
        events.append(.advertised(name: name, host: host))
      }
    }
    return outgoing
  }

  /// Sends a goodbye on every link on which the name was announced (RFC 6762 §10.1).
  package mutating func end(at now: Duration) -> [Outgoing] {
    if isTold { events.append(.withdrawn(name: name)) }
    return responders.flatMap { link, responder in responder.farewell(on: link) }
  }

  /// A conflict while probing changes the name; where the old name was announced, it is withdrawn.
  ///
  /// After a later conflict the same name is probed again, because the other host may have disappeared (§9).
  ///
  /// After fifteen conflicts in ten seconds, each further attempt waits five seconds (§8.1).
  private mutating func resolve(
    _ conflict: Responder.Conflict, on link: NetworkLink, at now: Duration
  ) -> [Outgoing] {
    conflicts = (conflicts.filter { now - $0 < .seconds(10) } + [now]).suffix(15)
    let wait: Duration? = conflicts.count >= 15 ? .seconds(5) : nil
    guard responders[link]!.isProbing else {
      responders[link]!.probeAgain(at: now, wait: wait ?? .zero)
      return []
    }
    switch conflict {
    case .instance:
      let old = name
      name = InstanceName.next(after: name)
      events.append(.renamed(from: old, to: name))
    case .host: host = Self.host(advertisement.host, &random)
    }
    isTold = false
    var outgoing: [Outgoing] = []
    for (other, responder) in responders {
      // On the link of the conflict, the old name belongs to the other host.
      if other != link { outgoing += responder.farewell(on: other, except: records(on: other).all) }
      begin(on: other, at: now, allowsUnicast: responder.allowsUnicast, wait: wait)
    }
    return outgoing
  }
}

extension Responder {
  /// The goodbye for the records announced on a link, except those that stay.
  fileprivate func farewell(on link: NetworkLink, except kept: [ResourceRecord] = []) -> [Outgoing] {
    guard isAnnounced else { return [] }
    let gone = records.farewell.filter { record in !kept.contains { $0.isSame(as: record) } }
    return MessagePacker.responses(gone).map { Outgoing(link: link, message: $0) }
  }
}

extension Outgoing {
  fileprivate init(_ querier: Responder.Querier?, _ message: DNSMessage, on link: NetworkLink) {
    self.init(link: link, message: message)
    if let querier { destination = .host(querier.address, port: querier.port) }
  }
}

extension AdvertisementEvent {
  /// The event line of docs/formats/discovery.md.
  package func line(of advertisement: Advertisement, at time: Instant) -> JSONValue {
    let service = JSONMember("service", .string(advertisement.service.text))
    let at = JSONMember("at", .string(time.description))
    switch self {
    case .advertised(let name, let host):
      return .object([
        JSONMember("event", "advertised"), JSONMember("instance", .string(name)), service,
        JSONMember("host", .string(host.description)), JSONMember("port", .integer(advertisement.port)), at,
      ])
    case .renamed(let old, let new):
      return .object([
        JSONMember("event", "renamed"), JSONMember("instance", .string(new)),
        JSONMember("from", .string(old)), service, at,
      ])
    case .withdrawn(let name):
      return .object([JSONMember("event", "withdrawn"), JSONMember("instance", .string(name)), service, at])
    }
  }
}
