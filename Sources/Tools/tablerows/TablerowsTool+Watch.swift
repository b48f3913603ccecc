import CommandLine
import CommonInputs
import JSONLines
import Store
import SyncCore
import SystemIO
import Tables
import RecordInputs

extension TablerowsTool {
  struct WatchSettings: Sendable {
    var database = ""
    var count: PositiveCount?
    var timeout: Duration?
  }

  static let watch = Command(
    "watch", "write a line when the database changes",
    discussion: [
      "watch writes one line immediately, so that changes are not missed. Then it writes one line after each "
        + "commit, or after several quick commits. It does not open the database, so writers never wait for "
        + "this command. A line can also appear without a change, for example when the last app closes the "
        + "database."
    ],
    settings: WatchSettings(),
    options: [
      .value("count", named: "N", "Exit after N lines.") { $0.count = $1 },
      .value("timeout", "Exit after this long, with status 1 if --count has not been reached.") {
        $0.timeout = $1
      },
    ],
    operands: Operands("DATABASE", count: 1...1) { $1.database = $0[0] },
    statuses: [.no, .noInput],
    examples: [
      .init(
        "Sync whenever the app has saved something:",
        "tablerows watch app.db | while read -r line; do ./sync.sh || :; done")
    ],
    run: runWatch)

  private static func runWatch(_ settings: WatchSettings, on console: Console) throws -> ExitStatus {
    try requireNoFolder(settings.database)
    guard FileStamp(of: settings.database) != nil else {
      throw Diagnostic(.fileNotFound, "no such database", file: settings.database, hint: "the app makes it")
    }
    var watch = DatabaseWatch(settings.database)
    let deadline = settings.timeout.map { SystemClock.monotonic() + $0 }
    var left = settings.count?.value
    repeat {
      try Descriptor.standardOutput.write(
        line: ["database": .string(settings.database), "at": .string(Instant.wallClock.description)])
      left = left.map { $0 - 1 }
      if left == 0 { return .done }
    } while watch.wait(until: deadline)
    if Interruption.pending != nil { throw SystemError.interrupted }
    return left != nil ? .no : .done
  }
}
