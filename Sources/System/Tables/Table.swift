package import JSONLines
package import Store

extension Table {
  /// The value of each column in rows that are older than the column, in a reader's form; null is left out.
  ///
  /// To find it, SQLite adds the column to a temporary table, and converts the default to the column's type.
  package func defaults() throws(StoreError) -> [String: JSONValue] {
    let memory = try Database(Database.inMemory, wait: .zero)
    var values: [String: JSONValue] = [:]
    for column in columns {
      guard let fallback = column.fallback else { continue }
      // Rows cannot contain a default that cannot be computed or written.
      try? memory.transaction {
        try memory.run(
          "DROP TABLE IF EXISTS one; CREATE TABLE one (earlier); INSERT INTO one DEFAULT VALUES; "
            + "ALTER TABLE one ADD COLUMN \(column.name.quotedName) \(column.type) DEFAULT \(fallback)")
        var table = try Table("one", in: memory)
        table.columns[1].form = column.form
        try TableReader(table, in: memory).forEachRow { row in
          if let value = try JSONValue(parsing: row)[column.name], value != .null {
            values[column.name] = value
          }
        }
      }
    }
    return values
  }
}

/// A table of an SQLite database that belongs to another program.
package struct Table: Sendable {
  /// The name in the database's spelling.
  package let name: String
  package private(set) var columns: [Column]
  /// The columns that identify a row: the primary key, or the columns that the user has named instead.
  package private(set) var key: [String]
  package let isView: Bool
  /// Whether a row without a key gets the number after the greatest key.
  package private(set) var countsKeys: Bool
  /// The names of generated columns that are neither read nor written.
  package private(set) var leftOut: Set<String> = []
  /// The deepest nesting of a value that is read from a column of JSON texts; the row adds one level around
  /// it.
  package var deepest = JSONDepth.limit - 1

  /// Looks up a table or a view; SQLite does not distinguish `a` and `A`.
  package init(_ name: String, in database: Database) throws {
    let found = try database.statement(
      "SELECT name, type FROM sqlite_schema WHERE type IN ('table', 'view') AND name = ?1 COLLATE NOCASE"
    ).bind(1, name).first { ($0.text(0), $0.text(1)) }
    guard let found else { throw TableError.noTable(name, others: try Self.names(in: database)) }
    (self.name, isView) = (found.0, found.1 == "view")
    var columns: [Column] = []
    var key: [(place: Int64, name: String, isInteger: Bool)] = []
    try database.statement(
      "SELECT name, type, pk, hidden, dflt_value, \"notnull\" FROM pragma_table_xinfo(?1)"
    ).bind(
      1, self.name
    )
    .forEachRow { row in
      let isBoolean = ["bool", "boolean"].contains(row.text(1).lowercased())
      // The value 1 marks a hidden column of a virtual table.
      guard row.integer(3) != 1 else { return }
      columns.append(
        Column(
          name: row.text(0), form: isBoolean ? .boolean : .plain, isGenerated: row.integer(3) > 1,
          fallback: row.isNull(4) ? nil : Column.expression(ofDefault: row.text(4)),
          isRequired: row.integer(5) != 0, type: row.text(1)))
      if row.integer(2) > 0 {
        key.append((row.integer(2), row.text(0), row.text(1).uppercased() == "INTEGER"))
      }
    }
    self.columns = columns
    countsKeys = key.count == 1 && key[0].isInteger
    self.key = key.sorted { $0.place < $1.place }.map(\.name)
  }

  private static func names(in database: Database) throws -> [String] {
    var names: [String] = []
    try database.statement(
      "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite!_%' ESCAPE '!' "
        + "ORDER BY name"
    ).forEachRow { names.append($0.text(0)) }
    return names
  }

  /// Sets the form of the named columns.
  package mutating func setForm(_ form: Column.Form, of names: [String]) throws(TableError) {
    for name in names { columns[try index(of: name)].form = form }
  }

  /// Restricts reading and writing to these columns, in this order; a repeated name counts once.
  package mutating func keep(_ names: [String]) throws(TableError) {
    var kept: [Column] = []
    for name in names where !kept.contains(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
      kept.append(columns[try index(of: name)])
    }
    columns = kept
  }

  /// Leaves out the generated columns, except those of the key and those in `kept`.
  package mutating func leaveOutGenerated(except kept: [String]) {
    let needed = key + kept
    let isLeftOut = { (column: Column) in column.isGenerated && !needed.contains(column.name) }
    leftOut = Set(columns.filter(isLeftOut).map(\.name))
    columns = columns.filter { !isLeftOut($0) }
  }

  package mutating func setKey(_ names: [String]) throws(TableError) {
    for name in names { _ = try index(of: name) }
    (key, countsKeys) = (names, false)
  }

  /// The columns of the key if two rows may have equal values in them; otherwise, and for a view, empty.
  ///
  /// A column decides which values are equal. So an index that distinguishes more values does not help.
  package func sharableKey(in database: Database) throws(StoreError) -> [String] {
    if isView { return [] }
    // An INTEGER PRIMARY KEY does not have an index. An expression in an index does not have a name.
    let rows = try database.statement(
      "SELECT '', name, NULL FROM pragma_table_info(?1) WHERE pk > 0 "
        + "AND NOT EXISTS (SELECT 1 FROM pragma_index_list(?1) WHERE origin = 'pk') UNION ALL "
        + "SELECT list.name, coalesce(info.name, ''), info.coll FROM pragma_index_list(?1) AS list, "
        + "pragma_index_xinfo(list.name) AS info WHERE list.\"unique\" AND NOT list.partial AND info.\"key\""
    ).bind(1, name)
    var unique: [String: Set<String>] = [:]
    while try rows.step() {
      let (index, column, collation) = (rows.text(0), rows.text(1), rows.text(2))
      let own = database.collation(of: column, in: name) ?? ""
      // Values with the same bytes are equal by any collation.
      let isSame = rows.isNull(2) || [collation, "BINARY"].contains { TriggerWrite.isSame($0, own) }
      unique[index, default: []].insert(isSame ? column : "")
    }
    return unique.values.contains { $0.isSubset(of: key) } ? [] : key
  }

  package var quotedName: String { name.quotedName }

  /// The index of the column with exactly this name.
  func index(of name: String) throws(TableError) -> Int {
    guard let index = columns.firstIndex(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
      throw .noColumn(name, table: self.name, others: columns.map(\.name))
    }
    return index
  }
}

extension String {
  /// The name, quoted for an SQL statement.
  package var quotedName: String {
    "\"" + parts(at: "\"").joined(separator: "\"\"") + "\""
  }

  /// The text as a literal of an SQL statement.
  package var quotedText: String {
    "'" + parts(at: "'").joined(separator: "''") + "'"
  }
}
