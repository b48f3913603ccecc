import ChangeFiles
import CommandLineTool
import JSONLines
import SyncCore
import SystemIO

extension LwwmergeTool {
  static func runMerge(_ settings: Settings, on console: Console) throws -> ExitStatus {
    let shape = try settings.records.load()
    return try BadLines.collecting(
      settings.badLines, inputs: settings.files, outputs: [settings.conflicts, settings.summary], on: console
    ) { badLines in
      let drift = DriftGuard(now: settings.now ?? .wallClock, maximum: settings.maxDrift.duration)
      let files = settings.files.isEmpty ? ["-"] : settings.files
      let changes = try SortedChanges(reading: files, shape, ReadingSettings(), drift: drift, &badLines)
      var output = ByteOutput.standardOutput
      let drops = settings.dropTombstones
      try changes.forEachKey([UInt8]()) { lines, reader, piece in
        let winner = Merge.winner(of: lines, &reader)
        if lines[winner].isTombstone && drops { return }
        piece.append(lines.text(winner))
        piece.append(10)
      } take: { piece in
        try output.write(piece)
      }
      try output.flush()
      console.note(passedOver: changes.checkpoints)
      return .done
    }
  }

  /// All lines of all files, sorted.
  static func read(_ settings: Settings, _ badLines: inout BadLines) throws -> ChangeSet {
    var set = ChangeSet(try settings.records.load())
    for path in settings.files.isEmpty ? ["-"] : settings.files { try set.read(path, &badLines) }
    set.sort()
    return set
  }

  /// Lines from the future never stop a merge, whatever --on-error says.
  static func leaveOutDrifted(
    _ set: inout ChangeSet, _ settings: Settings, _ badLines: inout BadLines,
    among isMeant: (ArraySlice<UInt8>) -> Bool
  ) throws {
    let drift = DriftGuard(now: settings.now ?? .wallClock, maximum: settings.maxDrift.duration)
    let original = set
    try set.removeEntries { entry, text in
      guard !drift.admits(entry.line), isMeant(original.key(of: entry)) else { return false }
      let diagnostic = Diagnostic(
        .clockAhead, "the clock is further ahead of now than --max-drift allows",
        file: original.sources[entry.source].name, line: entry.lineNumber)
      try badLines.passOver(text, because: diagnostic)
      return true
    }
  }

  private static func report(
    _ contest: Contest, _ set: ChangeSet, _ file: inout AtomicFile?, _ summary: inout MergeSummary,
    _ console: Console
  ) throws {
    let contenders = contest.contenders
    guard !contenders.isEmpty else { return }
    summary.contested += 1
    if contest.isConflict(in: set) {
      summary.conflicts += 1
      let winner = contest.winner
      console.note(
        "\(set.sources[winner.source].name): line \(winner.lineNumber): other lines of this key differ, "
          + "though its entity is append-only")
    }
    guard file != nil else { return }
    var bytes: [UInt8] = []
    contest.append(contenders, in: set, to: &bytes)
    try file?.write(bytes.span)
  }
}
