package import JSONLines
package import Store

/// A column with the time of each row's last edit, and its index, which finds new rows quickly.
package struct ClockColumn: Sendable {
  package let name: String
  private let column: Column
  /// The table in SQL, with the clause that makes SQLite use the index.
  private let indexed: String

  /// Finds a column and its index; nil if the table lacks one of them.
  package init?(_ name: String, of table: Table, in database: Database) throws(StoreError) {
    guard let column = table.columns.first(where: { $0.name.utf8.elementsEqual(name.utf8) }),
      column.form == .plain, !table.isView
    else { return nil }
    let index = try database.statement(
      "SELECT list.name FROM pragma_index_list(?1) list, pragma_index_info(list.name) info "
        + "WHERE info.seqno = 0 AND info.name = ?2 AND NOT list.partial"
    ).bind(1, table.name).bind(2, name).first { $0.text(0) }
    guard let index else { return nil }
    (self.name, self.column) = (name, column)
    indexed = "\(table.name.quotedName) INDEXED BY \(index.quotedName)"
    // An index with another collation cannot be used.
    guard (try? database.statement("SELECT 1 FROM \(indexed) WHERE \(name.quotedName) >= ?1")) != nil else {
      return nil
    }
  }

  /// Passes the values of the column as JSON, the greatest first, as long as `body` returns true.
  package func forEachValue(atMost limit: Int, in database: Database, _ body: (JSONValue) -> Bool)
    throws(StoreError)
  {
    let rows = try database.statement(
      "SELECT \(name.quotedName) FROM \(indexed) WHERE \(name.quotedName) IS NOT NULL "
        + "ORDER BY \(name.quotedName) DESC LIMIT ?1"
    ).bind(1, Int64(limit))
    defer { rows.reset() }
    while try rows.step() {
      let value: JSONValue
      switch rows.kind(0) {
      case .integer: value = .integer(rows.integer(0))
      case .real: value = .number("\(rows.real(0))")
      case .text: value = .string(rows.text(0))
      case .null, .blob: return
      }
      guard body(value) else { return }
    }
  }

  /// Whether the column has both numbers and texts, which SQLite does not sort by time.
  package func hasNumbersBesideTexts(in database: Database) throws(StoreError) -> Bool {
    try database.statement("SELECT 1 FROM \(indexed) WHERE \(name.quotedName) < '' LIMIT 1").first { _ in true
    } ?? false
  }

  /// Whether the column has positive numbers below `limit`, and numbers from it on.
  package func hasNumbers(onBothSidesOf limit: Int64, in database: Database) throws(StoreError) -> Bool {
    let clock = name.quotedName
    return try database.statement(
      "SELECT EXISTS (SELECT 1 FROM \(indexed) WHERE \(clock) > 0 AND \(clock) < ?1) "
        + "AND EXISTS (SELECT 1 FROM \(indexed) WHERE \(clock) >= ?1 AND \(clock) < '')"
    ).bind(1, limit).first { $0.integer(0) != 0 } ?? false
  }

  /// The clock from which rows may be new since `mark`: the mark itself, or its day.
  ///
  /// A space or a `T` follows the day. If texts of the mark's day have another character there that sorts
  /// first, later times may sort before the mark.
  package func start(at mark: JSONValue, in database: Database) throws(StoreError) -> JSONValue {
    guard case .string(let text) = mark, text.count > 10 else { return mark }
    let clock = name.quotedName
    let isMixed =
      try database.statement("SELECT 1 FROM \(indexed) WHERE \(clock) >= ?1 AND \(clock) < ?2 LIMIT 1")
      .bind(1, String(text.prefix(10))).bind(2, String(text.prefix(11))).first { _ in true } ?? false
    return isMixed ? .string(String(text.prefix(10))) : mark
  }

  /// The table, and a condition for rows with a clock of at least parameter 1.
  var newer: String { "\(indexed) WHERE \(name.quotedName) >= ?1" }

  /// A value of the column in the form of the database.
  func value(_ value: JSONValue) throws(TableError) -> ColumnValue { try column.value(value) }
}
