import CommandLine
import JSONLines
import SyncCore
import SystemIO
import Tables

/// A line of an input.
struct InputLine {
  /// The place of a line; `line` is 1-based.
  struct Place: Hashable {
    var file: String
    var line: Int
  }

  var text: [UInt8]
  var place: Place

  init(_ text: Span<UInt8>, _ place: Place) {
    (self.text, self.place) = ([], place)
    self.text.append(text)
  }

  func diagnostic(_ error: TableError) -> Diagnostic {
    Diagnostic(error, file: place.file, line: place.line)
  }
}

/// A trigger has rolled the transaction back because of a line, with RAISE(ROLLBACK).
struct RolledBack: Error {
  var line: InputLine
  var diagnostic: Diagnostic
}

/// Lines for a table, and their outcomes.
struct RowIntake {
  /// Takes a line that the table refuses.
  typealias Refuse = (InputLine, Diagnostic) throws -> Void

  private let table: Table
  private let writer: TableWriter
  private var queue: RowQueue<InputLine>
  private let limit: DeleteLimit
  private let only: String?
  private let rowsBefore: Int
  private let deletions: DeletionCount
  private var entity: String?
  private var inserted = 0
  private var updated = 0
  /// The updated rows that were deleted and inserted again.
  private var replaced = 0
  private var deleted = 0
  private var same = 0
  private(set) var checkpoints = 0

  init(_ table: Table, _ writer: TableWriter, _ deletions: DeletionCount, _ limit: DeleteLimit, only: String?)
    throws
  {
    (self.table, self.writer) = (table, writer)
    (self.deletions, self.limit, self.only) = (deletions, limit, only)
    try writer.requireUniqueKeys()
    queue = RowQueue(writer)
    rowsBefore = try writer.rowCount()
  }

  /// Writes a line; throws `RolledBack`.
  mutating func add(_ text: Span<UInt8>, _ place: InputLine.Place, refuse: Refuse) throws {
    do {
      guard let line = try RowLine(text, of: table) else {
        checkpoints += 1
        return
      }
      guard try isWanted(line) else { return }
      try writer.requireExact(line)
      let kept = InputLine(text, place)
      if let outcome = try rollingBack({ try $0.write(line, kept) }) { count(outcome) }
    } catch let error as TableError {
      let line = InputLine(text, place)
      try refuse(line, line.diagnostic(error))
    }
  }

  private mutating func rollingBack<Value>(
    _ body: (inout RowQueue<InputLine>) throws -> Value
  ) throws -> Value {
    do {
      return try body(&queue)
    } catch {
      guard let line = queue.culprit else { throw error }
      throw RolledBack(line: line, diagnostic: line.diagnostic(TableError(ofRollback: error)))
    }
  }

  /// Whether a line belongs to the table.
  ///
  /// Without `only`, all lines that name an entity must name the same one, and all other lines belong to it.
  private mutating func isWanted(_ line: RowLine) throws -> Bool {
    guard let name = line.entity else { return true }
    if let only { return only.utf8.elementsEqual(name.utf8) }
    let first = entity ?? name
    guard first.utf8.elementsEqual(name.utf8) else {
      throw TableError.severalEntities(first.shown, name.shown)
    }
    entity = first
    return true
  }

  private mutating func count(_ outcome: TableWriter.Outcome) {
    switch outcome {
    case .inserted: inserted += 1
    case .updated: updated += 1
    case .replaced:
      updated += 1
      replaced += 1
    case .deleted: deleted += 1
    case .same: same += 1
    case .waits: break
    }
  }

  /// Writes rows that have waited for other rows; throws `RolledBack`, or `tooManyDeletions` if too many rows are
  /// deleted.
  mutating func finish(refuse: Refuse) throws {
    var outcomes: [TableWriter.Outcome] = []
    try rollingBack { queue in
      try queue.finish { line, result in
        switch result {
        case .success(let outcome): outcomes.append(outcome)
        case .failure(let error): try refuse(line, line.diagnostic(error))
        }
      }
    }
    for outcome in outcomes { count(outcome) }
    try checkDeletions()
  }

  private mutating func checkDeletions() throws {
    for (name, count, rows) in try deletions.deletions() {
      if name == table.name {
        deleted = max(deleted, count - replaced)
      } else if deleted > 0, !limit.allows(count, of: rows) {
        // If rows of the written table are not deleted, an app's trigger has deleted these rows because of an edit, such
        // as old rows of a log.
        throw TableError.tooManyDeletions(count, of: rows, table: name)
      }
    }
    guard limit.allows(deleted, of: rowsBefore) else {
      throw TableError.tooManyDeletions(deleted, of: rowsBefore, table: nil)
    }
  }

  func counts(refused: Int) -> JSONValue {
    [
      "inserted": .integer(inserted), "updated": .integer(updated), "deleted": .integer(deleted),
      "same": .integer(same), "refused": .integer(refused),
    ]
  }
}
