import Chores
import CommandLine
import Crypto
import JSONLines
import Links
import Push
import Store
import SyncCore
import SystemIO
import RecordInputs

/// The command line of `notify`.
enum NotifyTool {
  static let command = Command(
    "notify", "decide whom to notify, and send each notification once",
    discussion: [
      "plan decides whom to notify of changes, and due whom to remind. Both write notifications, one per "
        + "line. The id of each derives from its subject. The outbox stores each id once, and send delivers "
        + "its notifications to Apple's push service, or to a program.",
      "Outbox and devices are in one SQLite file, by default notify.db below PEERSYNC_HOME, else in peersync "
        + "below XDG_STATE_HOME.",
    ],
    subcommands: [plan, due, outbox, devices, send])

  static let asked: [ExitStatus] = [.badData, .noInput, .inputOutput, .tryAgain, .configuration]
  static let stored: [ExitStatus] = asked + [.cannotCreate]
}

extension NotifyTool {
  /// Runs a body with the outbox; errors of its file become diagnostics about the file.
  ///
  /// A folder that others can write to is reported unless `isAgain`.
  static func withOutbox<Value>(
    _ place: OutboxPlace, _ console: Console, creating: Bool = false, onlyRead: Bool = false,
    isAgain: Bool = false, _ body: (Outbox) throws -> Value
  ) throws -> Value {
    if !isAgain { console.warn(openFolderOf: place.path) }
    do {
      return try body(try Outbox(place.path, creating: creating, onlyRead: onlyRead, wait: place.wait))
    } catch let error as StoreError {
      throw Diagnostic(error, outbox: place.path)
    }
  }

  static func write(_ value: JSONValue) throws(SystemError) {
    try Descriptor.standardOutput.write(line: value)
  }

  /// Passes each line of the inputs as an object; a line for which `body` throws a `NotificationError` is
  /// bad.
  ///
  /// `pause` is called before each read that would wait. With `mayHaveToken`, messages do not quote a line,
  /// because it may contain a token.
  static func forEachObject(
    of paths: [String], _ badLines: inout BadLines, mayHaveToken: Bool = false,
    pause: () throws -> Void = {}, _ body: (JSONValue, Span<UInt8>) throws -> Void
  ) throws {
    try forEachLine(of: paths, &badLines, mayHaveToken: mayHaveToken, pause: pause) { line in
      try body(try JSONValue(parsing: line), line)
    }
  }

  /// Passes each line that is not blank; a line for which `body` throws a `NotificationError` or `JSONError`
  /// is bad.
  ///
  /// If `body` throws an `UnsendableNotification`, only this line is left out, even if bad lines end the run.
  static func forEachLine(
    of paths: [String], _ badLines: inout BadLines, mayHaveToken: Bool = false,
    pause: () throws -> Void = {}, _ body: (Span<UInt8>) throws -> Void
  ) throws {
    var output = ByteOutput.standardOutput
    try InputLines.forEach(ofAll: paths, flushing: &output) { input in
      if input.mayWait { try pause() }
    } _: { path, line, number, _ in
      do {
        try body(line)
      } catch let error as JSONError {
        // An excerpt is added only to a message about the "line".
        let message = error.message(in: mayHaveToken ? "" : "line")
        try badLines.leaveOut(
          line, because: Diagnostic(error.code.errorCode, message, file: path, line: number))
      } catch let error as NotificationError {
        try badLines.leaveOut(line, because: Diagnostic(error, file: path, line: number))
      } catch let error as UnsendableNotification {
        try badLines.passOver(line, because: Diagnostic(error.reason, file: path, line: number))
      }
    }
  }
}

/// A notification that push services reject; it must not prevent others from being stored.
struct UnsendableNotification: Error {
  var reason: NotificationError
}
