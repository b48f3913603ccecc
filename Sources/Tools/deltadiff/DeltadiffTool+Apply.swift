import CommandLineTool
import JSONLines
import SyncCore
import SystemIO

extension DeltadiffTool {
  static func runApply(_ settings: Settings, on console: Console) throws -> ExitStatus {
    let shape = try settings.records.load()
    return try BadLines.collecting(settings.badLines, inputs: settings.files, on: console) { badLines in
      let pair = try SnapshotPair(settings, shape, &badLines)
      if settings.strict, let status = try conflicts(pair, settings, console) { return status }
      var output = ByteOutput.standardOutput
      try pair.walk { base, change in
        if let change {
          guard !change.line.isTombstone else { return }
          try output.write(line: pair.second.sources[0].bytes, change.range)
        } else if let base, !base.line.isTombstone {
          try output.write(line: pair.first.sources[0].bytes, base.range)
        }
      }
      try output.flush()
      console.note(passedOver: pair.checkpoints)
      return .done
    }
  }

  /// Reports what --strict refuses; nil where there is nothing.
  private static func conflicts(
    _ pair: SnapshotPair, _ settings: Settings, _ console: Console
  ) throws -> ExitStatus? {
    var status: ExitStatus?
    pair.walk { base, change in
      guard let change, let conflict = Delta.conflict(of: change, with: base) else { return }
      let code: DiagnosticCode = conflict == .deleteOfAbsent ? .deleteOfAbsent : .newerInBase
      let key = String(decoding: pair.second.key(of: change), as: UTF8.self)
      status = console.report(
        Diagnostic(code, "\(key): \(conflict.message)", file: settings.files[1], line: change.lineNumber))
    }
    return status
  }

  static func runStat(_ settings: Settings, on console: Console) throws -> ExitStatus {
    return try BadLines.collecting(settings.badLines, inputs: settings.files, on: console) { badLines in
      var set = ChangeSet(try settings.records.load())
      for path in settings.files.isEmpty ? ["-"] : settings.files { try set.read(path, &badLines) }
      var statistics = DeltaStatistics()
      statistics.add(set)
      try Descriptor.standardOutput.write(statistics.value.text + "\n")
      return .done
    }
  }
}
