package import JSONLines
package import Store

/// A foreign key: the columns of one table, `child`, that name a row of another, `parent`.
struct ForeignKey {
  var parent: String
  var columns: [(child: String, parent: String)] = []
  /// Whether the child's row stays unchanged when its parent is deleted, and so prevents the deletion.
  var isKept: Bool
  /// Whether the child's row is deleted together with its parent.
  var isCascade: Bool

  /// The foreign keys of a table.
  ///
  /// Without column names, a foreign key refers to the primary key.
  static func all(of child: String, in database: Database) throws -> [ForeignKey] {
    var keys: [Int64: ForeignKey] = [:]
    try database.statement(
      "SELECT id, \"table\", \"from\", coalesce(\"to\", "
        + "(SELECT name FROM pragma_table_info(keys.\"table\") WHERE pk = keys.seq + 1), 'rowid'), on_delete "
        + "FROM pragma_foreign_key_list(?1) AS keys ORDER BY id, seq"
    ).bind(1, child).forEachRow { row in
      let action = row.text(4)
      let isKept = ["NO ACTION", "RESTRICT"].contains(action)
      let key = ForeignKey(parent: row.text(1), isKept: isKept, isCascade: action == "CASCADE")
      keys[row.integer(0), default: key].columns.append((row.text(2), row.text(3)))
    }
    return keys.sorted { $0.key < $1.key }.map(\.value)
  }
}

/// The foreign keys of a table and those that refer to it, each read from the database once.
///
/// Each is kept, because many rows may be refused while the database is locked.
final class ForeignKeys {
  private let table: Table
  private let database: Database
  private var knownOwn: [ForeignKey]?
  private var knownReferring: [(child: String, key: ForeignKey)]?

  init(_ table: Table, _ database: Database) { (self.table, self.database) = (table, database) }

  /// The foreign keys of the table.
  func own() throws -> [ForeignKey] {
    if let knownOwn { return knownOwn }
    let keys = try ForeignKey.all(of: table.name, in: database)
    knownOwn = keys
    return keys
  }

  /// The foreign keys that refer to the table, each with its table, in the order of the names.
  func referring() throws -> [(child: String, key: ForeignKey)] {
    if let knownReferring { return knownReferring }
    var children: [String] = []
    try database.statement(
      "SELECT DISTINCT s.name FROM main.sqlite_schema AS s, pragma_foreign_key_list(s.name) AS keys "
        + "WHERE s.type = 'table' AND keys.\"table\" = ?1 COLLATE NOCASE ORDER BY s.name"
    ).bind(1, table.name).forEachRow { children.append($0.text(0)) }
    let keys = try children.flatMap { child in
      try ForeignKey.all(of: child, in: database).filter { TriggerWrite.isSame($0.parent, table.name) }
        .map { (child, $0) }
    }
    knownReferring = keys
    return keys
  }
}

/// A row by the values of its key, or of the columns to which another row refers.
package struct KeyedRow: Equatable, Sendable {
  package let table: String
  package let members: [JSONMember]

  package init(table: String, members: [JSONMember]) {
    (self.table, self.members) = (table, members)
  }
}

extension TableWriter {
  /// The error that names the row that a foreign key lacks, or the table whose rows still refer to the
  /// deleted row.
  ///
  /// Returns the same error if neither is found.
  func explained(_ error: TableError, of line: RowLine) -> TableError {
    guard case .refused(let reason) = error else { return error }
    let found = try? line.isDeletion ? referring(to: line) : lacked(by: line, reason)
    return (found ?? nil) ?? error
  }

  private func lacked(by line: RowLine, _ reason: String) throws -> TableError? {
    for key in try foreignKeys.own() where !refersToItself(line, by: key) {
      var (members, cells) = ([JSONMember](), [Cell]())
      for (child, parent) in key.columns {
        guard let column = table.column(spelled: child), let value = line.members[named: column.name],
          value != .null
        else { break }
        members.append(JSONMember(parent, value))
        cells.append((parent, try column.value(value)))
      }
      if try cells.count == key.columns.count && !has(cells, in: key.parent) {
        return .lacksRow(reason, KeyedRow(table: key.parent, members: members))
      }
    }
    return nil
  }

  /// Whether the row of a line is its own parent; then it does not have to wait for another row.
  private func refersToItself(_ line: RowLine, by key: ForeignKey) -> Bool {
    TriggerWrite.isSame(key.parent, table.name)
      && key.columns.allSatisfy { columns in
        guard let child = table.column(spelled: columns.child),
          let parent = table.column(spelled: columns.parent),
          let value = line.members[named: child.name]
        else { return false }
        return value == line.members[named: parent.name]
      }
  }

  /// The error that names the table whose rows refer to the deleted row of a line; nil without such rows.
  func referring(to line: RowLine) throws -> TableError? {
    let own = try table.key(of: line)
    for (child, key) in try foreignKeys.referring() where key.isKept {
      let cells = key.columns.compactMap { column in
        own.first { TriggerWrite.isSame($0.column, column.parent) }.map { (column.child, $0.value) }
      }
      if try cells.count == key.columns.count && has(cells, in: child) { return .isReferred(by: child) }
    }
    return nil
  }

  private func has(_ cells: [Cell], in other: String) throws -> Bool {
    try bound("SELECT 1 FROM \(other.quotedName) WHERE \(cells.matching(from: 0)) LIMIT 1", cells)
      .first { _ in true } != nil
  }
}

extension Table {
  /// The names of the tables to which foreign keys of this table refer, as the keys spell them.
  package func parents(in database: Database) throws -> [String] {
    try ForeignKey.all(of: name, in: database).map(\.parent)
  }

  /// The column with a name that may differ in case.
  func column(spelled name: String) -> Column? {
    columns.first { TriggerWrite.isSame($0.name, name) }
  }
}
