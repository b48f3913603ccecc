import Chores
import CommandLine
import CommonInputs
import JSONLines
import SyncCore
import SystemIO
import RecordInputs

/// The command `prune`, which archives the past.
extension AssignTool {
  struct PruneSettings: StateConfigurable {
    var records = RecordSettings(profile: "chores")
    /// An unreadable line might count as a turn, so any such line stops the run.
    var badLines = BadLineSettings()
    var reading = ReadingSettings()
    var files: [String] = []
    var now: Instant?
    var age: Duration?
    var archive: FilePath?
  }

  static let prune = Command(
    "prune", "move old completed occurrences into an archive",
    discussion: [
      "prune removes done and skipped occurrences whose dates are older than --older-than, with their "
        + "completions and overrides. It writes all other lines. It merges the removed lines into the "
        + "archive, which is on disk before the output is written. A summary of each template keeps the "
        + "count of turns, so future turns stay the same. If another device sends the lines again, they do "
        + "not affect the plan. The next run archives them again.",
      "prune does not archive occurrences after a pending one.",
    ],
    settings: PruneSettings(),
    options: [
      .value("older-than", "Archive occurrences whose dates are older than this, such as 365d.") {
        $0.age = $1
      },
      .value("archive", "Merge the archived lines into FILE.") { $0.archive = $1 },
      .value("now", "Use TIME as the current time.") { $0.now = $1 },
    ] + Option.records + Option.reading,
    operands: .files { $1.files = $0 }, statuses: [.tryAgain] + statuses,
    examples: [
      .init(
        "Archive once a year:",
        "assign prune --older-than 365d --archive past.jsonl home.jsonl > new.jsonl && mv new.jsonl home.jsonl"
      )
    ],
    run: runPrune)

  private static func runPrune(_ settings: PruneSettings, on console: Console) throws -> ExitStatus {
    guard let age = settings.age else { throw UsageError.conflict("prune needs --older-than") }
    guard let archive = settings.archive else { throw UsageError.conflict("prune needs --archive") }
    let shape = try settings.records.load()
    return try BadLines.collecting(
      settings, inputs: settings.files, outputs: (archive, nil), on: console
    ) { badLines in
      let state = try HouseholdState(reading: settings, shape, keepingLines: true, &badLines)
      console.note(state)
      let pruning = Pruning(state.household, now: settings.now ?? .wallClock, olderThan: age)
      try put(away: pruning, of: state, into: archive.path, shape, console)
      try writeRest(of: state, pruning)
      return .done
    }
  }

  private static func put(
    away pruning: Pruning, of state: HouseholdState, into path: String, _ shape: RecordShape,
    _ console: Console
  ) throws {
    let text = state.household.text
    var taken: [UInt8] = []
    var count = 0
    for line in state.lines where pruning.takesAway(line.record, at: line.place.lowerBound) {
      taken.append(text.span.extracting(line.place))
      taken.append(10)
      count += 1
    }
    guard count > 0 else { return }
    try Archive(path: path).add(taken, shape)
    console.note("lines put into the archive: \(count)")
  }

  /// The lines that remain and the new summaries, in key order.
  private static func writeRest(of state: HouseholdState, _ pruning: Pruning) throws {
    let text = state.household.text
    var output = ByteOutput.standardOutput
    var summaries = pruning.summaries[...]
    for line in state.lines where !pruning.takesAway(line.record, at: line.place.lowerBound) {
      while let summary = summaries.first, summary.key.lexicographicallyPrecedes(line.key) {
        try output.write(summary.text)
        try output.write(10)
        summaries.removeFirst()
      }
      try output.write(text.span.extracting(line.place))
      try output.write(10)
    }
    for summary in summaries {
      try output.write(summary.text)
      try output.write(10)
    }
    try output.flush()
  }
}

/// The archive file.
struct Archive {
  let path: String

  /// Merges lines into the file; when this returns, the whole file is on disk.
  ///
  /// Only one process at a time merges: two processes would both read the old file, and the later write would
  /// replace the lines of the earlier one.
  func add(_ lines: [UInt8], _ shape: RecordShape) throws {
    guard FileMode.isFile(path) else { return try write(merged(lines, into: [], shape)) }
    let lock = try FileLock(on: path)
    let result = Result {
      AtomicFile.removeLeftovers(of: path)
      let old = FileMode.size(of: path) > 0 ? try InputLines.contents(of: path, limit: 256 << 20) : []
      try write(merged(lines, into: Array(old), shape))
    }
    lock.release()
    try result.get()
  }

  private func merged(_ lines: [UInt8], into old: [UInt8], _ shape: RecordShape) throws -> [UInt8] {
    do throws(SyncError) {
      return try ChangeRules(shape).merge([old, lines])
    } catch {
      throw Diagnostic(error.code, error.message, file: path, line: error.line)
    }
  }

  private func write(_ bytes: [UInt8]) throws {
    let file = try AtomicFile(creating: path)
    try file.write(bytes.span)
    try file.commit()
  }
}
