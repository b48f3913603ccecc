import CommandLine
import SyncCore
import SystemIO

/// Where the outbox is.
struct OutboxPlace: Sendable {
  var file: FilePath?
  var wait = Duration.seconds(10)

  var path: String { file?.path ?? Places.state("notify.db") }
}

/// Settings of a command that opens an outbox.
protocol OutboxConfigurable: Sendable {
  var outbox: OutboxPlace { get set }
}

extension Option where Settings: OutboxConfigurable {
  static var outboxPlace: [Option] {
    [
      .value("store", "The file of outbox and devices.") { $0.outbox.file = $1 },
      .value("wait", "How long to wait for another process; the default is 10s.") { $0.outbox.wait = $1 },
    ]
  }
}

/// Settings of a command to which the present matters.
protocol PresentConfigurable: Sendable {
  var now: Instant? { get set }
}

extension PresentConfigurable {
  var present: Instant { now ?? .wallClock }
}

extension Option where Settings: PresentConfigurable {
  static var present: [Option] { [.value("now", "The present, in place of the clock.") { $0.now = $1 }] }
}
