import Store

/// Writes rows to a table; a row that must wait for other rows is retried after them.
///
/// `Tag` identifies a row for the caller.
package struct RowQueue<Tag> {
  private let writer: TableWriter
  private var waiting: [(line: RowLine, tag: Tag, error: TableError, isForValue: Bool)] = []

  package init(_ writer: TableWriter) { self.writer = writer }

  /// Writes a row; nil if it must wait.
  ///
  /// Throws the errors of ``TableWriter/write(_:)``.
  package mutating func write(_ line: RowLine, _ tag: @autoclosure () -> Tag) throws -> TableWriter.Outcome? {
    let outcome = try writer.write(line)
    switch outcome {
    case .waits(let error): waiting.append((line, tag(), error, false))
    case .waitsForValue(let error): waiting.append((line, tag(), error, true))
    default: return outcome
    }
    return nil
  }

  /// Retries the waiting rows as long as there is progress, and passes the outcome of each.
  package mutating func finish(
    _ take: (Tag, Result<TableWriter.Outcome, TableError>) throws -> Void
  ) throws {
    try tryAgain(take)
    let exchanged = try exchange()
    for (tag, outcome) in exchanged { try take(tag, .success(outcome)) }
    for entry in waiting where exchanged.isEmpty || !entry.isForValue {
      try take(entry.tag, .failure(entry.error))
    }
  }

  /// Writes rows that wait for each other's unique values, by releasing these first; rolls back on failure.
  private func exchange() throws -> [(Tag, TableWriter.Outcome)] {
    var (left, done) = (self, [(Tag, TableWriter.Outcome)]())
    left.waiting = waiting.filter(\.isForValue)
    let count = left.waiting.count
    guard count > 1 else { return [] }
    try writer.parking(left.waiting.map(\.line)) {
      try left.tryAgain { tag, result in
        if case .success(let outcome) = result { done.append((tag, outcome)) }
      }
      return done.count == count
    }
    return done.count == count ? done : []
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
