import JSONLines
import Store

/// A value with its column.
typealias Cell = (column: String, value: ColumnValue)

extension [Cell] {
  /// A condition for the row with these values, whose parameters begin after `start`.
  func matching(from start: Int, of table: String? = nil) -> String {
    let prefix = table.map { "\($0)." } ?? ""
    return enumerated().map { "\(prefix)\($1.column.quotedName) = ?\(start + $0 + 1)" }
      .joined(separator: " AND ")
  }
}

extension Table {
  /// The statements, without conditions, that find rows deleted together with a row of this table, `parent`.
  func references(from child: String, in database: Database) throws -> [String] {
    let cascades = try ForeignKey.all(of: child, in: database).filter {
      $0.isCascade && TriggerWrite.isSame($0.parent, name)
    }
    // A row that refers to itself does not prevent its own deletion.
    let isOther =
      TriggerWrite.isSame(child, name)
      ? " AND NOT ("
        + key.map { "child.\($0.quotedName) IS parent.\($0.quotedName)" }.joined(separator: " AND ") + ")"
      : ""
    return cascades.map { cascade in
      // A foreign key compares with the collation of the parent's column; here it is that of the left one.
      let isSame = cascade.columns.map { "parent.\($0.parent.quotedName) = child.\($0.child.quotedName)" }
      return "SELECT 1 FROM \(quotedName) AS parent JOIN \(child.quotedName) AS child ON "
        + isSame.joined(separator: " AND ") + isOther
    }
  }

  /// Statements that find rows of this table, `child`, that refer to a missing row; the caller appends AND
  /// and a condition.
  func looksForLackedRows(by keys: [ForeignKey]) -> [String] {
    keys.map { key in
      let columns = key.columns.map { ("child.\($0.child.quotedName)", "parent.\($0.parent.quotedName)") }
      let isSet = columns.map { "\($0.0) IS NOT NULL" }.joined(separator: " AND ")
      let isSame = columns.map { "\($0.1) = \($0.0)" }.joined(separator: " AND ")
      return "SELECT 1 FROM \(quotedName) AS child WHERE \(isSet) AND NOT EXISTS "
        + "(SELECT 1 FROM \(key.parent.quotedName) AS parent WHERE \(isSame))"
    }
  }

  /// Whether a constraint of the table has a rule for a row that violates it (`ON CONFLICT`).
  func hasConflictClause(in database: Database) throws(StoreError) -> Bool {
    try database.statement(
      "SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = ?1 AND sql LIKE '%CONFLICT%'"
    ).bind(1, name).first { _ in true } != nil
  }

  /// The key of a line's row.
  func key(of line: RowLine) throws(TableError) -> [Cell] {
    var cells: [Cell] = []
    for name in key {
      guard let value = line.members[named: name], value != .null else { throw .missingKey(column: name) }
      cells.append((name, try columns[index(of: name)].value(value)))
    }
    return cells
  }
}

extension Statement {
  func bind(_ place: Int32, _ value: ColumnValue) {
    switch value {
    case .null: bind(place, Int64?.none)
    case .integer(let number): bind(place, number)
    case .real(let number): bind(place, number)
    case .text(let text): bind(place, text)
    case .blob(let bytes): bind(place, bytes)
    }
  }
}
