package import Store

/// Counts deleted rows of a table, and of the tables whose rows triggers or cascades delete with them.
///
/// It counts with temporary triggers, which exist only in this connection. Comparing the numbers of rows before and
/// after would miss deletions if triggers insert rows. For a table that only triggers reach, the count is at most this
/// difference: a trigger for each edit may delete a row, for example of a search index, and insert it again.
package struct DeletionCount {
  private let database: Database
  /// The tables whose rows can be deleted, the written one first; `isOfTriggers` if only triggers reach it.
  private var tables: [(name: String, isOfTriggers: Bool, rowsBefore: Int)] = []

  /// Begins to count, in a transaction.
  package init(_ table: Table, in database: Database) throws {
    self.database = database
    try database.run("CREATE TEMP TABLE deletedByPeersync (number INTEGER PRIMARY KEY, count INTEGER)")
    var found: [(name: String, isOfTriggers: Bool)] = []
    for start in try [table.name] + TriggerWrite.tablesOfDeletions(in: database) {
      // Virtual tables and SQLite's own tables cannot have triggers; the former lack a root page.
      try database.statement(
        "WITH RECURSIVE touched (name, depth) AS (SELECT ?1, 0 UNION SELECT s.name, 1 FROM touched, "
          + "main.sqlite_schema AS s, pragma_foreign_key_list(s.name) AS keys WHERE s.type = 'table' "
          + "AND keys.\"table\" = touched.name COLLATE NOCASE AND keys.on_delete = 'CASCADE') "
          + "SELECT s.name, min(depth) FROM touched JOIN main.sqlite_schema AS s "
          + "ON s.name = touched.name COLLATE NOCASE WHERE s.type = 'table' AND s.rootpage > 0 "
          + "AND s.name NOT LIKE 'sqlite!_%' ESCAPE '!' GROUP BY s.name ORDER BY min(depth), s.name"
      ).bind(1, start).forEachRow { row in
        let name = row.text(0)
        if !found.contains(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
          found.append((name, start != table.name))
        }
      }
    }
    for (number, (name, isOfTriggers)) in found.enumerated() {
      try tables.append((name, isOfTriggers, rowCount(of: name)))
      try database.run(
        "INSERT INTO deletedByPeersync VALUES (\(number), 0); "
          + "CREATE TEMP TRIGGER deletedByPeersync\(number) AFTER DELETE ON main.\(name.quotedName) "
          + "BEGIN UPDATE deletedByPeersync SET count = count + 1 WHERE number = \(number); END")
    }
  }

  private func rowCount(of table: String) throws -> Int {
    Int(try database.integer("SELECT count(*) FROM main.\(table.quotedName)") ?? 0)
  }

  /// The tables with deleted rows, each with the number of these rows and the number of all rows before.
  package func deletions() throws -> [(table: String, count: Int, rowsBefore: Int)] {
    var counts: [(table: Int, count: Int)] = []
    try database.statement("SELECT number, count FROM temp.deletedByPeersync WHERE count > 0 ORDER BY number")
      .forEachRow { row in counts.append((Int(row.integer(0)), Int(row.integer(1)))) }
    var deletions: [(table: String, count: Int, rowsBefore: Int)] = []
    for (place, count) in counts {
      let table = tables[place]
      let lost = try table.isOfTriggers ? min(count, table.rowsBefore - rowCount(of: table.name)) : count
      if lost > 0 { deletions.append((table.name, lost, table.rowsBefore)) }
    }
    return deletions
  }
}
