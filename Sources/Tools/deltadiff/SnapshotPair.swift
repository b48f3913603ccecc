import ChangeFiles
import CommandLineTool
import SyncCore
import SystemIO

/// The two operands of a command in key order: source 0 and source 1.
struct SnapshotPair {
  private let changes: SortedChanges
  private let paths: [String]
  /// Whether a key that stands twice in one of them is refused, which is known only after all keys have been visited.
  private let refusesDuplicates: Bool

  init(_ settings: DeltadiffTool.Settings, _ shape: RecordShape, _ badLines: inout BadLines) throws {
    if settings.files == ["-", "-"] { throw UsageError.conflict("both files cannot be standard input") }
    changes = try SortedChanges(
      reading: settings.files, shape, settings.reading, needsTermination: true,
      condensing: Delta.representatives, &badLines)
    paths = settings.files
    refusesDuplicates = settings.duplicates == .error
  }

  /// What is to be written of the keys: nothing, where one stands twice.
  var output: HeldOutput { HeldOutput(isHeld: refusesDuplicates) }

  /// Visits all keys in order, and throws in the end where one stands twice in the first snapshot, or in the second.
  func forEachKey<Piece: Sendable>(
    _ empty: Piece, _ visit: @escaping @Sendable (KeyLines, inout ChangeReader, inout Piece) throws -> Void,
    take: (Piece) throws -> Void
  ) throws {
    if !refusesDuplicates { return try changes.forEachKey(empty, visit, take: take) }
    var duplicates = [Delta.Duplicate?](repeating: nil, count: paths.count)
    try changes.forEachKey((piece: empty, duplicates: duplicates)) { lines, reader, found in
      if lines.indices.count > 1 {
        for source in found.duplicates.indices where found.duplicates[source] == nil {
          found.duplicates[source] = Delta.Duplicate(lines, of: source)
        }
      }
      try visit(lines, &reader, &found.piece)
    } take: { found in
      for (source, duplicate) in found.duplicates.enumerated() {
        duplicates[source] = duplicates[source] ?? duplicate
      }
      try take(found.piece)
    }
    for duplicate in duplicates { if let duplicate { throw refusal(duplicate) } }
  }

  private func refusal(_ duplicate: Delta.Duplicate) -> Diagnostic {
    var diagnostic = Diagnostic(duplicate, in: paths[duplicate.source])
    diagnostic.hint = "--duplicates last takes the last of them"
    return diagnostic
  }

  /// Whether a line of the second was left out, which may be the one that then seems to be missing.
  var hasGaps: Bool { changes.leftOut[1] > 0 }

  var checkpoints: Int { changes.checkpoints }
}
