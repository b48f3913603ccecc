import Store

/// Writes rows to a table; a row that must wait for other rows is retried after them.
///
/// `Tag` identifies a row for the caller.
package struct RowQueue<Tag> {
  private var writer: TableWriter
  private typealias Entry = (line: RowLine, tag: Tag, error: TableError, need: TableWriter.Need)
  private var waiting: [Entry] = []
  /// The row whose write has rolled the transaction back, in a trigger with RAISE(ROLLBACK); nil without one.
  package private(set) var culprit: Tag?

  package init(_ writer: TableWriter) { self.writer = writer }

  /// Writes a row; nil if it must wait.
  ///
  /// Throws the errors of ``TableWriter/write(_:)``.
  package mutating func write(_ line: RowLine, _ tag: @autoclosure () -> Tag) throws -> TableWriter.Outcome? {
    let outcome = try noting(tag()) { try $0.write(line) }
    guard case .waits(let error, let need) = outcome else { return outcome }
    waiting.append((line, tag(), error, need))
    return nil
  }

  private mutating func noting<Value>(
    _ tag: @autoclosure () -> Tag, _ body: (TableWriter) throws -> Value
  ) throws -> Value {
    do {
      return try body(writer)
    } catch {
      if writer.isRollback(error) { culprit = tag() }
      throw error
    }
  }

  /// Retries the waiting rows as long as there is progress, and passes the outcome of each.
  package mutating func finish(
    _ take: (Tag, Result<TableWriter.Outcome, TableError>) throws -> Void
  ) throws {
    // Together first: one by one, a chain of rows in the wrong order takes many rounds.
    try writeTogether(forValues: false, take)
    let count = waiting.count
    try tryAgain(take)
    try writeTogether(forValues: true, take)
    if waiting.count < count { try writeTogether(forValues: false, take) }
    for entry in waiting { try take(entry.tag, .failure(entry.error)) }
  }

  /// Rows that lack others are left out this many times; each time, all others are written anew.
  private static var mostTries: Int { 8 }

  /// Writes rows that need each other's unique values, or each other at the end of the transaction.
  ///
  /// The rows that prevent this keep waiting, and the others are tried without them.
  private mutating func writeTogether(
    forValues: Bool, _ take: (Tag, Result<TableWriter.Outcome, TableError>) throws -> Void
  ) throws {
    var places = waiting.indices.filter { (waiting[$0].need == .value) == forValues }
    for _ in 0..<Self.mostTries {
      guard places.count > 1, forValues || places.contains(where: { waiting[$0].need == .rowAtEnd }) else {
        return
      }
      var obstacles: Set<Int> = []
      if let done = try outcomes(of: places, parking: forValues, &obstacles) {
        let entries = waiting
        waiting = entries.indices.filter { done[$0] == nil }.map { entries[$0] }
        for place in places {
          if let outcome = done[place] { try take(entries[place].tag, .success(outcome)) }
        }
        return
      }
      if obstacles.isEmpty { return }
      places.removeAll { obstacles.contains($0) }
    }
  }

  /// Writes the waiting rows at `places`; nil if all of them were undone because of those at `obstacles`.
  private mutating func outcomes(
    of places: [Int], parking: Bool, _ obstacles: inout Set<Int>
  ) throws -> [Int: TableWriter.Outcome]? {
    let (entries, writer) = (waiting, writer)
    var (group, done, left) = (RowQueue<Int>(writer), [Int: TableWriter.Outcome](), Set(places))
    group.writer.checksEachRow = false
    group.waiting = places.map { (entries[$0].line, $0, entries[$0].error, entries[$0].need) }
    defer { culprit = group.culprit.map { entries[$0].tag } ?? culprit }
    let isDone = try writer.together {
      for place in parking ? places : [] { try group.noting(place) { try $0.park(entries[place].line) } }
      try group.tryAgain { place, result in
        guard case .success(let outcome) = result else { return }
        done[place] = outcome
        left.remove(place)
      }
      if left.isEmpty, writer.lacksReferredRows {
        left = Set(try writer.lacking(places.map { entries[$0].line }).map { places[$0] })
      }
      return left.isEmpty
    }
    obstacles = left
    return isDone ? done : nil
  }

  private mutating func tryAgain(_ take: (Tag, Result<TableWriter.Outcome, TableError>) throws -> Void) throws
  {
    var (before, isReversed) = (Int.max, false)
    while !waiting.isEmpty, waiting.count < before {
      before = waiting.count
      // Rows that each refer to the next one are written in one round if the order is reversed.
      let round = waiting.reversed()
      isReversed.toggle()
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
    if isReversed { waiting.reverse() }
  }
}
