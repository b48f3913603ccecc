import CommandLineTool
import SyncCore
import SystemIO

extension LwwmergeTool {
  static func runMerge(_ settings: Settings, on console: Console) throws -> ExitStatus {
    try BadLines.collecting(
      settings.badLines, inputs: settings.files, outputs: (settings.conflicts, settings.summary), on: console
    ) { badLines in
      var set = try read(settings, &badLines)
      var summary = MergeSummary()
      summary.lines = set.entries.count + badLines.count
      summary.checkpoints = set.checkpoints
      try leaveOutDrifted(&set, settings, &badLines) { _ in true }
      summary.leftOut = badLines.count
      var conflicts = try settings.conflicts.map { file in try AtomicFile(creating: file.path) }
      let summaryFile = try settings.summary.map { file in try AtomicFile(creating: file.path) }
      var output = ByteOutput.standardOutput
      try Merge.forEachKey(in: set) { lines, winner in
        summary.keys += 1
        if winner.line.isTombstone { summary.tombstones += 1 }
        if lines.count > 1 {
          try report(Contest(lines, winner: winner, in: set), set, &conflicts, &summary, console)
        }
        if winner.line.isTombstone && settings.dropTombstones { return }
        try output.write(line: set.sources[winner.source].bytes, winner.range)
      }
      try output.flush()
      try conflicts?.commit()
      try summaryFile?.write(Array("\(summary.text)\n".utf8).span)
      try summaryFile?.commit()
      console.note(passedOver: set.checkpoints)
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
