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
    let isDeferring = deferring && !isTogether
    if isDeferring { try database.deferForeignKeys(true) }
    var isDone = false
    do {
      isDone = try body() && !lacksReferredRows
    } catch StoreError.other(let code, _) where Self.isRefusal(code) && database.isInTransaction {
      // The table does not accept the temporary values, so undo everything.
    }
    if !isDone { try database.run("ROLLBACK TO together") }
    try database.run("RELEASE together")
    if isDeferring { try database.deferForeignKeys(false) }
    return isDone
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

  /// Gives a row temporary values for the unique values that will change.
  ///
  /// They are not negative, because a table can require that, and null stays null. A reference to another row
  /// temporarily becomes null.
  func park(_ line: RowLine) throws {
    if line.isDeletion { return }
    let (key, unique, references) = try (table.key(of: line), uniqueColumns(), emptyableReferences())
    let values = try values(of: line).filter { cell in
      unique.contains { $0.utf8.elementsEqual(cell.column.utf8) }
    }
    guard !values.isEmpty else { return }
    let sets = values.enumerated().map { index, cell in
      let column = cell.column.quotedName
      let start =
        "\(column) = CASE WHEN \(column) IS NULL OR \(column) IS ?\(index + 1) COLLATE BINARY THEN \(column)"
      if references.contains(where: { $0.utf8.elementsEqual(cell.column.utf8) }) {
        return "\(start) ELSE NULL END"
      }
      return "\(start) WHEN typeof(\(column)) IN ('integer', 'real') "
        + "THEN random() & 9223372036854775807 ELSE hex(randomblob(16)) END"
    }
    try run(
      "UPDATE \(orAbort)\(table.name.quotedName) SET \(sets.joined(separator: ", ")) "
        + "WHERE \(key.matching(from: values.count))", values + key)
  }

  private func uniqueColumns() throws -> [String] {
    try columns(
      "SELECT DISTINCT parts.name FROM pragma_index_list(?1) AS indices, pragma_index_info(indices.name) AS parts "
        + "WHERE indices.\"unique\" AND parts.name IS NOT NULL")
  }

  /// The columns of foreign keys that can be null, and that no foreign key refers to.
  private func emptyableReferences() throws -> [String] {
    try columns(
      "SELECT columns.name FROM pragma_foreign_key_list(?1) AS keys JOIN pragma_table_info(?1) AS columns "
        + "ON columns.name = keys.\"from\" COLLATE NOCASE WHERE NOT columns.\"notnull\" AND NOT EXISTS ("
        + "SELECT 1 FROM sqlite_schema AS others, pragma_foreign_key_list(others.name) AS referring "
        + "WHERE others.type = 'table' AND referring.\"table\" = ?1 COLLATE NOCASE "
        + "AND referring.\"to\" = columns.name COLLATE NOCASE)")
  }

  /// The names of columns that a query about the table returns.
  private func columns(_ query: String) throws -> [String] {
    var names: [String] = []
    try database.statement(query).bind(1, table.name).forEachRow { names.append($0.text(0)) }
    return names
  }
}
