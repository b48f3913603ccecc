package import CommandLine
package import SyncCore
import SystemIO

extension Instant: OptionValue {
  package static var valueName: String { "TIME" }
  package static var expectation: String { "an RFC 3339 time such as 2026-11-20T10:00:00Z, or a date" }
  package init?(argument: String) { self.init(spelled: Array(argument.utf8).span) }
}

extension Instant {
  /// The wall clock, in milliseconds.
  package static var wallClock: Instant { Instant(clock: SystemClock.wallTime()) }
}

extension ProtocolVersion: OptionValue {
  package static var valueName: String { "VERSION" }
  package static var completion: OptionHelp.Completion { .choices(allCases.map { "\($0.rawValue)" }) }
  package static var expectation: String { "1 or 2" }

  package init?(argument: String) {
    guard let version = Self.allCases.first(where: { "\($0.rawValue)" == argument }) else { return nil }
    self = version
  }
}
