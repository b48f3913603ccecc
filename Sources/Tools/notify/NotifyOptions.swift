import CommandLine
import CommonInputs
import JSONLines
import Push
import Store
import SyncCore
import SystemIO

/// The location of the outbox.
struct OutboxPlace: Sendable {
  var file: FilePath?
  var wait = Duration.seconds(10)

  var path: String { file?.path ?? Places.state("notify.db") }
}

/// Settings of a command that opens an outbox.
protocol OutboxConfigurable: PlacedByEnvironment {
  var outbox: OutboxPlace { get set }
}

extension OutboxConfigurable {
  var defaultFile: String? { outbox.file == nil ? outbox.path : nil }
}

extension BadLineConfigurable where Self: OutboxConfigurable {
  var neededFiles: [String] { [outbox.path] }
}

extension Option where Settings: OutboxConfigurable {
  static var outboxPlace: [Option] {
    [
      .value("store", "Use this file for the outbox and the devices.") { $0.outbox.file = $1 },
      .value("wait", "Wait up to this long for another process (default: 10s).") { $0.outbox.wait = $1 },
    ]
  }
}

/// Settings of a command that depends on the current time.
protocol PresentConfigurable: Sendable {
  var now: Instant? { get set }
}

extension PresentConfigurable {
  var present: Instant { now ?? .wallClock }
}

extension Option where Settings: PresentConfigurable {
  static var present: [Option] {
    [.value("now", "Use TIME as the current time.") { $0.now = $1 }]
  }
}

/// An id or name for a header or a token: letters, digits, dots and hyphens.
struct ServiceName: OptionValue {
  var text: String
  static var valueName: String { "NAME" }
  static var expectation: String { "1 to 200 letters, digits, dots, underscores and hyphens" }

  init?(argument: String) {
    let isName = argument.utf8.allSatisfy {
      $0 &- 48 < 10 || ($0 | 0x20) &- 97 < 26 || [0x2D, 0x2E, 0x5F].contains($0)
    }
    guard isName, (1...200).contains(argument.utf8.count) else { return nil }
    text = argument
  }
}

/// The address of a push service.
struct Endpoint: OptionValue {
  var text: String
  static var valueName: String { "URL" }
  static var expectation: String { "an address such as https://api.push.apple.com" }
  static let production = Endpoint(text: "https://api.push.apple.com")

  private init(text: String) { self.text = text }

  init?(argument: String) {
    let rest = argument.dropFirst("https://".count)
    guard argument.hasPrefix("https://"), !rest.isEmpty,
      rest.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && ![0x2F, 0x3F, 0x23, 0x40].contains($0) })
    else { return nil }
    text = argument
  }
}

extension Diagnostic {
  init(_ error: StoreError, outbox path: String) {
    self.init(
      error,
      of: StoreWords(
        one: "an outbox", noun: "outbox", tool: "notify", makers: "outbox add and devices add make one"),
      file: path)
  }

  /// The diagnostic for a run that ended early, with the remedy.
  init(_ refusal: SendSummary.Refusal, endpoint: Endpoint) {
    switch refusal.cause {
    case .answer:
      self.init(
        .pushRefused, "the push service refuses all pushes: \(refusal.reason)", file: endpoint.text,
        hint: "fix the cause, then send the refused pushes again with 'notify outbox retry'")
    case .stranger:
      self.init(
        .pushRefused, "the endpoint is not the push service, so pushes are not sent: \(refusal.reason)",
        file: endpoint.text,
        hint: "check --endpoint and --ca-file; the pushes wait for the next send")
    case .devices:
      self.init(
        .pushRefused, "devices are not removed: \(refusal.reason)", file: endpoint.text,
        hint: "check --endpoint and send again; if the devices no longer exist, use notify devices remove")
    }
  }
}
