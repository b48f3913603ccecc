import CommandLine
import JSONLines
import SyncCore
import SystemIO
import RecordInputs

extension DeltadiffTool {
  static func runDiff(_ settings: Settings, on console: Console) throws -> ExitStatus {
    try checkOperands(settings)
    let shape = try settings.records.load()
    let inputs = settings.tagged.map { [$0.path] } ?? settings.files
    return try BadLines.collecting(
      settings, inputs: inputs, outputs: (settings.explain, settings.summary), on: console
    ) { badLines in
      let pair = try SnapshotPair(settings, shape, &badLines)
      if settings.tagged == nil { try refuseEmptyStream(1, of: pair) }
      let delta = Delta(deletionTime: settings.deletionTime, wrappingRecords: settings.changes)
      let (hasGaps, explains) = (pair.hasGaps(in: 1), settings.explain != nil)
      let explanation = try settings.explain.map { file in try AtomicFile(creating: file.path) }
      let summaryFile = try settings.summary.map { file in try AtomicFile(creating: file.path) }
      var lines = pair.output
      var explanations = pair.output
      var output = ByteOutput.standardOutput
      var summary = DeltaSummary()
      var signs = DeltaSigns(inSnapshot: 1)
      try pair.forEachKey((delta: DeltaPiece(), signs: signs, summary: summary)) { lines, reader, piece in
        piece.signs.count(lines, &reader)
        let changes = piece.delta.changes
        try piece.delta.add(lines, &reader, by: delta, explaining: explains, withholdingDeletions: hasGaps)
        if piece.delta.changes > changes { piece.summary.addChange(lines) }
      } take: { found in
        let piece = found.delta
        signs.add(found.signs)
        try lines.append(piece.lines) { try output.write($0) }
        try explanations.append(piece.explanations) { try explanation?.write($0) }
        summary.add(found.summary)
        summary.same += piece.same
        summary.withheld += piece.withheld
      }
      try lines.release { try output.write($0) }
      try output.flush()
      try explanations.release { try explanation?.write($0) }
      (summary.lines, summary.checkpoints, summary.leftOut) = (pair.lines, pair.checkpoints, badLines.count)
      try summaryFile?.write(Array("\(summary.value.text)\n".utf8).span)
      try badLines.save()
      try explanation?.commit()
      try summaryFile?.commit()
      report(signs, summary, of: pair, on: console)
      return settings.exitCode && summary.upserts + summary.deletes > 0 ? .no : .done
    }
  }

  /// Throws if a snapshot is a stream without records, as after a command that failed, and the other operand
  /// has records.
  ///
  /// An empty file or /dev/null is accepted as intended. `isSameFile` is true only for a regular file.
  private static func refuseEmptyStream(_ source: Int, of pair: SnapshotPair) throws {
    let path = pair.paths[source]
    let stream = path == "-" ? "/dev/stdin" : path
    // A checkpoint shows that the command has not failed.
    guard pair.lines > 0, !pair.hasCheckpoint(in: source), !pair.hasGaps(in: source),
      !FileMode.isSameFile(stream, stream), FileMode.resolved(stream) != "/dev/null",
      try !has(pair, { $0.last(of: source) != nil }),
      try has(pair, { lines in lines.last(of: 1 - source).map { !lines[$0].isTombstone } ?? false })
    else { return }
    let isBase = source == 0
    throw Diagnostic(
      .notASnapshot,
      isBase
        ? "the base is empty, as after a command that failed; nothing was written"
        : "the input is empty, as after a command that failed; no deletions were written",
      file: path,
      hint: isBase
        ? "if the base has no records, name an empty file, such as /dev/null"
        : "if all records were deleted, name an empty file, such as /dev/null")
  }

  /// Whether the lines of a key fulfil a condition; visits the keys only up to the first one.
  private static func has(_ pair: SnapshotPair, _ condition: @escaping @Sendable (KeyLines) -> Bool) throws
    -> Bool
  {
    struct Found: Error {}
    do {
      try pair.forEachKey(false) { lines, _, isFound in
        isFound = isFound || condition(lines)
      } take: { isFound in
        if isFound { throw Found() }
      }
    } catch is Found {
      return true
    }
    return false
  }

  private static func report(
    _ signs: DeltaSigns, _ summary: DeltaSummary, of pair: SnapshotPair, on console: Console
  ) {
    console.note(passedOver: pair.checkpoints)
    console.note(pair.likelyClocks)
    if signs.haveDeletes, signs.isPartial, summary.same == 0 {
      console.note(
        "'\(pair.paths[1])' looks like a delta: it has delete lines and lacks other records",
        hint: "'deltadiff apply' makes a snapshot from it")
    }
    let input = pair.paths[1] == "-" ? "/dev/stdin" : pair.paths[1]
    if summary.deletes > 0, FileMode.isSameFile(input, input), FileMode.size(of: input) == 0 {
      console.note(
        "'\(pair.paths[1])' has no records, so the delta deletes all records: \(summary.deletes)",
        hint: "do not apply the delta if the file was emptied by mistake")
    }
    console.report(withheldDeletions: summary.withheld, in: pair.paths[1])
  }

