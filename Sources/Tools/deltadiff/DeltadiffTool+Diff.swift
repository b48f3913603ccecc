import CommandLine
import JSONLines
import SyncCore
import SystemIO
import ToolInputs

extension DeltadiffTool {
  /// What a range of keys comes to.
  private struct Piece: Sendable {
    var lines: [UInt8] = []
    var explanations: [UInt8] = []
    var changes = 0
    /// Deletions that may be no more than the lines that were left out.
    var withheld = 0
  }

  static func runDiff(_ settings: Settings, on console: Console) throws -> ExitStatus {
    let shape = try settings.records.load()
    return try BadLines.collecting(
      settings, inputs: settings.files, outputs: (settings.explain, nil), on: console
    ) { badLines in
      let pair = try SnapshotPair(settings, shape, &badLines)
      let delta = Delta(deletionTime: settings.deletionTime, wrappingRecords: settings.changes)
      let hasGaps = pair.hasGaps
      let explanation = try settings.explain.map { file in try AtomicFile(creating: file.path) }
      var lines = pair.output
      var explanations = pair.output
      var output = ByteOutput.standardOutput
      var (changes, withheld) = (0, 0)
      try pair.forEachKey(Piece()) { lines, reader, piece in
        guard let change = Delta.difference(lines, &reader) else { return }
        if hasGaps, case .delete = change { return piece.withheld += 1 }
        piece.changes += 1
        delta.append(change, lines, &reader, to: &piece.lines)
        if settings.explain != nil { try explain(change, lines, &reader, to: &piece.explanations) }
      } take: { piece in
        try lines.append(piece.lines) { try output.write($0) }
        try explanations.append(piece.explanations) { try explanation?.write($0) }
        changes += piece.changes
        withheld += piece.withheld
      }
      try lines.release { try output.write($0) }
      try output.flush()
      try explanations.release { try explanation?.write($0) }
      try explanation?.commit()
      console.note(passedOver: pair.checkpoints)
      console.note(pair.likelyClocks)
      if withheld > 0 {
        let message = "deletions left out: \(withheld); the bad lines may be what is missing"
        console.report(Diagnostic(.partialRun, message, file: settings.files[1]))
      }
      return settings.exitCode && changes > 0 ? .no : .done
    }
  }

  static func runInvert(_ settings: Settings, on console: Console) throws -> ExitStatus {
    let delta = Delta(deletionTime: settings.deletionTime)
    return try write(settings, console) { lines, reader, bytes in
      guard let back = Delta.inverse(lines, &reader) else { return }
      delta.append(back, lines, &reader, to: &bytes)
    }
  }

  /// Reads both operands and writes what `visit` makes of each key.
  static func write(
    _ settings: Settings, _ console: Console,
    unless refuse: (SnapshotPair) throws -> ExitStatus? = { _ in nil },
    _ visit: @escaping @Sendable (KeyLines, inout ChangeReader, inout [UInt8]) -> Void
  ) throws -> ExitStatus {
    let shape = try settings.records.load()
    return try BadLines.collecting(settings, inputs: settings.files, on: console) { badLines in
      let pair = try SnapshotPair(settings, shape, &badLines)
      if let status = try refuse(pair) { return status }
      var lines = pair.output
      var output = ByteOutput.standardOutput
      var sides = DeleteLines()
      try pair.forEachKey((bytes: [UInt8](), deletes: DeleteLines())) { lines, reader, piece in
        piece.deletes.count(lines, &reader)
        visit(lines, &reader, &piece.bytes)
      } take: { piece in
        sides.add(piece.deletes)
        try lines.append(piece.bytes) { try output.write($0) }
      }
      try lines.release { try output.write($0) }
      try output.flush()
      console.note(passedOver: pair.checkpoints)
      if sides.areSwapped {
        console.note(
          "'\(settings.files[0])' has delete lines and '\(settings.files[1])' has none: is it the delta? "
            + "the snapshot comes first")
      }
      return .done
    }
  }

  /// Which members differ: `{"key":…,"change":"update","members":[…]}`.
  private static func explain(
    _ change: Delta.Change, _ lines: KeyLines, _ reader: inout ChangeReader, to bytes: inout [UInt8]
  ) throws {
    var kind = "delete"
    var differences: [MemberChange] = []
    if case .line(let new, let replaced) = change, !lines[new].isTombstone {
      kind = replaced == nil ? "insert" : "update"
      if let replaced {
        differences = MemberChange.list(
          from: try JSONValue(parsing: lines.text(replaced)), to: try JSONValue(parsing: lines.text(new)))
      }
    }
    bytes += Array("{\"key\":".utf8) + reader.key(of: lines.text(0))
    bytes += Array(",\"change\":\"\(kind)\",\"members\":".utf8)
    JSONValue.array(differences.map(\.value)).append(to: &bytes)
    bytes += Array("}\n".utf8)
  }
}

/// Whether the two operands seem to be the wrong way round.
///
/// A snapshot may have tombstones; but delete lines are what a delta is made of.
private struct DeleteLines: Sendable {
  private var isInBase = false
  private var isInDelta = false

  var areSwapped: Bool { isInBase && !isInDelta }

  mutating func count(_ lines: KeyLines, _ reader: inout ChangeReader) {
    if !isInDelta, let change = lines.last(of: 1) { isInDelta = lines[change].isTombstone }
    if !isInBase, let base = lines.last(of: 0), lines[base].isTombstone {
      isInBase = reader.change(lines.text(base)).kind == .change
    }
  }

  mutating func add(_ other: DeleteLines) {
    isInBase = isInBase || other.isInBase
    isInDelta = isInDelta || other.isInDelta
  }
}

extension DeltadiffTool {
  static func runApply(_ settings: Settings, on console: Console) throws -> ExitStatus {
    try write(settings, console, unless: { try conflicts($0, settings, console) }) { lines, _, bytes in
      guard let result = Delta.result(lines) else { return }
      bytes.append(lines.text(result))
      bytes.append(10)
    }
  }

  /// Reports what --strict refuses; nil where there is nothing.
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
      let files = settings.files.isEmpty ? ["-"] : settings.files
      var statistics = DeltaStatistics()
      try SortedChanges.forEachBlock(of: files, shape, settings.reading, &badLines) { block, report in
        statistics.add(block, report)
      }
      try Descriptor.standardOutput.write(line: statistics.value)
      return .done
    }
  }
}
