import CommandLine
import CoreInputs
import SyncCore
import ToolInputs

/// The command line of `deltadiff`.
enum DeltadiffTool {
  struct Settings: BadLineConfigurable, RecordConfigurable, ReadingConfigurable {
    var records = RecordSettings()
    var badLines = BadLineSettings()
    var reading = ReadingSettings()
    var files: [String] = []
    var now: Instant?
    var deletedAt: Instant?
    var duplicates = Duplicates.error
    var exitCode = false
    var changes = false
    var explain: FilePath?
    var strict = false

    var deletionTime: Delta.DeletionTime {
      deletedAt.map(Delta.DeletionTime.at) ?? .now(now ?? .wallClock)
    }
  }

  /// How to treat duplicate keys within one snapshot.
  enum Duplicates: String, OptionChoice {
    case error, last
    static var valueName: String { "ACTION" }
  }

  static let command = Command(
    "deltadiff", "write the changes that make one snapshot into another",
    discussion: [
      "For each key that is new in NEW or whose record differs there, the line of NEW is written, byte for byte; "
        + "for each that only OLD has, a delete line. Records are compared by value: 1.0 is 1, and the order of "
        + "members does not matter. Output is in the order of the keys.",
      "A tombstone in NEW deletes what OLD has; a tombstone in OLD counts as absent. A snapshot whose last line "
        + "has no line feed is refused, because lines that were cut off would look like deletions.",
      "What reads a plain record needs the same --key, --clock, --tombstone, --entity and --entity-name; of change "
        + "lines, which --changes writes, nothing has to be told.",
    ],
    settings: Settings(),
    options: deletion + [
      .flag("changes", "Write records as change lines.") { $0.changes = true },
      .flag("exit-code", "End with 1 where there are differences.") { $0.exitCode = true },
      .value("explain", "Write one line a change to FILE: which members differ, and how.") {
        $0.explain = $1
      },
    ] + inputs,
    operands: Operands("OLD NEW", count: 2...2) { $1.files = $0 },
    statuses: [.no, .badData, .noInput, .cannotCreate, .inputOutput, .configuration],
    examples: [
      .init("What has changed since yesterday's export:", "deltadiff yesterday.jsonl today.jsonl"),
      .init(
        "Ask only whether anything has:",
        "deltadiff --exit-code yesterday.jsonl today.jsonl > /dev/null || echo changed"),
    ],
    subcommands: [apply, invert, stat, pack, unpack], run: runDiff)

  private static let deletion: [Option<Settings>] = [
    .value(
      "deleted-at",
      "The time of the deletions that are found; the default is now, or a millisecond after the record's own "
        + "clock where that is later."
    ) { $0.deletedAt = $1 },
    .value("now", "The present, in place of the clock.") { $0.now = $1 },
  ]

  private static let inputs: [Option<Settings>] =
    [
      .value(
        "duplicates",
        "What the same key twice in one file does: error (the default) names both lines, last takes the last."
      ) { $0.duplicates = $1 }
    ] + Option.records + Option.badLines + Option.reading

  private static let apply = Command(
    "apply", "apply a delta to a snapshot",
    discussion: [
      "Writes the live records of BASE after the changes of DELTA, in key order: apply OLD on what deltadiff OLD "
        + "NEW wrote gives NEW. It replaces by key and looks at no clock; to merge, use lwwmerge."
    ],
    settings: Settings(),
    options: [
      .flag(
        "strict",
        "Refuse the whole delta where it deletes what BASE does not have, or changes what is newer there."
      ) { $0.strict = true }
    ] + inputs,
    operands: Operands("BASE DELTA", count: 2...2) { $1.files = $0 },
    statuses: [.badData, .noInput, .cannotCreate, .inputOutput, .configuration],
    examples: [
      .init(
        "Bring a copy to the state of today:",
        "deltadiff yesterday.jsonl today.jsonl | deltadiff apply yesterday.jsonl -")
    ],
    run: runApply)

  private static let invert = Command(
    "invert", "make the delta that takes a delta back",
    discussion: [
      "BASE is the snapshot that DELTA was made for. Applied after DELTA, the result gives BASE again."
    ],
    settings: Settings(), options: deletion + inputs,
    operands: Operands("BASE DELTA", count: 2...2) { $1.files = $0 },
    statuses: [.badData, .noInput, .cannotCreate, .inputOutput, .configuration],
    examples: [
      .init(
        "Keep the way back from today's changes:",
        "deltadiff yesterday.jsonl today.jsonl | deltadiff invert yesterday.jsonl - > undo.jsonl")
    ],
    run: runInvert)

  private static let stat = Command(
    "stat", "count the upserts and deletes of each entity",
    settings: Settings(), options: Option.records + Option.badLines + Option.reading,
    operands: .files { $1.files = $0 },
    statuses: [.badData, .noInput, .cannotCreate, .inputOutput, .configuration],
    examples: [.init("How much has changed:", "deltadiff yesterday.jsonl today.jsonl | deltadiff stat")],
    run: runStat)
}
