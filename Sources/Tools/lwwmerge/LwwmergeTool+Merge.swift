import CommandLine
import JSONLines
import SyncCore
import SystemIO
import RecordInputs

extension LwwmergeTool {
  /// The output of one range of keys.
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
        reading: settings.files, shape, settings.reading, drift: settings.drift,
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
      try summaryFile?.write(Array("\(summary.text)\n".utf8).span)
      try badLines.save()
      try conflicts?.commit()
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
        "\(settings.files[contest.source]): line \(contest.lineNumber): other lines of this key differ, "
          + "though its entity is append-only")
    }
    if settings.conflicts != nil {
      contest.append(contest.contenders, settings.files, to: &piece.conflicts)
    }
  }

  static func runExplain(_ settings: Settings, on console: Console) throws -> ExitStatus {
    guard let identity = settings.identity else { throw UsageError.conflict("explain needs --identity") }
    let wanted = IdentityPattern(identity, entity: settings.only)
    let shape = try settings.records.load()
    return try BadLines.collecting(settings, inputs: settings.files, on: console) { badLines in
      let changes = try SortedChanges(reading: settings.files, shape, settings.reading, &badLines)
      console.note(changes.likelyClocks)
      var reader = ChangeReader(shape)
      var output = ByteOutput.standardOutput
      var (isLeftOut, isFound) = (false, false)
      try changes.forEachKey([KeyLines]()) { lines, reader, found in
        if wanted.matches(reader.key(of: lines.text(0))[...]) { found.append(lines) }
      } take: { found in
        for lines in found {
          let admitted = try leaveOutDrifted(lines, settings, &reader, &badLines)
          if admitted.indices.count < lines.indices.count { isLeftOut = true }
          guard !admitted.indices.isEmpty else { continue }
          isFound = true
          let contest = Contest(admitted, &reader)
          if settings.json {
            contest.append(contest.losers, settings.files, to: &output.buffer)
          } else {
            output.buffer += Array(contest.explanation(settings.files).utf8)
          }
        }
      }
      try output.flush()
      console.note(passedOver: changes.checkpoints)
      if !isFound, !isLeftOut { console.note("no line with the identity '\(identity)'") }
      return isFound ? .done : .no
    }
  }

  /// Returns the lines with clocks that are not in the future; reports the other lines, regardless of
  /// `--on-error`.
  private static func leaveOutDrifted(
    _ lines: KeyLines, _ settings: Settings, _ reader: inout ChangeReader, _ badLines: inout BadLines
  ) throws -> KeyLines {
    let drift = settings.drift
    return try lines.filter { index in
      guard !drift.admits(reader.change(lines.text(index))) else { return true }
      let (file, line) = (settings.files[lines.source(index)], lines.lineNumber(index))
      try badLines.passOver(
        lines.text(index), because: Diagnostic(BlockReader.Reason.clockAhead, file: file, line: line))
      return false
    }
  }
}
