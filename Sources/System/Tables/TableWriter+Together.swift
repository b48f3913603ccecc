import JSONLines
import Store

/// Rows that need each other.
extension TableWriter {
  /// The maximum number of rows in circles that are written together.
  ///
  /// While a row lacks another one, SQLite searches the table for each new row, unless the foreign key has an
  /// index.
  package static var mostInCircles: Int { 20_000 }

  /// Runs `body`, which writes rows that need each other.
  ///
  /// With `deferring`, all foreign keys are checked after `body`. Undoes everything and returns false if
  /// `body` returns false, or if a deferred foreign key then lacks its row.
  func together(deferring: Bool, _ body: () throws -> Bool) throws -> Bool {
    try database.run("SAVEPOINT together")
    if deferring { try deferForeignKeys() }
    var isDone = false
    do {
      isDone = try body() && !lacksReferredRows
    } catch StoreError.other(let code, _) where Self.isRefusal(code) && database.isInTransaction {
      // The table does not accept the temporary values, so undo everything.
    }
    if !isDone { try database.run("ROLLBACK TO together") }
    try database.run("RELEASE together")
    if !isTogether { try database.deferForeignKeys(false) }
    return isDone
  }

  /// Lets foreign keys be checked only after the rows that are written together.
  func deferForeignKeys() throws(StoreError) {
    if !isTogether { try database.deferForeignKeys(true) }
  }

  /// Whether rows refer to missing rows, unless the caller checks this.
  var lacksReferredRows: Bool { !isTogether && database.lacksReferredRows }

  func rowKey(of line: RowLine) throws(TableError) -> RowKey {
    RowKey(try table.key(of: line).map(\.value), as: keyComparisons)
  }

  /// The references between lines; nil if the table does not refer to itself.
  func references(of lines: [RowLine]) throws -> RowReferences? {
    if ownReferences.isEmpty { return nil }
    return try RowReferences(lines, ownReferences, of: table, in: database)
  }

  func isStored(_ line: RowLine) throws -> Bool { try isStored(table.key(of: line)) }

  /// Whether deletions may delete further rows of this table, and nothing else prevents this.
  var hasOwnCascade: Bool { !ownDependents.isEmpty }

  /// Whether a line would now delete further rows of this table, because they refer to its row.
  func wouldCascade(_ line: RowLine) throws -> Bool {
    guard line.isDeletion, hasOwnCascade else { return false }
    let key = try table.key(of: line)
    return try ownDependents.contains { try hasDependents($0, key) }
  }

  /// The indices of the lines because of which a foreign key refers to a missing row after all lines are
  /// written.
  func lacking(_ lines: [RowLine]) throws -> [Int] {
    let looks = try table.looksForLackedRows(by: foreignKeys.own())
    return try lines.indices.filter { index in
      if lines[index].isDeletion { return try referring(to: lines[index]) != nil }
      let key = try table.key(of: lines[index])
      return try looks.contains { look in
        try bound("\(look) AND \(key.matching(from: 0, of: "child"))", key).first { _ in true } != nil
      }
    }
  }

  /// The same as ``lacking(_:)``, with the lines whose rows would refer to missing rows without these lines.
  ///
  /// `isNew` is whether the row of a line, by its index, did not exist before.
  package func lacking(_ lines: [RowLine], isNew: (Int) -> Bool) throws -> Set<Int> {
    var found = Set(try lacking(lines))
    try references(of: lines)?.addReferring(to: &found) { !isNew($0) }
    return found
  }
}
