package import JSONLines
package import SyncCore
import SystemIO

extension DiscoveryEvent {
  /// The event line of docs/formats/discovery.md.
  package func line(at time: Instant) -> JSONValue {
    let at = JSONMember("at", .string(time.description))
    switch self {
    case .discovered(let peer): return .object([JSONMember("event", "peerDiscovered")] + peer.members + [at])
    case .updated(let peer): return .object([JSONMember("event", "peerUpdated")] + peer.members + [at])
    case .lost(let peer, let loss):
      return .object([
        JSONMember("event", "peerLost"), JSONMember("peer", peer.identity),
        JSONMember("instance", .string(peer.instance)), JSONMember("service", .string(peer.service.text)),
        JSONMember("reason", .string(loss.rawValue)), at,
      ])
    case .type(let type):
      return .object([JSONMember("event", "serviceTypeDiscovered"), JSONMember("service", .string(type)), at])
    }
  }
}

extension Peer {
  /// An instance name says how to call somebody, never who it is: that is the TXT record's `id`, where there is one.
  fileprivate var identity: JSONValue {
    ["id": txt.text("id").map { .string($0) } ?? .null, "name": .string(instance)]
  }

  fileprivate var members: [JSONMember] {
    [
      JSONMember("peer", identity), JSONMember("instance", .string(instance)),
      JSONMember("service", .string(service.text)), JSONMember("host", .string(host.description)),
      JSONMember("port", .integer(port)),
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

extension TextRecord {
  /// Keys with their values; null for a key without one, an object with Base64 for what is not UTF-8.
  var json: JSONValue {
    .object(
      pairs.map { pair in
        guard let value = pair.value else { return JSONMember(pair.key, .null) }
        if let text = String(validating: value, as: UTF8.self) { return JSONMember(pair.key, .string(text)) }
        return JSONMember(pair.key, .encoding(value))
      })
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
