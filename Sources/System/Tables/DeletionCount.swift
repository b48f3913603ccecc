package import Store

/// Counts deleted rows of a table, and of the tables whose rows are deleted with them (`ON DELETE CASCADE`).
///
/// It counts with temporary triggers, which exist only in this connection. Comparing the numbers of rows before and
/// after would miss deletions if triggers insert rows.
package struct DeletionCount {
  private let database: Database
  /// The tables whose rows can be deleted, the written one first.
  private var tables: [(name: String, rowsBefore: Int)] = []

  /// Begins to count, in a transaction.
  package init(_ table: Table, in database: Database) throws {
    self.database = database
    try database.run("CREATE TEMP TABLE deletedByPeersync (number INTEGER PRIMARY KEY, count INTEGER)")
    var names: [String] = []
    // Virtual tables, which cannot have triggers, lack a root page.
    try database.statement(
      "WITH RECURSIVE touched (name, depth) AS (SELECT ?1, 0 UNION SELECT s.name, 1 FROM touched, "
        + "main.sqlite_schema AS s, pragma_foreign_key_list(s.name) AS keys WHERE s.type = 'table' "
        + "AND keys.\"table\" = touched.name COLLATE NOCASE AND keys.on_delete = 'CASCADE') "
        + "SELECT s.name, min(depth) FROM touched JOIN main.sqlite_schema AS s ON s.name = touched.name "
        + "WHERE s.type = 'table' AND s.rootpage > 0 GROUP BY s.name ORDER BY min(depth), s.name"
    ).bind(1, table.name).forEachRow { names.append($0.text(0)) }
    for (number, name) in names.enumerated() {
      let rows = try database.integer("SELECT count(*) FROM main.\(name.quotedName)") ?? 0
      tables.append((name, Int(rows)))
      try database.run(
        "INSERT INTO deletedByPeersync VALUES (\(number), 0); "
          + "CREATE TEMP TRIGGER deletedByPeersync\(number) AFTER DELETE ON main.\(name.quotedName) "
          + "BEGIN UPDATE deletedByPeersync SET count = count + 1 WHERE number = \(number); END")
    }
  }

  /// The tables with deleted rows, each with the number of these rows and the number of all rows before.
  package func deletions() throws -> [(table: String, count: Int, rowsBefore: Int)] {
    var deletions: [(table: String, count: Int, rowsBefore: Int)] = []
    try database.statement("SELECT number, count FROM temp.deletedByPeersync WHERE count > 0 ORDER BY number")
      .forEachRow { row in
        let table = tables[Int(row.integer(0))]
        deletions.append((table.name, Int(row.integer(1)), table.rowsBefore))
      }
    return deletions
  }
}
