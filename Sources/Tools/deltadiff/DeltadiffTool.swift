import CommandLine
import CommonInputs
import SyncCore
import RecordInputs

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
    var summary: FilePath?
    var tagged: FilePath?
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
    "deltadiff", "write the changes that turn one snapshot into another",
    discussion: [
      "For each new or changed key, deltadiff writes the line of NEW, byte for byte. For each key that only "
        + "OLD has, it writes a delete line. Records are compared by value: 1.0 equals 1, and the order of "
        + "members does not matter. The output is in key order.",
      "A tombstone in NEW deletes the record of OLD; a tombstone in OLD counts as an absent record. "
        + "deltadiff refuses a snapshot whose last line lacks a line feed, because lines missing from a "
        + "truncated file would look like deletions.",
      "To read plain records in the output, other tools need the same --key, --clock, --tombstone, --entity "
        + "and --entity-name. Change lines, which --changes writes, do not need these options. In them, a "
        + "tombstone of NEW without a clock gets the time of deletions.",
      "With --tagged, the snapshots come from one input, in any order. A line is '-', a tab and a line of "
        + "OLD, or '+', a tab and a line of NEW. An engine that distributes the keys over machines can pass the "
        + "records of each part in this form. Errors name the lines of the input, and count bytes after the tab. "
        + "A line without a tag ends the run, even with --on-error skip, because its snapshot is unknown.",
    ],
    settings: Settings(),
    options: deletion + [
      .flag("changes", "Write records as change lines.") { $0.changes = true },
      .flag("exit-code", "Exit with 1 if there are differences.") { $0.exitCode = true },
      .value("explain", "Write one line per change to FILE: the members that differ, and how.") {
        $0.explain = $1
      },
      .value(
        "summary",
        "Write the counts of lines, upserts and deletes to FILE as one object. A failed run does not change "
          + "FILE."
      ) {
        $0.summary = $1
      },
      .value("tagged", "Read both snapshots from FILE, in place of OLD and NEW; - is standard input.") {
        $0.tagged = $1
      },
    ] + inputs,
    operands: Operands("[OLD NEW]", count: 0...2) { $1.files = $0 },
    statuses: [.no, .badData, .noInput, .cannotCreate, .inputOutput, .configuration],
    examples: [
      .init("Write the changes since yesterday's export:", "deltadiff yesterday.jsonl today.jsonl"),
      .init(
        "Check for changes:",
        "deltadiff --exit-code yesterday.jsonl today.jsonl > /dev/null || echo changed"),
    ],
    subcommands: [apply, invert, stat, pack, unpack], run: runDiff)

  private static let deletion: [Option<Settings>] = [
    .value(
      "deleted-at",
      "Use TIME as the time of deletions (default: now, or a millisecond after the record's own clock if "
        + "that is later)."
    ) { $0.deletedAt = $1 },
    .value("now", "Use TIME as the current time.") { $0.now = $1 },
  ]

  private static let inputs: [Option<Settings>] =
    [
      .value(
        "duplicates",
        "If a file has a duplicate key, fail with an error that names both lines, or use the last line "
          + "(default: error)."
      ) { $0.duplicates = $1 }
    ] + Option.records + Option.badLines + Option.reading

  private static let apply = Command(
    "apply", "apply a delta to a snapshot",
    discussion: [
      "apply writes the live records of BASE after the changes of DELTA, in key order. Applied to OLD, the "
        + "output of deltadiff OLD NEW gives NEW. apply replaces records by key and ignores clocks; to "
        + "merge, use lwwmerge."
    ],
    settings: Settings(),
    options: [
      .flag(
        "strict",
        "Refuse the whole delta if it deletes a record that BASE does not have, or changes one that is newer "
          + "in BASE."
      ) { $0.strict = true }
    ] + inputs,
    operands: Operands("BASE DELTA", count: 2...2) { $1.files = $0 },
    statuses: [.badData, .noInput, .cannotCreate, .inputOutput, .configuration],
    examples: [
      .init(
        "Bring a copy up to date:",
        "deltadiff yesterday.jsonl today.jsonl | deltadiff apply yesterday.jsonl -")
    ],
    run: runApply)

  private static let invert = Command(
    "invert", "make the delta that undoes a delta",
    discussion: [
      "BASE is the snapshot that DELTA was made for. Applying DELTA and then the output gives BASE again. If "
        + "a line of BASE was left out, invert does not write delete lines."
    ],
    settings: Settings(), options: deletion + inputs,
    operands: Operands("BASE DELTA", count: 2...2) { $1.files = $0 },
    statuses: [.badData, .noInput, .cannotCreate, .inputOutput, .configuration],
    examples: [
      .init(
        "Write a delta that undoes today's changes:",
        "deltadiff yesterday.jsonl today.jsonl | deltadiff invert yesterday.jsonl - > undo.jsonl")
    ],
    run: runInvert)

  private static let stat = Command(
    "stat", "count the upserts and deletes of each entity",
    settings: Settings(), options: Option.records + Option.badLines + Option.reading,
    operands: .files { $1.files = $0 },
    statuses: [.badData, .noInput, .cannotCreate, .inputOutput, .configuration],
    examples: [.init("Count the changes:", "deltadiff yesterday.jsonl today.jsonl | deltadiff stat")],
    run: runStat)
}
