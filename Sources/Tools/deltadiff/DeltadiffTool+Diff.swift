import CommandLineTool
import JSONLines
import SyncCore
import SystemIO

extension DeltadiffTool {
  static func runDiff(_ settings: Settings, on console: Console) throws -> ExitStatus {
    let shape = try settings.records.load()
    return try BadLines.collecting(
      settings.badLines, inputs: settings.files, outputs: (settings.explain, nil), on: console
    ) { badLines in
      let pair = try SnapshotPair(settings, shape, &badLines)
      var writer = ChangeWriter(settings.deletionTime, shape)
      var explanation = try settings.explain.map { file in try AtomicFile(creating: file.path) }
      var withheld = 0
      try pair.walk { old, new in
        guard let change = Delta.difference(old, in: pair.first, new, in: pair.second) else { return }
        if case .delete = change, pair.hasGaps { return withheld += 1 }
        try writer.write(change, in: pair.second, deletedFrom: pair.first)
        try explain(change, pair, in: &explanation)
      }
      try writer.finish()
      try explanation?.commit()
      console.note(passedOver: pair.checkpoints)
      if withheld > 0 {
        let message = "deletions left out: \(withheld); the bad lines may be what is missing"
        console.report(Diagnostic(.partialRun, message, file: settings.files[1]))
      }
      return settings.exitCode && writer.count > 0 ? .no : .done
    }
  }

  static func runInvert(_ settings: Settings, on console: Console) throws -> ExitStatus {
    let shape = try settings.records.load()
    return try BadLines.collecting(settings.badLines, inputs: settings.files, on: console) { badLines in
      let pair = try SnapshotPair(settings, shape, &badLines)
      var writer = ChangeWriter(settings.deletionTime, shape)
      try pair.walk { base, change in
        guard let change, let back = Delta.inverse(of: change, in: pair.second, on: base, in: pair.first)
        else {
          return
        }
        try writer.write(back, in: pair.first, deletedFrom: pair.second)
      }
      try writer.finish()
      console.note(passedOver: pair.checkpoints)
      return .done
    }
  }

  /// Which members differ: `{"key":…,"change":"update","members":[…]}`.
  private static func explain(_ change: Delta.Change, _ pair: SnapshotPair, in file: inout AtomicFile?) throws
  {
    guard file != nil else { return }
    let kind: String
    var differences: [MemberChange] = []
    var key: ArraySlice<UInt8>
    switch change {
    case .delete(let entry):
      (kind, key) = ("delete", pair.first.key(of: entry))
    case .line(let entry, let replaced):
      key = pair.second.key(of: entry)
      kind = entry.line.isTombstone ? "delete" : replaced == nil ? "insert" : "update"
      if kind == "update", let replaced {
        differences = MemberChange.list(
          from: try pair.first.value(of: replaced), to: try pair.second.value(of: entry))
      }
    }
    var line = Array("{\"key\":".utf8) + key + Array(",\"change\":\"\(kind)\",\"members\":".utf8)
    JSONValue.array(differences.map(\.value)).append(to: &line)
    line += Array("}\n".utf8)
    try file?.write(line.span)
  }
}

/// Writes changes, and counts them.
struct ChangeWriter: ~Copyable {
  private(set) var count = 0
  private var output = ByteOutput.standardOutput
  private let delta: Delta
  private var reader: LineReader

  init(_ time: Delta.DeletionTime, _ shape: RecordShape) {
    delta = Delta(deletionTime: time)
    reader = LineReader(shape)
  }

  mutating func write(_ change: Delta.Change, in set: ChangeSet, deletedFrom other: ChangeSet) throws {
    switch change {
    case .line(let entry, _): try output.write(line: set.sources[entry.source].bytes, entry.range)
    case .delete(let entry):
      try delta.appendDelete(entry, of: other, &reader, to: &output.buffer)
      try output.flushIfFull()
    }
    count += 1
  }

  mutating func finish() throws { try output.flush() }
}
