import CommandLineTool
import SyncCore
import SystemIO

extension DeltadiffTool {
  static func run(_ settings: Settings, on console: Console) throws -> ExitStatus {
    let shape = try settings.records.load()
    if settings.files == ["-", "-"] {
      throw UsageError.conflict("OLD and NEW cannot both be standard input")
    }
    var badLines = try BadLines(settings.badLines, on: console)
    var (old, new) = (ChangeSet(shape), ChangeSet(shape))
    let oldEntries = try entries(&old, settings.files[0], settings, &badLines)
    let badInOld = badLines.count
    let newEntries = try entries(&new, settings.files[1], settings, &badLines)
    var writer = Writer(settings, shape, deletions: badLines.count == badInOld)
    try Delta.compare(oldEntries, in: old, newEntries, in: new) { change in try writer.write(change, old, new)
    }
    try writer.output.flush()
    console.note(passedOver: old.checkpoints + new.checkpoints)
    if writer.withheld > 0 {
      let message = "\(writer.withheld) deletions left out: the bad lines may be what is missing"
      console.report(Diagnostic(.partialRun, message, file: settings.files[1]))
    }
    return try badLines.finish(settings.exitCode && writer.count > 0 ? .no : .done)
  }

  private static func entries(
    _ set: inout ChangeSet, _ path: String, _ settings: Settings, _ badLines: inout BadLines
  ) throws -> [ChangeSet.Entry] {
    try set.read(path, &badLines)
    if let last = set.sources[0].bytes.last, last != 10 {
      throw Diagnostic(
        .unterminatedLine, "the last line has no line feed", file: path, offset: set.sources[0].bytes.count,
        hint: "if the file is whole, end it with a line feed")
    }
    do throws(Delta.Duplicate) {
      return try Delta.live(&set, allowingDuplicates: settings.duplicates == .last)
    } catch {
      throw Diagnostic(
        .duplicateKey, "the same key as line \(error.firstLine)", file: path, line: error.secondLine,
        hint: "--duplicates last takes the last of them")
    }
  }

  /// Writes differences, and counts them.
  private struct Writer: ~Copyable {
    var output = ByteOutput.standardOutput
    private(set) var count = 0
    /// Deletions that were not written because a line that could not be read may be the one that is missing.
    private(set) var withheld = 0
    private let delta: Delta
    private var reader: LineReader
    private let writesDeletions: Bool

    init(_ settings: Settings, _ shape: RecordShape, deletions: Bool) {
      let time = settings.deletedAt.map(Delta.DeletionTime.at) ?? .now(settings.now ?? .wallClock)
      delta = Delta(deletionTime: time)
      reader = LineReader(shape)
      writesDeletions = deletions
    }

    mutating func write(_ change: Delta.Change, _ old: ChangeSet, _ new: ChangeSet) throws {
      switch change {
      case .new(let entry):
        try output.write(line: new.sources[entry.source].bytes, entry.range)
      case .gone(let entry):
        guard writesDeletions else { return withheld += 1 }
        try delta.appendDelete(entry, of: old, &reader, to: &output.buffer)
        try output.flushIfFull()
      }
      count += 1
    }
  }
}
