import CommandLineTool
import SyncCore
import SystemIO

/// The command line of `lwwmerge`.
enum LwwmergeTool {
  struct Settings: BadLineConfigurable, RecordShapeConfigurable {
    var shape = RecordShape()
    var dropTombstones = false
    var badLines = BadLineSettings()
    var files: [String] = []
  }

  static let command = Command(
    "lwwmerge", "merge change lines, the last write of each key winning",
    discussion: [
      "Of all lines with the same key one is written, byte for byte: the one with the later clock, then a "
        + "tombstone before an upsert, then the higher version, then the larger canonical content, then the "
        + "larger bytes. Output is in the order of the keys, so that any order of inputs gives the same bytes.",
      "A line is a change line, with entityName and identity, or a plain record with an id. Checkpoint lines are "
        + "passed over.",
    ],
    settings: Settings(),
    options: [
      .flag(
        "drop-tombstones", \.dropTombstones,
        "Leave deletions out of the output: for reading, never for syncing.")
    ] + Option.recordShape + Option.badLines,
    operands: Operands("[FILE...]", \.files, count: 0...Int.max),
    statuses: [.badData, .noInput, .cannotCreate, .inputOutput],
    examples: [
      .init("Merge what two devices have:", "lwwmerge phone.jsonl laptop.jsonl"),
      .init(
        "Bring a copy up to date with what has changed elsewhere:",
        "deltadiff phone.jsonl laptop.jsonl | lwwmerge --drop-tombstones phone.jsonl -"),
    ],
    run: run)

  static func run(_ settings: Settings, on console: Console) throws -> ExitStatus {
    try settings.shape.check()
    var badLines = try BadLines(settings.badLines, on: console)
    var set = ChangeSet(settings.shape)
    for path in settings.files.isEmpty ? ["-"] : settings.files { try set.read(path, &badLines) }
    var output = ByteOutput.standardOutput
    for entry in Merge.winners(of: &set) where !(settings.dropTombstones && entry.line.isTombstone) {
      try output.write(line: set.sources[entry.source].bytes, entry.range)
    }
    try output.flush()
    console.note(passedOver: set.checkpoints)
    return try badLines.finish()
  }
}
