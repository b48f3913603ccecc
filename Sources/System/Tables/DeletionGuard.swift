import Store

/// Notices rows of tables that must keep them, but that triggers delete together with another row.
///
/// It notices them with temporary triggers, which exist only in this connection.
struct DeletionGuard {
  private let database: Database
  /// The table whose rows are deleted.
  private let table: String
  /// The tables from which a trigger of the database deletes rows.
  private let watched: [String]

  init(_ table: Table, keeping others: [String], in database: Database) throws {
    (self.table, self.database) = (table.name, database)
    var (targets, tables) = ([String](), [String]())
    if !others.isEmpty {
      try database.statement(
        "SELECT sql FROM main.sqlite_schema WHERE type = 'trigger' AND sql LIKE '%DELETE%'"
      )
      .forEachRow { targets += TriggerWrite.deletionTargets(of: $0.text(0)) }
    }
    if !targets.isEmpty {
      // Views, and virtual tables, which cannot have triggers, lack a root page.
      try database.statement("SELECT name FROM main.sqlite_schema WHERE type = 'table' AND rootpage > 0")
        .forEachRow { tables.append($0.text(0)) }
    }
    watched = tables.filter { name in
      [others, targets].allSatisfy { $0.contains { TriggerWrite.isSame($0, name) } }
    }
  }

  /// Runs a deletion, which returns the number of its rows.
  ///
  /// If rows of a watched table vanish with them, undoes the deletion and returns the name of that table.
  func undoing(_ delete: () throws(StoreError) -> Int) throws(StoreError) -> String? {
    if watched.isEmpty {
      _ = try delete()
      return nil
    }
    try prepare()
    try database.run("SAVEPOINT oneDeletion")
    do throws(StoreError) {
      let found = try vanished(besides: delete())
      if found != nil { try database.run("ROLLBACK TO oneDeletion") }
      try database.run("RELEASE oneDeletion")
      return found
    } catch {
      database.undo(to: "oneDeletion")
      throw error
    }
  }

  /// Prepares the temporary triggers; a transaction that was rolled back has removed them.
  private func prepare() throws(StoreError) {
    try database.run(
      "CREATE TEMP TABLE IF NOT EXISTS vanishedForPeersync (name TEXT); DELETE FROM temp.vanishedForPeersync")
    for name in watched {
      let literal =
        "'" + name.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
      try database.run(
        "CREATE TEMP TRIGGER IF NOT EXISTS \("vanishedForPeersync \(name)".quotedName) AFTER DELETE "
          + "ON main.\(name.quotedName) BEGIN INSERT INTO vanishedForPeersync VALUES (\(literal)); END")
    }
  }

  /// A table that has lost more rows than were deleted; `count` rows of the own table were deleted.
  private func vanished(besides count: Int) throws(StoreError) -> String? {
    try database.statement(
      "SELECT name FROM temp.vanishedForPeersync GROUP BY name "
        + "HAVING count(*) > CASE WHEN name = ?1 THEN ?2 ELSE 0 END LIMIT 1"
    ).bind(1, table).bind(2, Int64(count)).first { $0.text(0) }
  }
}

extension Database {
  /// Undoes the changes since a savepoint and removes it, after an error.
  ///
  /// A trigger with RAISE(ROLLBACK) has removed the savepoint already.
  func undo(to savepoint: String) {
    guard isInTransaction else { return }
    try? run("ROLLBACK TO \(savepoint)")
    try? run("RELEASE \(savepoint)")
  }
}
