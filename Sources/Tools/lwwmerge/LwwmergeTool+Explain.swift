import CommandLine
import SyncCore
import SystemIO
import ToolInputs

extension LwwmergeTool {
  static func runExplain(_ settings: Settings, on console: Console) throws -> ExitStatus {
    if settings.identity.isEmpty { throw UsageError.conflict("explain needs --identity") }
    let wanted = IdentityPattern(settings.identity, entity: settings.only)
    let shape = try settings.records.load()
    return try BadLines.collecting(settings, inputs: settings.files, on: console) { badLines in
      let changes = try SortedChanges(reading: settings.inputs, shape, settings.reading, &badLines)
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
            contest.append(contest.losers, settings.inputs, to: &output.buffer)
          } else {
            output.buffer += Array(contest.explanation(settings.inputs).utf8)
          }
        }
      }
      try output.flush()
      console.note(passedOver: changes.checkpoints)
      if !isFound, !isLeftOut { console.note("no line has the identity '\(settings.identity)'") }
      return isFound ? .done : .no
    }
  }

  /// Of the lines that are asked about, those from the future, whatever --on-error says.
  private static func leaveOutDrifted(
    _ lines: KeyLines, _ settings: Settings, _ reader: inout ChangeReader, _ badLines: inout BadLines
  ) throws -> KeyLines {
    let drift = settings.drift
    return try lines.filter { index in
      guard !drift.admits(reader.change(lines.text(index))) else { return true }
      let (file, line) = (settings.inputs[lines.source(index)], lines.lineNumber(index))
      try badLines.passOver(lines.text(index), because: .clockAhead(file: file, line: line))
      return false
    }
  }
}
