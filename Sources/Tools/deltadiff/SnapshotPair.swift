import CommandLineTool
import SyncCore
import SystemIO

/// The two operands of a command, read and sorted.
struct SnapshotPair {
  private(set) var first: ChangeSet
  private(set) var second: ChangeSet
  private(set) var firstEntries: [ChangeSet.Entry] = []
  private(set) var secondEntries: [ChangeSet.Entry] = []
  /// Whether a line of the second was left out, which may be the one that then seems to be missing.
  private(set) var hasGaps = false

  init(_ settings: DeltadiffTool.Settings, _ shape: RecordShape, _ badLines: inout BadLines) throws {
    if settings.files == ["-", "-"] { throw UsageError.conflict("both files cannot be standard input") }
    (first, second) = (ChangeSet(shape), ChangeSet(shape))
    firstEntries = try Self.read(settings.files[0], into: &first, settings, &badLines)
    let count = badLines.count
    secondEntries = try Self.read(settings.files[1], into: &second, settings, &badLines)
    hasGaps = badLines.count > count
  }

  var checkpoints: Int { first.checkpoints + second.checkpoints }

  func walk(_ body: (ChangeSet.Entry?, ChangeSet.Entry?) throws -> Void) rethrows {
    try Delta.walk(firstEntries, in: first, secondEntries, in: second, body)
  }

  private static func read(
    _ path: String, into set: inout ChangeSet, _ settings: DeltadiffTool.Settings, _ badLines: inout BadLines
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
}
