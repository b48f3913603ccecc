package import JSONLines
package import SyncCore
package import SystemIO

/// A resolved service instance: a possible peer and its addresses.
package struct Peer: Hashable, Sendable {
  package struct Address: Hashable, Sendable {
    package var address: IPAddress
    /// The link on which the address was received; a link-local address is meaningless without its link.
    package var link: NetworkLink
  }

  /// The name of the instance, such as `Kitchen._appsync._tcp.local`.
  package var name: DomainName
  /// 0, or another number if devices on different links have the same name.
  package var number = 0
  package var service: DNSServiceType
  package var host: DomainName
  package var port: UInt16
  /// The addresses, without duplicates, in the order of the links, IPv4 first.
  package var addresses: [Address]
  package var txt: TextRecord

  /// The name that people see: `Kitchen`.
  package var instance: String { name.firstLabel }

  /// Whether a peer of the same name on another link is the same device, as far as its records show.
  ///
  /// Names are unique only on their link (RFC 6762 §14).
  func isSameDevice(as other: Peer) -> Bool {
    let (id, otherID) = (txt.text(TextRecord.id), other.txt.text(TextRecord.id))
    return host == other.host && port == other.port && (id == nil || otherID == nil || id == otherID)
  }
}

/// An event about a peer or a service type.
package enum DiscoveryEvent: Hashable, Sendable {
  package enum Loss: String, Sendable { case goodbye, expired, interface }

  case discovered(Peer)
  case updated(Peer)
  case lost(Peer, Loss)
  /// A service type that some host on the link offers, such as `_appsync._tcp`.
  case type(String)

  /// The event line of docs/formats/discovery.md.
  package func line(at time: Instant) -> JSONValue {
    let at = JSONMember("at", .string(time.description))
    switch self {
    case .discovered(let peer): return .object([JSONMember("event", "peerDiscovered")] + peer.members + [at])
    case .updated(let peer): return .object([JSONMember("event", "peerUpdated")] + peer.members + [at])
    case .lost(let peer, let loss):
      return .object(
        [
          JSONMember("event", "peerLost")
        ] + peer.place + [
          JSONMember("reason", .string(loss.rawValue)), at,
        ])
    case .type(let type):
      return .object([JSONMember("event", "serviceTypeDiscovered"), JSONMember("service", .string(type)), at])
    }
  }
}

extension Peer {
  /// An instance name is only for display; the TXT record's `id`, if it exists, identifies the peer.
  fileprivate var identity: JSONValue {
    ["id": txt.text(TextRecord.id).map { .string($0) } ?? .null, "name": .string(instance)]
  }

  fileprivate var place: [JSONMember] {
    let number = number == 0 ? [] : [JSONMember("number", .integer(number))]
    return [JSONMember("peer", identity), JSONMember("instance", .string(instance))] + number + [
      JSONMember("service", .string(service.text)), JSONMember("host", .string(host.description)),
      JSONMember("port", .integer(port)),
    ]
  }

  fileprivate var members: [JSONMember] {
    place + [
      JSONMember(
        "addresses",
        .array(
          addresses.map {
            ["address": .string($0.address.description), "interface": .string($0.link.name)]
          })),
      JSONMember("txt", txt.json),
    ]
  }
}
