import CommandLine
import JSONLines
import Store
import SystemIO

/// Writes lines again without those for which a trigger rolls the transaction back.
struct RowRepetition {
  /// After so many of them, others are searched for in one pass, in which earlier rows are missing.
  private static let mostExact = 20

  private var lines: [InputLine] = []
  /// The lines for which a trigger rolls the transaction back.
  private var breaking: [InputLine.Place: Diagnostic] = [:]

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
      if Interruption.pending != nil { throw SystemError.interrupted }
      try database.begin(writing: true)
      // After a commit there is nothing to roll back.
      defer { database.rollback() }
      var rows = try intake()
      guard let refused = try pass(&rows, in: database) else { continue }
      for line in lines {
        if let reason = refused[line.place] { try badLines.leaveOut(line.text.span, because: reason) }
      }
      try badLines.save()
      try database.commit()
      return rows
    }
  }

  /// The refused lines; nil if a line has rolled the transaction back.
  private mutating func pass(
    _ rows: inout RowIntake, in database: Database
  ) throws -> [InputLine.Place: Diagnostic]? {
    var refused = breaking
    let known = breaking.count
    for line in lines where breaking[line.place] == nil {
      do {
        try rows.add(line.text.span, line.place) { refused[$0.place] = $1 }
      } catch let error as RolledBack {
        breaking[error.line.place] = error.diagnostic
        guard breaking.count >= Self.mostExact else { return nil }
        try database.begin(writing: true)
      }
    }
    if breaking.count > known { return nil }
    do {
      try rows.finish { refused[$0.place] = $1 }
    } catch let error as RolledBack {
      breaking[error.line.place] = error.diagnostic
      return nil
    }
    return refused
  }
}
