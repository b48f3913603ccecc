import Store

/// Rows that exchange unique values.
extension TableWriter {
  /// Frees the unique values of a row that will change; returns whether the row was deleted for this.
  ///
  /// The row gets temporary values, which are not negative, because a table can require that; null stays
  /// null, and a reference to another row becomes null. If the table refuses these values, those that may be
  /// null become null. If it refuses this too, the row is deleted, so that its line inserts it again.
  func park(_ line: RowLine) throws -> Bool {
    if line.isDeletion { return false }
    let (key, unique, references) = try (table.key(of: line), uniqueColumns(), emptyableReferences())
    let values = try values(of: line).filter { cell in unique?.contains(cell.column) ?? true }
    guard !values.isEmpty else { return false }
    let emptyable = try Set(
      columns("SELECT name FROM pragma_table_info(?1) WHERE NOT \"notnull\" AND NOT pk"))
    for emptied in [references, emptyable] {
      let sets = values.enumerated().map { index, cell in
        let column = cell.column.quotedName
        let isKept = "\(column) IS NULL OR \(column) IS ?\(index + 1) COLLATE BINARY"
        let other =
          emptied.contains(cell.column)
          ? "ELSE NULL END"
          : "WHEN typeof(\(column)) IN ('integer', 'real') THEN random() & 9223372036854775807 "
            + "ELSE hex(randomblob(16)) END"
        return "\(column) = CASE WHEN \(isKept) THEN \(column) \(other)"
      }
      let update =
        "UPDATE \(orAbort)\(table.name.quotedName) SET \(sets.joined(separator: ", ")) "
        + "WHERE \(key.matching(from: values.count))"
      if try accepts(update, values + key) { return false }
    }
    guard try isWhole(line), try deletesQuietly() else { return false }
    try deferForeignKeys()
    return try accepts("DELETE FROM \(table.name.quotedName) WHERE \(key.matching(from: 0))", key)
  }

  /// Runs a statement; false if the table refuses it, and then nothing has changed.
  private func accepts(_ statement: String, _ cells: [Cell]) throws(StoreError) -> Bool {
    try database.run("SAVEPOINT parking")
    do throws(StoreError) {
      try run(statement, cells)
      try database.run("RELEASE parking")
      return true
    } catch {
      database.undo(to: "parking")
      guard case .other(let code, _) = error, Self.isRefusal(code), database.isInTransaction else {
        throw error
      }
      return false
    }
  }

  /// Whether a line sets all columns, so that a deleted row gets all its values again.
  private func isWhole(_ line: RowLine) throws -> Bool {
    let known = Set(try (table.key(of: line) + values(of: line)).map(\.column) + line.emptied)
    return try columns("SELECT name FROM pragma_table_info(?1)").allSatisfy { known.contains($0) }
  }

  /// Whether a row can be deleted and inserted again without a trace: no foreign key has an action on
  /// deletions, and no trigger on deletions or insertions writes.
  private func deletesQuietly() throws -> Bool {
    let acting = try columns(
      "SELECT others.name FROM sqlite_schema AS others, pragma_foreign_key_list(others.name) AS referring "
        + "WHERE others.type = 'table' AND referring.\"table\" = ?1 COLLATE NOCASE "
        + "AND referring.on_delete NOT IN ('NO ACTION', 'RESTRICT')")
    guard acting.isEmpty else { return false }
    return try columns(
      "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?1 COLLATE NOCASE"
    ).allSatisfy { !TriggerWrite.writesOnReplacing($0) }
  }

  /// The columns of unique indexes; nil if such an index has an expression, which may use any column.
  private func uniqueColumns() throws -> Set<String>? {
    let parts = "FROM pragma_index_list(?1) AS indices, pragma_index_info(indices.name) AS parts"
    let unique = "\(parts) WHERE indices.\"unique\""
    guard try columns("SELECT indices.name \(unique) AND parts.cid = -2").isEmpty else { return nil }
    return try Set(columns("SELECT DISTINCT parts.name \(unique) AND parts.name IS NOT NULL"))
  }

  /// The columns of foreign keys that can be null, and that no foreign key refers to.
  private func emptyableReferences() throws -> Set<String> {
    try Set(
      columns(
        "SELECT columns.name FROM pragma_foreign_key_list(?1) AS keys JOIN pragma_table_info(?1) AS columns "
          + "ON columns.name = keys.\"from\" COLLATE NOCASE WHERE NOT columns.\"notnull\" AND NOT EXISTS ("
          + "SELECT 1 FROM sqlite_schema AS others, pragma_foreign_key_list(others.name) AS referring "
          + "WHERE others.type = 'table' AND referring.\"table\" = ?1 COLLATE NOCASE "
          + "AND referring.\"to\" = columns.name COLLATE NOCASE)"))
  }

  /// The texts that a query about the table returns.
  private func columns(_ query: String) throws -> [String] {
    var names: [String] = []
    try database.statement(query).bind(1, table.name).forEachRow { names.append($0.text(0)) }
    return names
  }
}
