import ChangeFiles
import CommandLineTool
import SyncCore

/// The two operands of a command in key order: source 0 and source 1.
struct SnapshotPair {
  let changes: SortedChanges

  /// Reads both, and refuses a key that stands twice in one of them before anything is written.
  init(_ settings: DeltadiffTool.Settings, _ shape: RecordShape, _ badLines: inout BadLines) throws {
    if settings.files == ["-", "-"] { throw UsageError.conflict("both files cannot be standard input") }
    changes = try SortedChanges(
      reading: settings.files, shape, settings.reading, needsTermination: true,
      condensing: Delta.representatives, &badLines)
    if settings.duplicates == .last { return }
    for (source, path) in settings.files.enumerated() {
      try changes.forEachKey(
        source: source, Delta.Duplicate?.none
      ) { lines, _, duplicate in
        duplicate = duplicate ?? Delta.Duplicate(lines)
      } take: { duplicate in
        guard let duplicate else { return }
        var diagnostic = Diagnostic(duplicate, in: path)
        diagnostic.hint = "--duplicates last takes the last of them"
        throw diagnostic
      }
    }
  }

  /// Whether a line of the second was left out, which may be the one that then seems to be missing.
  var hasGaps: Bool { changes.leftOut[1] > 0 }

  var checkpoints: Int { changes.checkpoints }
}
