import CommandLine
import JSONLines
import SyncCore
import SystemIO
import ToolInputs

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
