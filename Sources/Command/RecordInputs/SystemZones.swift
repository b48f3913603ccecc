package import SyncCore
import Synchronization
import SystemIO

/// The time zones of the system, each read once.
package final class SystemZones: Sendable {
  private let known = Mutex<[String: Zone?]>([:])

  package init() {}

  /// The zone with this name; nil if the system does not have it.
  ///
  /// UTC does not need a file.
  package func zone(_ name: String) -> Zone? {
    if name == "UTC" { return .utc }
    return known.withLock { known in
      if let zone = known[name] { return zone }
      let file = ZoneDatabase.file(of: name).flatMap { ZoneFile($0.span) }
      let zone = file.map { file in Zone { file.offset(at: $0) } }
      known[name] = .some(zone)
      return zone
    }
  }
}