  private static func checkOperands(_ settings: Settings) throws(UsageError) {
    guard settings.tagged != nil else {
      return switch settings.files.count {
      case 0: throw .missingOperand("OLD")
      case 1: throw .missingOperand("NEW")
      default: ()
      }
    }
    if let file = settings.files.first { throw .extraOperand(file) }
    if settings.badLines.rejects != nil {
      throw .conflict("--rejects cannot be used with --tagged: lines would lose their tags")
    }
    if !settings.reading.maps {
      throw .conflict("--no-mmap has no effect with --tagged, which does not map files")
    }
  }

  static func runInvert(_ settings: Settings, on console: Console) throws -> ExitStatus {
    let delta = Delta(deletionTime: settings.deletionTime)
    return try write(settings, console) { lines, reader, hasGaps, output in
      guard let back = Delta.inverse(lines, &reader) else { return }
      if hasGaps, case .delete = back { return output.withheld += 1 }
      try delta.append(back, lines, &reader, to: &output.bytes)
    }
  }

  /// The output for a range of keys.
  struct Written: Sendable {
    var bytes: [UInt8] = []
    /// The number of deletions that the lines that were left out may explain.
    var withheld = 0
  }

  /// Reads both operands and writes the output of `visit` for each key; its `Bool` is true if a line of the first
  /// operand was left out.
  static func write(
    _ settings: Settings, _ console: Console,
    unless refuse: (SnapshotPair) throws -> ExitStatus? = { _ in nil },
    _ visit: @escaping @Sendable (KeyLines, inout ChangeReader, Bool, inout Written) throws -> Void
  ) throws -> ExitStatus {
    let shape = try settings.records.load()
    return try BadLines.collecting(settings, inputs: settings.files, on: console) { badLines in
      let pair = try SnapshotPair(settings, shape, &badLines)
      try refuseEmptyStream(0, of: pair)
      if let status = try refuse(pair) { return status }
      var lines = pair.output
      var output = ByteOutput.standardOutput
      var (signs, withheld) = (DeltaSigns(inSnapshot: 0), 0)
      let hasGaps = pair.hasGaps(in: 0)
      try pair.forEachKey((output: Written(), signs: signs)) { lines, reader, piece in
        piece.signs.count(lines, &reader)
        try visit(lines, &reader, hasGaps, &piece.output)
      } take: { piece in
        signs.add(piece.signs)
        withheld += piece.output.withheld
        try lines.append(piece.output.bytes) { try output.write($0) }
      }
      try lines.release { try output.write($0) }
      try output.flush()
      console.note(passedOver: pair.checkpoints)
      let (first, second) = (settings.files[0], settings.files[1])
      let sign: String? =
        signs.haveDeletes
        ? "'\(first)' has delete lines and '\(second)' does not"
        : signs.areLater
          ? "all records of '\(first)' are later than those of '\(second)', which has more records" : nil
      if let sign { console.note("the operands may be swapped, because \(sign): the snapshot must be first") }
      console.report(withheldDeletions: withheld, in: first)
      return .done
    }
  }

  static func runApply(_ settings: Settings, on console: Console) throws -> ExitStatus {
    try write(settings, console, unless: { try conflicts($0, settings, console) }) { lines, _, _, output in
      guard let result = Delta.result(lines) else { return }
      output.bytes.append(lines.text(result))
      output.bytes.append(10)
    }
  }

  /// Reports the conflicts that --strict refuses; nil without conflicts.
  private static func conflicts(
    _ pair: SnapshotPair, _ settings: Settings, _ console: Console
  ) throws -> ExitStatus? {
    guard settings.strict else { return nil }
    try pair.forEachKey(()) { _, _, _ in
    } take: { _ in
    }
    var status: ExitStatus?
    try pair.forEachKey([Diagnostic]()) { lines, reader, found in
      guard let conflict = Delta.conflict(lines, &reader), let change = lines.last(of: 1) else { return }
      let code: ErrorCode = conflict == .deleteOfAbsent ? .deleteOfAbsent : .newerInBase
      let key = String(decoding: reader.key(of: lines.text(change)), as: UTF8.self)
      found.append(
        Diagnostic(
          code, "\(key): \(conflict.message)", file: settings.files[1], line: lines.lineNumber(change)))
    } take: { found in
      for diagnostic in found { status = console.report(diagnostic) }
    }
    return status
  }

  static func runStat(_ settings: Settings, on console: Console) throws -> ExitStatus {
    let shape = try settings.records.load()
    return try BadLines.collecting(settings, inputs: settings.files, on: console) { badLines in
      var statistics = DeltaStatistics()
      try SortedChanges.forEachBlock(of: settings.files, shape, settings.reading, &badLines) {
        block, report in
        statistics.add(block, report)
      }
      try Descriptor.standardOutput.write(line: statistics.value)
      return .done
    }
  }
}
