package import JSONLines
package import SyncCore
import SystemIO

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
