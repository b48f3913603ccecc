import JSONLines
import CommandLine
import SyncCore
import SystemIO
import RecordInputs

/// The two snapshots of a command in key order: source 0 and source 1.
struct SnapshotPair {
  private let changes: SortedChanges
  /// The paths of both files, or twice the path of the tagged file.
  let paths: [String]
  /// Whether duplicate keys in one snapshot are refused; they are known only after all keys were visited.
  private let refusesDuplicates: Bool

  /// The first duplicate key of each snapshot.
  ///
  /// This is not an array: allocating one is measurable at start-up.
  private struct Duplicates {
    var old: DuplicateKey?
    var new: DuplicateKey?

    mutating func find(in lines: KeyLines) {
      guard lines.indices.count > 1 else { return }
      if old == nil { old = DuplicateKey(lines, of: 0) }
      if new == nil { new = DuplicateKey(lines, of: 1) }
    }

    mutating func add(_ later: Duplicates) { (old, new) = (old ?? later.old, new ?? later.new) }
  }

  init(_ settings: DeltadiffTool.Settings, _ shape: RecordShape, _ badLines: inout BadLines) throws {
    let tagged = settings.tagged
    paths = tagged.map { [$0.path, $0.path] } ?? settings.files
    changes = try SortedChanges(
      reading: paths, shape, settings.reading, needsTermination: true, isTagged: tagged != nil,
      condensing: Delta.representatives, &badLines)
    refusesDuplicates = settings.duplicates == .error
  }

  /// The output of the keys; held back if duplicates are refused.
  var output: HeldOutput { HeldOutput(isHeld: refusesDuplicates) }

  /// Visits all keys in order; at the end throws if a key appears twice in one snapshot.
  ///
  /// An `UnreadableLine` becomes an error of its snapshot.
  func forEachKey<Piece: Sendable>(
    _ empty: Piece, _ visit: @escaping @Sendable (KeyLines, inout ChangeReader, inout Piece) throws -> Void,
    take: (Piece) throws -> Void
  ) throws {
    do {
      if !refusesDuplicates { return try changes.forEachKey(empty, visit, take: take) }
      var duplicates = Duplicates()
      try changes.forEachKey((piece: empty, duplicates: duplicates)) { lines, reader, found in
        found.duplicates.find(in: lines)
        try visit(lines, &reader, &found.piece)
      } take: { found in
        duplicates.add(found.duplicates)
        try take(found.piece)
      }
      if let duplicate = duplicates.old ?? duplicates.new { throw refusal(duplicate) }
    } catch let change as UnreadableLine {
      throw Diagnostic(change, file: paths[change.source], line: change.line)
    }
  }

  private func refusal(_ duplicate: DuplicateKey) -> Diagnostic {
    var diagnostic = Diagnostic(duplicate, in: paths[duplicate.source])
    diagnostic.hint = "use '--duplicates last' to use the last of them"
    return diagnostic
  }

  /// Whether a line of a snapshot was left out; its record may then seem to be missing.
  func hasGaps(in source: Int) -> Bool { changes.leftOut[source] > 0 }

  func hasCheckpoint(in source: Int) -> Bool { changes.checkpointsBySource[source] > 0 }

  var lines: Int { changes.lines }
  var checkpoints: Int { changes.checkpoints }
  var likelyClocks: [(file: String, clock: JSONPointer)] { changes.likelyClocks }
}
