import CommandLine
import JSONLines
import Store
import SystemIO

/// Writes lines again without those for which a trigger rolls the transaction back.
///
/// Such a line ends a pass, and the next pass leaves it out: whether a line is refused depends on the rows of all other
/// lines.
struct RowRepetition {
  private var lines: [InputLine] = []
  /// The lines for which a trigger rolls the transaction back.
  private var breaking: [InputLine.Place: Diagnostic] = [:]

  /// The maximum number of passes; more would take too long.
  private var mostPasses: Int { max(100, 1_000_000 / max(1, lines.count)) }

  init(reading files: [String]) throws {
    var none = ByteOutput.standardOutput
    var lines: [InputLine] = []
    try InputLines.forEach(ofAll: files, flushing: &none) { file, line, number, _ in
      lines.append(InputLine(line, .init(file: file, line: number)))
    }
    self.lines = lines
  }

  /// Writes the lines in a transaction; `intake` begins a pass.
  mutating func write(
    in database: Database, _ badLines: inout BadLines, _ intake: () throws -> RowIntake
  ) throws -> RowIntake {
    while true {
      try database.begin(writing: true)
      // This is needed only if the transaction was not committed.
      defer { database.rollback() }
      var (rows, refused) = (try intake(), breaking)
      do {
        try pass(&rows, &refused)
      } catch let error as RolledBack {
        breaking[error.line.place] = error.diagnostic
        if breaking.count <= mostPasses { continue }
        for line in lines where line.place != error.line.place {
          if let known = breaking[line.place] { try badLines.leaveOut(line.text.span, because: known) }
        }
        var reason = error.diagnostic
        reason.hint =
          "a trigger has rolled the transaction back for \(breaking.count) lines; correct or remove them first"
        throw reason
      }
      for line in lines {
        if let reason = refused[line.place] { try badLines.leaveOut(line.text.span, because: reason) }
      }
      try badLines.save()
      try database.commit()
      return rows
    }
  }

  /// Writes all lines that are not refused; throws `RolledBack`.
  private func pass(_ rows: inout RowIntake, _ refused: inout [InputLine.Place: Diagnostic]) throws {
    for line in lines where refused[line.place] == nil {
      if Interruption.pending != nil { throw SystemError.interrupted }
      try rows.add(line.text.span, line.place) { refused[$0.place] = $1 }
    }
    try rows.finish { refused[$0.place] = $1 }
  }
}
