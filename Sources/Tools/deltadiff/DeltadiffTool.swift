import CommandLineTool
import SyncCore
import SystemIO

/// The command line of `deltadiff`.
enum DeltadiffTool {
  struct Settings: BadLineConfigurable, RecordShapeConfigurable {
    var shape = RecordShape()
    var now: Instant?
    var deletedAt: Instant?
    var duplicates = Duplicates.error
    var exitCode = false
    var badLines = BadLineSettings()
    var files: [String] = []
  }

  /// What two lines of one snapshot with the same key mean.
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
    ],
    settings: Settings(),
    options: [
      .value(
        "deleted-at", \.deletedAt,
        "The time of the deletions that are found; the default is now, or a millisecond after the record's own "
          + "clock where that is later."),
      .value("now", \.now, "The present, in place of the clock."),
      .value(
        "duplicates", \.duplicates,
        "What the same key twice in one snapshot does: error (the default) names both lines, last takes the last."
      ),
      .flag("exit-code", \.exitCode, "End with 1 where there are differences."),
    ] + Option.recordShape + Option.badLines,
    operands: Operands("OLD NEW", \.files, count: 2...2),
    statuses: [.no, .badData, .noInput, .cannotCreate, .inputOutput],
    examples: [
      .init("What has changed since yesterday's export:", "deltadiff yesterday.jsonl today.jsonl"),
      .init(
        "Ask only whether anything has:",
        "deltadiff --exit-code yesterday.jsonl today.jsonl > /dev/null || echo changed"),
    ],
    subcommands: [pack, unpack],
    run: run)
}
