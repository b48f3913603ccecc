import Store
import SystemIO

/// Writes rows to a table; a row that must wait for other rows is retried after them.
///
/// Lines of one row are written in their order. `Tag` identifies a row for the caller.
package struct RowQueue<Tag> {
  package typealias Take = (Tag, Result<TableWriter.Outcome, TableError>) throws -> Void
  private struct Entry {
    let line: RowLine
    let tag: Tag
    let key: RowKey
    let error: TableError
    let need: TableWriter.Need
    /// The place of the line in the order of the input.
    let number: Int
  }

  private var writer: TableWriter
  private var waiting: [Entry] = []
  /// For the key of each waiting line, the later lines of that row.
  private var later: [RowKey: ArraySlice<(line: RowLine, tag: Tag)>] = [:]
  /// The number of lines that have begun to wait.
  private var count = 0
  /// The number of attempts in rounds that wrote few lines.
  private var attempts = 0
  /// The number of lines that have been written after a wait.
  private var written = 0
  /// Whether a waiting deletion may also delete rows that still refer to its row.
  private var mayCascade = false
  /// The row whose write has rolled the transaction back, in a trigger with RAISE(ROLLBACK); nil without one.
  package private(set) var culprit: Tag?

  package init(_ writer: TableWriter) { self.writer = writer }

  /// Writes a row; nil if it must wait.
  ///
  /// Throws the errors of ``TableWriter/write(_:)``.
  package mutating func write(_ line: RowLine, _ tag: @autoclosure () -> Tag) throws -> TableWriter.Outcome? {
    culprit = nil
    if !later.isEmpty {
      let key = try writer.rowKey(of: line)
      if later[key] != nil {
        later[key]!.append((line, tag()))
        return nil
      }
    }
    return try attempt(line, tag())
  }

  private mutating func attempt(
    _ line: RowLine, _ tag: @autoclosure () -> Tag, number: Int? = nil
  ) throws -> TableWriter.Outcome? {
    // Later lines may change the rows that a cascade would delete.
    let mustWait = try (number == nil || !mayCascade) && writer.wouldCascade(line)
    let outcome: TableWriter.Outcome =
      try mustWait
      ? .waits(.isReferred(by: writer.table.name), for: .row) : noting(tag()) { try $0.write(line) }
    guard case .waits(let error, let need) = outcome else { return outcome }
    let key = try writer.rowKey(of: line)
    if number == nil { count += 1 }
    waiting.append(
      Entry(line: line, tag: tag(), key: key, error: error, need: need, number: number ?? count))
    if later[key] == nil { later[key] = [] }
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
  package mutating func finish(_ take: Take) throws {
    var fruitless = 0
    mayCascade = !writer.hasOwnCascade
    while !waiting.isEmpty {
      let before = written
      // Write the rows together first: one by one, a chain of rows in the wrong order takes many rounds.
      try writeTogether(for: .rowAtEnd, take)
      try tryAgain(take)
      try writeTogether(for: .value, take)
      // Only now try rows in a circle: a trigger may read the row to which a row refers.
      if written == before { try writeTogether(for: .row, take) }
      if written > before, attempts < Self.mostAttempts { continue }
      if !mayCascade {
        mayCascade = true
        continue
      }
      fruitless += 1
      if fruitless > Self.mostTries, Interruption.pending != nil { throw SystemError.interrupted }
      try refuse(severalOfEach: fruitless > Self.mostTries, take)
    }
  }

  /// Refuses the waiting lines that block later lines of the same rows, because the later lines may be accepted.
  ///
  /// If only other lines wait, refuses all of them.
  ///
  /// With `severalOfEach`, it also refuses later waiting lines of these rows that block further lines. Otherwise all
  /// other rows would be tried again after each refused line.
  private mutating func refuse(severalOfEach: Bool, _ take: Take) throws {
    let (entries, isBlocked) = (waiting, waiting.contains { blocks($0) })
    waiting = []
    for entry in entries {
      if isBlocked, !blocks(entry) {
        waiting.append(entry)
        continue
      }
      try settle(entry, failure(of: entry), take)
      while severalOfEach, let next = waiting.last, next.key == entry.key, blocks(next) {
        waiting.removeLast()
        try settle(next, failure(of: next), take)
      }
    }
  }

  private func failure(of entry: Entry) -> Result<TableWriter.Outcome, TableError> {
    .failure(entry.need == .value ? entry.error : writer.explained(entry.error, of: entry.line))
  }

  private func blocks(_ entry: Entry) -> Bool { later[entry.key]?.isEmpty == false }

  /// Passes the outcome of a line that has waited, and writes the later lines of its row.
  private mutating func settle(
    _ entry: Entry, _ result: Result<TableWriter.Outcome, TableError>, _ take: Take
  ) throws {
    if case .success = result { written += 1 }
    try take(entry.tag, result)
    var lines = later.removeValue(forKey: entry.key) ?? []
    while let next = lines.popFirst() {
      do {
        guard let outcome = try attempt(next.line, next.tag) else {
          later[entry.key] = lines
          return
        }
        written += 1
        try take(next.tag, .success(outcome))
      } catch let error as TableError {
        try take(next.tag, .failure(error))
      }
    }
  }

  // MARK: Together

  /// The maximum number of times that rows that lack other rows are left out; each time, all remaining rows
  /// are written again.
  private static var mostTries: Int { 8 }

  /// Writes rows that need each other, now or at the end of the transaction, or each other's unique values.
  ///
  /// The rows that prevent this keep waiting, and the others are tried without them.
  private mutating func writeTogether(for need: TableWriter.Need, _ take: Take) throws {
    var places = waiting.indices.filter { (waiting[$0].need == .value) == (need == .value) }
    if need == .row {
      let circles = try Set(writer.references(of: waiting.map(\.line))?.inCircles() ?? [])
      places.removeAll { !circles.contains($0) }
      if places.count > TableWriter.mostInCircles { return }
    }
    for _ in 0..<Self.mostTries {
      guard places.count > 1, need != .rowAtEnd || places.contains(where: { waiting[$0].need == .rowAtEnd })
      else { return }
      var obstacles: Set<Int> = []
      if let done = try outcomes(of: places, for: need, &obstacles) {
        let entries = waiting
        waiting = entries.indices.filter { done[$0] == nil }.map { entries[$0] }
        for place in places {
          if let outcome = done[place] { try settle(entries[place], .success(outcome), take) }
        }
        return
      }
      if obstacles.isEmpty { return }
      let (entries, writer) = (waiting, writer)
      try writer.references(of: entries.map(\.line))?.addReferring(to: &obstacles) {
        try writer.isStored(entries[$0].line)
      }
      places.removeAll { obstacles.contains($0) }
    }
  }

  /// Writes the waiting rows at `places`; nil if all of them were undone because of those at `obstacles`.
  private mutating func outcomes(
    of places: [Int], for need: TableWriter.Need, _ obstacles: inout Set<Int>
  ) throws -> [Int: TableWriter.Outcome]? {
    let (entries, writer) = (waiting, writer)
    var (group, done, left) = (RowQueue<Int>(writer), [Int: TableWriter.Outcome](), Set(places))
    group.writer.checksEachRow = false
    group.mayCascade = mayCascade
    group.waiting = places.map { place in
      let entry = entries[place]
      return .init(
        line: entry.line, tag: place, key: entry.key, error: entry.error, need: entry.need, number: place)
    }
    defer { culprit = group.culprit.map { entries[$0].tag } ?? culprit }
    var replaced: Set<Int> = []
    let isDone = try writer.together(deferring: need == .row) {
      for place in need == .value ? places : [] {
        if try group.noting(place, { try $0.park(entries[place].line) }) { replaced.insert(place) }
      }
      try group.tryAgain { place, result in
        guard case .success(let outcome) = result else { return }
        done[place] = replaced.contains(place) ? .replaced : outcome
        left.remove(place)
      }
      if left.isEmpty, writer.lacksReferredRows {
        left = Set(try writer.lacking(places.map { entries[$0].line }).map { places[$0] })
        // If no such line is found, some row refers to a deleted row, or to a value that has changed.
        if left.isEmpty { left = Set(places.filter { entries[$0].line.isDeletion }) }
        if left.isEmpty {
          left = Set(places.filter { if case .updated? = done[$0] { true } else { false } })
        }
      }
      return left.isEmpty
    }
    obstacles = left
    return isDone ? done : nil
  }

  // MARK: One by one

  /// After this many rounds that each write less than a hundredth of the lines, the others are tried together.
  private static var mostSlowRounds: Int { 64 }
  /// After this many attempts in such rounds, about a minute has passed, and the waiting rows are refused.
  private static var mostAttempts: Int { 5_000_000 }

  private mutating func tryAgain(_ take: Take) throws {
    let entries = waiting
    if let references = try writer.references(of: entries.map(\.line)) {
      waiting = references.sorted().map { entries[$0] }
    }
    defer { waiting.sort { $0.number < $1.number } }
    var slow = 0
    while !waiting.isEmpty {
      let (round, before) = (waiting, written)
      waiting = []
      for entry in round {
        do {
          let outcome = try attempt(entry.line, entry.tag, number: entry.number)
          if let outcome { try settle(entry, .success(outcome), take) }
        } catch let error as TableError {
          try settle(entry, .failure(error), take)
        }
      }
      if written == before { return }
      // Rows that each need a value of the next one are written in one round if the order is reversed.
      waiting.reverse()
      if (written - before) * 100 >= round.count { continue }
      slow += 1
      attempts += round.count
      if slow == Self.mostSlowRounds { return }
      if Interruption.pending != nil { throw SystemError.interrupted }
    }
  }
}
