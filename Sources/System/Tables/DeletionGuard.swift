import JSONLines
import Store

/// Detects that triggers or cascades delete rows, together with another row, that their tables must keep.
///
/// It uses temporary triggers, which exist only in this connection.
struct DeletionGuard {
  private let database: Database
  /// The table whose rows are deleted.
  private let table: String
  private let watched: [(name: String, key: [String])]
  /// Whether a row may be deleted too, as the caller decides.
  private let isDeleted: (KeyedRow) -> Bool

  init(
    _ table: Table, keeping others: [String], in database: Database, isDeleted: @escaping (KeyedRow) -> Bool
  ) throws {
    (self.table, self.database, self.isDeleted) = (table.name, database, isDeleted)
    let mayDelete = try database.integer(
      "SELECT 1 FROM main.sqlite_schema WHERE sql LIKE '%CASCADE%' OR type = 'trigger' AND sql LIKE '%DELETE%' LIMIT 1"
    )
    var tables: [String] = []
    if mayDelete != nil {
      // Views, and virtual tables, which cannot have triggers, lack a root page.
      try database.statement("SELECT name FROM main.sqlite_schema WHERE type = 'table' AND rootpage > 0")
        .forEachRow { tables.append($0.text(0)) }
    }
    watched = try tables.filter { name in others.contains { TriggerWrite.isSame($0, name) } }
      .map { ($0, try Table($0, in: database).key) }
  }

  /// Runs a deletion, which returns the number of its rows.
  ///
  /// If this also deletes rows that a watched table must keep, undoes the deletion and returns the name of
  /// that table.
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
    let found = try database.integer("SELECT 1 FROM temp.sqlite_master WHERE name = 'vanishedForPeersync'")
    if found != nil { return try database.statement("DELETE FROM temp.vanishedForPeersync").run() }
    let columns = Self.columns(watched.map(\.key.count).max() ?? 0)
    try database.run(
      "CREATE TEMP TABLE vanishedForPeersync (\((["name"] + columns).joined(separator: ", ")))")
    for (name, key) in watched {
      let values = [name.quotedText] + key.map { "old.\($0.quotedName)" }
      let own = (["name"] + Self.columns(key.count)).joined(separator: ", ")
      try database.run(
        "CREATE TEMP TRIGGER \("vanishedForPeersync \(name)".quotedName) AFTER DELETE ON main.\(name.quotedName) "
          + "BEGIN INSERT INTO vanishedForPeersync (\(own)) VALUES (\(values.joined(separator: ", "))); END")
    }
  }

  private static func columns(_ count: Int) -> [String] { (0..<count).map { "value\($0)" } }

  /// The name of a table that has lost rows that it must keep; nil without one.
  ///
  /// `count` is the number of rows that the deletion itself has removed.
  private func vanished(besides count: Int) throws(StoreError) -> String? {
    for (name, key) in watched {
      var (deleted, others) = (0, 0)
      let columns = (["name"] + Self.columns(key.count)).joined(separator: ", ")
      let rows = try database.statement("SELECT \(columns) FROM temp.vanishedForPeersync WHERE name = ?1")
        .bind(1, name)
      while try rows.step() {
        let members = key.indices.compactMap { index in
          rows.json(Int32(index + 1)).map { JSONMember(key[index], $0) }
        }
        let isKnown = !key.isEmpty && members.count == key.count
        if isKnown && isDeleted(KeyedRow(table: name, members: members)) { deleted += 1 } else { others += 1 }
      }
      // The key of the deleted row itself may have a form that is not known here.
      let own = name == table && deleted == 0 ? count : 0
      if others > own { return name }
    }
    return nil
  }
}

extension Statement {
  /// A value of a key as JSON; nil for null and bytes.
  fileprivate func json(_ index: Int32) -> JSONValue? {
    switch kind(index) {
    case .integer: .integer(integer(index))
    case .real: .number("\(real(index))")
    case .text: .string(text(index))
    case .null, .blob: nil
    }
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
