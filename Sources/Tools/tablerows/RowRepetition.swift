import CommandLine
import JSONLines
import Store
import SystemIO

/// Writes lines again without those for which a trigger rolls the transaction back.
///
/// Such a line ends a pass, and the next pass leaves it out. After many passes, one goes on behind the line, without the
/// rows before it. The lines that it finds are only suspects, because they may have lacked these rows: the next passes
/// write them after all others, and take back those that do not roll back.
struct RowRepetition {
  private var lines: [InputLine] = []
  /// The lines for which a trigger rolls the transaction back.
  private var breaking: [InputLine.Place: Diagnostic] = [:]
  /// Lines for which it did so while rows of other lines were missing.
  private var suspects: [InputLine.Place: Diagnostic] = [:]
  /// The reasons that suspects can have although the rows of all other lines are there.
  private var reasons: Set<String> = []
  private var passes = 0

  /// After this many passes, suspects are searched for; after twice as many, they are refused.
  private var mostPasses: Int { max(32, 200_000 / max(1, lines.count)) }

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

  /// The refused lines; nil if the lines must be written again.
  private mutating func pass(
    _ rows: inout RowIntake, in database: Database
  ) throws -> [InputLine.Place: Diagnostic]? {
    passes += 1
    var refused = breaking.merging(suspects) { reason, _ in reason }
    guard try writeLines(&rows, &refused, in: database), try writeSuspects(&rows) else { return nil }
    do {
      try rows.finish { refused[$0.place] = $1 }
      return refused
    } catch let error as RolledBack {
      confirm(error)
      // Each pass would find only one of the lines that wait.
      guard passes > 2 * mostPasses else { return nil }
      for place in rows.waiting where breaking[place] == nil {
        var reason = error.diagnostic
        (reason.file, reason.line) = (place.file, place.line)
        suspects[place] = reason
      }
      return nil
    }
  }

  private mutating func confirm(_ error: RolledBack) {
    breaking[error.line.place] = error.diagnostic
    suspects[error.line.place] = nil
    reasons.insert(error.diagnostic.message)
  }

  /// Writes the lines that are not refused already; false if one has rolled the transaction back.
  private mutating func writeLines(
    _ rows: inout RowIntake, _ refused: inout [InputLine.Place: Diagnostic], in database: Database
  ) throws -> Bool {
    let (isComplete, known) = (suspects.isEmpty, breaking.count + suspects.count)
    for line in lines where refused[line.place] == nil {
      if Interruption.pending != nil { throw SystemError.interrupted }
      do {
        try rows.add(line.text.span, line.place) { refused[$0.place] = $1 }
      } catch let error as RolledBack {
        if suspects.isEmpty, breaking.count == known {
          confirm(error)
        } else {
          suspects[line.place] = error.diagnostic
        }
        if passes <= (isComplete ? 1 : 2) * mostPasses { return false }
        try database.begin(writing: true)
      }
    }
    return breaking.count + suspects.count == known
  }

  /// Writes the suspects, in their order, until one rolls the transaction back; false if there were any.
  ///
  /// Then all lines must be written in their order.
  private mutating func writeSuspects(_ rows: inout RowIntake) throws -> Bool {
    if passes > 2 * mostPasses { return true }
    let waiting = lines.filter { suspects[$0.place] != nil }
    // First those that may only have lacked the rows of other lines.
    for line in waiting.filter({ !hasKnownReason($0) }) + waiting.filter({ hasKnownReason($0) }) {
      do {
        try rows.add(line.text.span, line.place) { _, _ in }
        suspects[line.place] = nil
      } catch let error as RolledBack {
        if hasKnownReason(line) {
          confirm(error)
        } else if let reason = suspects[line.place]?.message {
          // It may lack the row of an earlier suspect, and is written after that one from now on.
          reasons.insert(reason)
        }
        break
      }
    }
    return waiting.isEmpty
  }

  private func hasKnownReason(_ line: InputLine) -> Bool {
    suspects[line.place].map { reasons.contains($0.message) } ?? false
  }
}
