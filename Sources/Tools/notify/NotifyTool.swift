import ChangeFiles
import CommandLineTool
import Delivery
import JSONLines
import StoreFiles
import SyncCore
import SystemIO
import Transport

/// The command line of `notify`.
enum NotifyTool {
  static let command = Command(
    "notify", "tell the right member, once",
    discussion: [
      "plan says who is to be told of what has changed, due who is to be reminded; both write notifications, lines "
        + "whose ids follow from what they are about. The outbox takes each id once, and send brings what it has to "
        + "Apple's push service, or to a program.",
      "Outbox and devices are one SQLite file. One that is not named is notify.db below PEERSYNC_HOME, else in "
        + "peersync below XDG_STATE_HOME.",
    ],
    subcommands: [plan, due, outbox, devices, send])

  struct Settings: BadLineConfigurable {
    var badLines = BadLineSettings()
    var store: FilePath?
    var wait = Duration.seconds(10)
    var now: Instant?
    var operands: [String] = []
    // Of the outbox.
    var state: PushState?
    var olderThan = Duration.seconds(7 * 86_400)
    // Of devices.
    var member: String?
    var tokens: FilePath?

    var inputs: [String] { operands.isEmpty ? ["-"] : operands }
    var present: Instant { now ?? .wallClock }
    var storePath: String { store?.path ?? Places.state("notify.db") }
    var neededFiles: [String] { [storePath] }
  }

  static let place: [Option<Settings>] = [
    .value("store", "The file of outbox and devices.") { $0.store = $1 },
    .value("wait", "How long to wait for another process; the default is 10s.") { $0.wait = $1 },
  ]

  static let present: [Option<Settings>] = [
    .value("now", "The present, in place of the clock.") { $0.now = $1 }
  ]

  static let asked: [ExitStatus] = [.badData, .noInput, .inputOutput, .tryAgain, .configuration]
  static let stored: [ExitStatus] = asked + [.cannotCreate]
}

extension NotifyTool {
  /// Runs a body with the outbox; what goes wrong with its file becomes a diagnostic about that.
  static func withOutbox<Value>(
    _ path: String, creating: Bool = false, wait: Duration, _ body: (Outbox) throws -> Value
  ) throws -> Value {
    do {
      return try body(try Outbox(path, creating: creating, wait: wait))
    } catch let error as StoreError {
      throw Diagnostic(error, outbox: path)
    }
  }

  static func withOutbox<Value>(
    _ settings: Settings, creating: Bool = false, _ body: (Outbox) throws -> Value
  ) throws -> Value {
    try withOutbox(settings.storePath, creating: creating, wait: settings.wait, body)
  }

  static func write(_ value: JSONValue) throws(SystemError) {
    try Descriptor.standardOutput.write(value.text + "\n")
  }

  /// Hands over each line of the inputs as an object; what throws a `NotificationError` is a bad line.
  static func forEachObject(
    of paths: [String], _ badLines: inout BadLines,
    _ body: (JSONValue, Span<UInt8>) throws -> Void
  ) throws {
    try forEachLine(of: paths, &badLines) { line in try body(try JSONValue(parsing: line), line) }
  }

  /// Hands over each line that is not blank; what throws a `NotificationError` or `JSONError` is a bad line.
  static func forEachLine(
    of paths: [String], _ badLines: inout BadLines, _ body: (Span<UInt8>) throws -> Void
  ) throws {
    for path in paths {
      let text = try ByteInput.contents(of: path)
      var cursor = LineCursor()
      while let line = cursor.next(in: text.span) {
        let content = text.span.extracting(line.content)
        if content.isBlankLine { continue }
        do {
          try body(content)
        } catch let error as JSONError {
          let code = DiagnosticCode(rawValue: error.code.rawValue) ?? .bug
          try badLines.leaveOut(
            content, because: Diagnostic(code, error.message, file: path, line: line.number))
        } catch let error as NotificationError {
          let code = DiagnosticCode(rawValue: error.code) ?? .bug
          try badLines.leaveOut(
            content, because: Diagnostic(code, error.message, file: path, line: line.number))
        }
      }
    }
  }
}
