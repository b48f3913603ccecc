import Store

/// Rows on their way into a table: those that have to wait for others are tried again once these have come.
///
/// `Tag` is what the caller knows a row by.
package struct RowQueue<Tag> {
  private let writer: TableWriter
  private var waiting: [(line: RowLine, tag: Tag, error: TableError)] = []

  package init(_ writer: TableWriter) { self.writer = writer }

  /// Nil for a row that waits; throws what ``TableWriter/write(_:)`` does.
  package mutating func write(_ line: RowLine, _ tag: @autoclosure () -> Tag) throws -> TableWriter.Outcome? {
    let outcome = try writer.write(line)
    guard case .waits(let error) = outcome else { return outcome }
    waiting.append((line, tag(), error))
    return nil
  }

  /// Tries those that wait again, as long as that gets on, and hands over what becomes of each.
  package mutating func finish(
    _ take: (Tag, Result<TableWriter.Outcome, TableError>) throws -> Void
  ) throws {
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
    for entry in waiting { try take(entry.tag, .failure(entry.error)) }
  }
}
