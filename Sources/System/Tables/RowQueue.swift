import Store

/// Writes rows to a table; a row that must wait for other rows is retried after them.
///
/// `Tag` identifies a row for the caller.
package struct RowQueue<Tag> {
  private var writer: TableWriter
  private var waiting: [(line: RowLine, tag: Tag, error: TableError, need: TableWriter.Need)] = []

  package init(_ writer: TableWriter) { self.writer = writer }

  /// Writes a row; nil if it must wait.
  ///
  /// Throws the errors of ``TableWriter/write(_:)``.
  package mutating func write(_ line: RowLine, _ tag: @autoclosure () -> Tag) throws -> TableWriter.Outcome? {
    let outcome = try writer.write(line)
    guard case .waits(let error, let need) = outcome else { return outcome }
    waiting.append((line, tag(), error, need))
    return nil
  }

  /// Retries the waiting rows as long as there is progress, and passes the outcome of each.
  package mutating func finish(
    _ take: (Tag, Result<TableWriter.Outcome, TableError>) throws -> Void
  ) throws {
    // Together first: one by one, a chain of rows in the wrong order takes a round for each row.
    try writeTogether(forValues: false, take)
    try tryAgain(take)
    try writeTogether(forValues: true, take)
    try writeTogether(forValues: false, take)
    for entry in waiting { try take(entry.tag, .failure(entry.error)) }
  }

  /// Writes rows that need each other's unique values, or each other at the end of the transaction.
  ///
  /// If that fails for one of them, all of them keep waiting.
  private mutating func writeTogether(
    forValues: Bool, _ take: (Tag, Result<TableWriter.Outcome, TableError>) throws -> Void
  ) throws {
    var (group, done) = (self, [(Tag, TableWriter.Outcome)]())
    group.waiting = waiting.filter { ($0.need == .value) == forValues }
    let count = group.waiting.count
    guard count > 1, forValues || group.waiting.contains(where: { $0.need == .rowAtEnd }) else { return }
    group.writer.checksEachRow = false
    let isDone = try writer.together(parking: forValues ? group.waiting.map(\.line) : []) {
      try group.tryAgain { tag, result in
        if case .success(let outcome) = result { done.append((tag, outcome)) }
      }
      return done.count == count
    }
    guard isDone else { return }
    waiting.removeAll { ($0.need == .value) == forValues }
    for (tag, outcome) in done { try take(tag, .success(outcome)) }
  }

  private mutating func tryAgain(_ take: (Tag, Result<TableWriter.Outcome, TableError>) throws -> Void) throws
  {
    var before = Int.max
    while !waiting.isEmpty, waiting.count < before {
      before = waiting.count
      let round = waiting
      waiting = []
      for entry in round {
        let outcome: TableWriter.Outcome?
        do {
          outcome = try write(entry.line, entry.tag)
        } catch let error as TableError {
          try take(entry.tag, .failure(error))
          continue
        }
        if let outcome { try take(entry.tag, .success(outcome)) }
      }
    }
  }
}
