import CommandLine
import JSONLines
import SyncCore
import SystemIO
import ToolInputs

extension LwwmergeTool {
  /// What a range of keys comes to.
  private struct Piece: Sendable {
    var lines: [UInt8] = []
    var conflicts: [UInt8] = []
    var notes: [String] = []
    var summary = MergeSummary()
  }

  static func runMerge(_ settings: Settings, on console: Console) throws -> ExitStatus {
    let shape = try settings.records.load()
    return try BadLines.collecting(
      settings, inputs: settings.files, outputs: (settings.conflicts, settings.summary), on: console
    ) { badLines in
      let changes = try SortedChanges(
        reading: settings.inputs, shape, settings.reading, drift: settings.drift,
        condensing: settings.conflicts == nil ? Merge.representatives : nil, &badLines)
      console.note(changes.likelyClocks)
      let conflicts = try settings.conflicts.map { file in try AtomicFile(creating: file.path) }
      let summaryFile = try settings.summary.map { file in try AtomicFile(creating: file.path) }
      var output = ByteOutput.standardOutput
      var summary = MergeSummary()
      try changes.forEachKey(Piece()) { lines, reader, piece in
        merge(lines, settings, &reader, into: &piece)
      } take: { piece in
        try output.write(piece.lines)
        try conflicts?.write(piece.conflicts.span)
        for note in piece.notes { console.note(note) }
        summary.add(piece.summary)
      }
      try output.flush()
      summary.lines = changes.lines
      summary.checkpoints = changes.checkpoints
      summary.leftOut = badLines.count
      try conflicts?.commit()
      try summaryFile?.write(Array("\(summary.text)\n".utf8).span)
      try summaryFile?.commit()
      console.note(passedOver: changes.checkpoints)
      return .done
    }
  }

  private static func merge(
    _ lines: KeyLines, _ settings: Settings, _ reader: inout ChangeReader, into piece: inout Piece
  ) {
    let outcome = Merge.outcome(of: lines, &reader)
    let winner = outcome.winner
    piece.summary.keys += 1
    if lines[winner].isTombstone { piece.summary.tombstones += 1 }
    if outcome.isContested {
      piece.summary.contested += 1
      if settings.conflicts != nil || lines[winner].flags.contains(.appendOnly) {
        report(Contest(lines, &reader), settings, into: &piece)
      }
    }
    if lines[winner].isTombstone && settings.dropTombstones { return }
    piece.lines.append(lines.text(winner))
    piece.lines.append(10)
  }

  private static func report(_ contest: Contest, _ settings: Settings, into piece: inout Piece) {
    if contest.isConflict {
      piece.summary.conflicts += 1
      piece.notes.append(
        "\(settings.inputs[contest.source]): line \(contest.lineNumber): other lines of this key differ, "
          + "though its entity is append-only")
    }
    if settings.conflicts != nil {
      contest.append(contest.contenders, settings.inputs, to: &piece.conflicts)
    }
  }
}
