import Chores
import CommandLine
import CommonInputs
import JSONLines
import SyncCore
import SystemIO
import RecordInputs

/// The command line of `assign`.
enum AssignTool {
  struct Settings: StateConfigurable {
    var records = RecordSettings(profile: "chores")
    var badLines = BadLineSettings()
    var reading = ReadingSettings()
    var files: [String] = []
    var now: Instant?
    // Settings for the assignment.
    var until = HorizonOption(.seconds(60 * 86_400))
    var all = false
    // Settings for explain and reassign.
    var occurrence = ""
    var member = ""
    // Settings for simulate.
    var weeks = PositiveCount(12)
    var svg: FilePath?
    var json = false
  }

  static let command = Command(
    "assign", "decide whose turn it is, with the same result on every device",
    discussion: [
      "assign reads a household's members, templates, occurrences, completions, overrides and absences. For "
        + "each new or changed occurrence it writes a change line: when it is due, and whose turn it is. It "
        + "merges the inputs first, as lwwmerge --profile chores does.",
      "The result depends only on the records, --now and --until. Devices with the same records write the "
        + "same lines. Other devices agree after they merge their records and run again.",
      "By default, the member with the fewest turns is next. Turns during an absence do not count as missed. "
        + "No member has two turns in a row while another is present.",
    ],
    settings: Settings(),
    options: horizonOptions + [
      .flag("all", "Write all occurrences, not only new and changed ones.") { $0.all = true }
    ] + Option.records + Option.badLines + Option.reading,
    // All records are read before the first turn is written.
    operands: .files(canReceiveOutput: true) { $1.files = $0 }, statuses: statuses,
    examples: [
      .init(
        "Add the turns of the next weeks to the records:",
        "assign --until 28d home.jsonl | lwwmerge --profile chores home.jsonl -")
    ],
    subcommands: [explain, reassign, simulate, prune], run: runAssign)

  static let files = Operands<Settings>.files { $1.files = $0 }

  static let statuses: [ExitStatus] = [.badData, .noInput, .cannotCreate, .inputOutput, .configuration]

  static let horizonOptions: [Option<Settings>] = [
    .value(
      "until", "Plan this far ahead: a duration from now, or a date (default: 60d)."
    ) { $0.until = $1 },
    .value("now", "Use TIME as the current time.") { $0.now = $1 },
  ]

  private static func runAssign(_ settings: Settings, on console: Console) throws -> ExitStatus {
    let horizon = try settings.until.horizon(from: settings.now ?? .wallClock)
    let shape = try settings.records.load()
    return try BadLines.collecting(settings, inputs: settings.files, on: console) { badLines in
      let state = try HouseholdState(reading: settings, shape, &badLines)
      let assignment = Assignment(
        state.household, horizon, all: settings.all, withholdingDeletions: badLines.count > 0)
      let withheld = try write(assignment, shape, threads: settings.reading.threads.value)
      console.note(state)
      if withheld > 0 {
        console.report(
          Diagnostic(
            .partialRun,
            "deletions left out: \(withheld); the bad lines may contain the templates of those occurrences"))
      }
      return .done
    }
  }

  /// Writes all parts in their order.
  ///
  /// - Returns: how many tombstones were withheld.
  private static func write(_ assignment: Assignment, _ shape: RecordShape, threads: Int) throws -> Int {
    let parts = Pile(assignment.parts)
    let giving = OrderedWork(
      threads: threads, next: { parts.next() }, scratch: { ChangeReader(shape) }
    ) { part, reader in
      assignment.lines(of: part, &reader)
    }
    var output = ByteOutput.standardOutput
    var withheld = 0
    try giving.run { lines in
      try output.write(lines.bytes)
      withheld += lines.withheld
    }
    try output.write(assignment.orphans)
    try output.flush()
    return withheld
  }
}

/// The value of `--until`: a duration from now, or a date.
struct HorizonOption: OptionValue {
  var end: Horizon.End

  static let valueName = "UNTIL"
  static let expectation = "a duration of at most 36525d such as 60d, or a date such as 2026-12-31"

  /// A hundred years: a longer horizon is a typing error, and each day costs a line for each template.
  private static let longest = Duration.seconds(36_525 * 86_400)

  init(_ duration: Duration) { end = .after(duration) }

  init?(argument: String) {
    if let duration = Duration(argument: argument) {
      guard duration <= Self.longest else { return nil }
      end = .after(duration)
    } else {
      guard let day = CivilText.day(argument) else { return nil }
      end = .day(day)
    }
  }

  func horizon(from now: Instant) throws(UsageError) -> Horizon {
    let horizon = Horizon(now: now, until: end)
    if case .day(let day) = end, let days = Horizon(now: now, until: .after(Self.longest)).days(in: .utc),
      day > days.upperBound
    {
      throw .conflict("'--until \(CivilText.date(day))' is more than 36525d after now")
    }
    return horizon
  }
}

/// Settings of a command that reads a state.
protocol StateConfigurable: BadLineConfigurable, RecordConfigurable, ReadingConfigurable {
  var files: [String] { get set }
}

extension StateConfigurable {
  var inputs: [String] { files.isEmpty ? ["-"] : files }
}

extension HouseholdState {
  init<Settings: StateConfigurable>(
    reading settings: Settings, _ shape: RecordShape, keepingLines keepsLines: Bool = false,
    _ badLines: inout BadLines
  ) throws {
    try self.init(
      reading: settings.inputs, shape, settings.reading, keepingLines: keepsLines, &badLines)
  }
}
