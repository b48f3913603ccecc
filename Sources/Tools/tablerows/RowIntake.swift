import CommandLine
import JSONLines
import SyncCore
import SystemIO
import Tables

/// The place of a line.
struct Place {
  var file: String
  /// 1-based.
  var line: Int
}

/// Lines for a table, and their outcomes.
struct RowIntake {
  private let table: Table
  private let writer: TableWriter
  private var queue: RowQueue<(text: [UInt8], place: Place)>
  private let limit: DeleteLimit
  private let only: String?
  private let rowsBefore: Int
  private var entity: String?
  private var inserted = 0
  private var updated = 0
  private var deleted = 0
  private var same = 0
  private(set) var checkpoints = 0

  init(_ table: Table, _ writer: TableWriter, _ limit: DeleteLimit, only: String?) throws {
    (self.table, self.writer, self.limit, self.only) = (table, writer, limit, only)
    try writer.requireUniqueKeys()
    queue = RowQueue(writer)
    rowsBefore = try writer.rowCount()
  }

  mutating func add(_ text: Span<UInt8>, _ place: Place, _ badLines: inout BadLines) throws {
    do {
      guard let line = try RowLine(text, of: table) else {
        checkpoints += 1
        return
      }
      guard try isWanted(line) else { return }
      var bytes: [UInt8] = []
      bytes.append(text)
      count(try queue.write(line, (bytes, place)))
    } catch let error as TableError {
      try badLines.leaveOut(text, because: Diagnostic(error, file: place.file, line: place.line))
    }
  }

  /// Without `only`, all lines that name an entity must name the same one; others belong to it.
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

  private mutating func count(_ outcome: TableWriter.Outcome?) {
    switch outcome {
    case .inserted: inserted += 1
    case .updated: updated += 1
    case .deleted: deleted += 1
    case .same: same += 1
    case .waits, nil: break
    }
  }

  /// Writes rows that have waited for other rows; throws if too many would be deleted.
  mutating func finish(_ badLines: inout BadLines) throws {
    var outcomes: [TableWriter.Outcome] = []
    try queue.finish { row, result in
      switch result {
      case .success(let outcome): outcomes.append(outcome)
      case .failure(let error):
        try badLines.leaveOut(
          row.text.span, because: Diagnostic(error, file: row.place.file, line: row.place.line))
      }
    }
    for outcome in outcomes { count(outcome) }
    // Rows that refer to a deleted row may be deleted with it (`ON DELETE CASCADE`).
    deleted = max(deleted, rowsBefore + inserted - (try writer.rowCount()))
    guard limit.allows(deleted, of: rowsBefore) else {
      throw TableError.tooManyDeletions(deleted, of: rowsBefore)
    }
  }

  func counts(refused: Int) -> JSONValue {
    [
      "inserted": .integer(inserted), "updated": .integer(updated), "deleted": .integer(deleted),
      "same": .integer(same), "refused": .integer(refused),
    ]
  }
}
