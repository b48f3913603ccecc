package import Store
import JSONLines

/// Writes rows into a table after comparing each with the existing row; an equal row is not changed.
///
/// The table's constraints, triggers and foreign keys apply; a refused row does not change the table. It is
/// used in a transaction of a database whose `foreign_keys` are on.
package struct TableWriter {
  package enum Outcome: Sendable {
    case inserted, updated, deleted
    /// The row already had this content, or a row to delete was already missing.
    case same
    /// The table does not accept the row yet; later rows may change this.
    case waits(TableError, for: Need)
  }

  /// The reason why a row waits.
  package enum Need: Sendable {
    /// It waits for a row to which it refers, or until another row no longer refers to it.
    case row
    /// It waits as for `row`, but the table checks this only at the end of a transaction (`INITIALLY
    /// DEFERRED`), so rows that need each other can be written together.
    case rowAtEnd
    /// It waits for a unique value that another row still has.
    case value
  }

  let table: Table
  let database: Database
  /// Whether members without a column are skipped.
  private let isSelective: Bool
  /// Whether the caller writes rows of several tables together, with foreign keys that are all checked at the
  /// end of its transaction.
  private let isTogether: Bool
  /// Whether a row that lacks another row at the end of a transaction is undone at once; otherwise the
  /// transaction could not be committed.
  var checksEachRow: Bool
  /// Whether the database has a trigger or constraint with FAIL, or a trigger with RAISE(IGNORE).
  ///
  /// Their refusals do not undo the changes of the row, so we do.
  private let mayFail: Bool
  /// `OR ABORT `, which refuses a row with an equal unique value, if a constraint of the table has another
  /// rule; otherwise empty.
  ///
  /// It is used only then, because SQLite applies this clause also to the statements of triggers.
  private let orAbort: String
  /// Statements that find rows that must not be deleted together with a row of this table.
  private let dependents: [(table: String, look: String)]
  /// As `dependents`, for the rows of this table; empty if `dependents` contains these statements.
  private let ownDependents: [String]
  private let deletionGuard: DeletionGuard
  let foreignKeys: ForeignKeys
  private let ownReferences: [OwnReference]
  private let keyComparisons: [ValueComparison]

  /// `isSelective` is true if the user has named the columns to write.
  ///
  /// `isTogether` is true inside a transaction with ``Database/deferForeignKeys(_:)``; then rows do not wait
  /// for the rows to which they refer, and the caller finds those that lack one (``lacking(_:isNew:)``).
  ///
  /// A row is not deleted while a cascade or a trigger would also delete rows of the tables in `keeping`, except rows for
  /// which `isDeleted` is true.
  package init(
    _ table: Table, in database: Database, isSelective: Bool, isTogether: Bool = false,
    keeping others: [String] = [], isDeleted: @escaping (KeyedRow) -> Bool = { _ in false }
  ) throws {
    if table.isView { throw TableError.isView(table.name) }
    if table.key.isEmpty { throw TableError.noKey(table: table.name) }
    for name in table.key { _ = try table.index(of: name) }
    (self.table, self.database, self.isSelective) = (table, database, isSelective)
    self.isTogether = isTogether
    checksEachRow =
      try !isTogether
      && database.integer("SELECT 1 FROM sqlite_schema WHERE sql LIKE '%DEFERRED%' LIMIT 1") != nil
    mayFail =
      try Self.isInRules("FAIL", of: database) || Self.isInRules("RAISE%IGNORE", of: database)
    orAbort = try table.hasConflictClause(in: database) ? "OR ABORT " : ""
    deletionGuard = try DeletionGuard(table, keeping: others, in: database, isDeleted: isDeleted)
    foreignKeys = ForeignKeys(table, database)
    ownReferences = try table.ownReferences(in: database)
    keyComparisons = table.key.map { ValueComparison(of: $0, in: table, database) }
    dependents = try others.flatMap { other in
      try table.references(from: other, in: database).map { (other, $0) }
    }
    let isKept = others.contains { TriggerWrite.isSame($0, table.name) }
    ownDependents = try isKept ? [] : table.references(from: table.name, in: database)
  }

  package func rowCount() throws(StoreError) -> Int {
    Int(try database.integer("SELECT count(*) FROM \(table.name.quotedName)") ?? 0)
  }

  /// Throws `sharedKey` if rows have the same values in the key columns, because a line would change them all.
  package func requireUniqueKeys() throws {
    let columns = table.key.map(\.quotedName)
    let isThere = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    let isShared = try database.integer(
      "SELECT 1 FROM \(table.name.quotedName) WHERE \(isThere) GROUP BY \(columns.joined(separator: ", ")) "
        + "HAVING count(*) > 1 LIMIT 1")
    if isShared != nil { throw TableError.sharedKey(table.key, table: table.name) }
  }

  /// Writes a row; throws a `TableError` if the table refuses it, and a `StoreError` if the database fails.
  package func write(_ line: RowLine) throws -> Outcome {
    let key = try table.key(of: line)
    let values = try line.isDeletion ? [] : values(of: line)
    do throws(StoreError) {
      return try checked { () throws(StoreError) in
        try line.isDeletion ? delete(key) : upsert(key, values, emptying: fallbacks(of: line))
      }
    } catch .other(let code, let message) where Self.isRefusal(code) && database.isInTransaction {
      if Self.uniqueCodes.contains(code) { return .waits(.refused(message), for: .value) }
      guard code == Self.foreignKey else { throw TableError.refused(message) }
      return .waits(.refused(message), for: .row)
    } catch .tooLarge {
      throw TableError.refused("larger than the database accepts")
    } catch {
      guard let other = error.missingTable else { throw error }
      throw TableError.missingTable(other, referrer: table.name)
    }
  }

  /// Runs the write of a row, and undoes it if it fails, or if a deferred foreign key then lacks its row.
  private func checked(_ write: () throws(StoreError) -> Outcome) throws(StoreError) -> Outcome {
    guard checksEachRow || mayFail else { return try write() }
    try run("SAVEPOINT oneRow", [])
    do throws(StoreError) {
      let outcome = try write()
      let isLacking = checksEachRow && database.lacksReferredRows
      if isLacking { try run("ROLLBACK TO oneRow", []) }
      try run("RELEASE oneRow", [])
      return isLacking ? .waits(.refused("FOREIGN KEY constraint failed"), for: .rowAtEnd) : outcome
    } catch {
      database.undo(to: "oneRow")
      throw error
    }
  }

  /// Whether the error comes from a trigger that has rolled the transaction back with RAISE(ROLLBACK).
  func isRollback(_ error: any Error) -> Bool {
    guard case StoreError.other(let code, _) = error else { return false }
    return Self.isRefusal(code) && !database.isInTransaction
  }

  /// Whether a trigger of the database, or a constraint of a table that it writes to, may roll the transaction back.
  package static func canRollBack(in database: Database) throws(StoreError) -> Bool {
    try isInRules("ROLLBACK", of: database)
  }

  /// Whether a trigger, or the rule of a constraint, contains a keyword.
  private static func isInRules(_ keyword: String, of database: Database) throws(StoreError) -> Bool {
    try database.integer(
      "SELECT 1 FROM sqlite_schema WHERE type = 'trigger' AND sql LIKE '%\(keyword)%' "
        + "OR sql LIKE '%CONFLICT%\(keyword)%' LIMIT 1") != nil
  }

  /// Whether a code is SQLITE_MISMATCH, SQLITE_CONSTRAINT, or one of the extended codes of the latter.
  private static func isRefusal(_ code: Int) -> Bool { [19, 20].contains(code & 0xFF) }

  /// SQLITE_CONSTRAINT_FOREIGNKEY.
  private static let foreignKey = 787
  /// The refusal of a trigger with RAISE(IGNORE), which SQLite does not report; SQLITE_CONSTRAINT_TRIGGER.
  ///
  /// A trigger that changes the row in another way, for example to mark it as deleted, does not refuse.
  private static let ignored = StoreError.other(code: 1811, message: "a trigger ignores the row")
  /// SQLITE_CONSTRAINT_UNIQUE and _PRIMARYKEY.
  private static let uniqueCodes = [2067, 1555]

  // MARK: Rows that need each other

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

  // MARK: Values

  /// The values of the columns other than the key.
  private func values(of line: RowLine) throws(TableError) -> [Cell] {
    var cells: [Cell] = []
    for member in line.members where !table.key.contains(where: { $0.utf8.elementsEqual(member.name.utf8) }) {
      guard let column = table.columns.first(where: { $0.name.utf8.elementsEqual(member.name.utf8) }) else {
        if isSelective { continue }
        throw .noColumn(member.name.shown, table: table.name, others: table.columns.map(\.name))
      }
      if !column.isGenerated { cells.append((column.name, try column.value(member.value))) }
    }
    return cells
  }

  /// The columns that a line empties, each with the SQL expression for a row without a value.
  private func fallbacks(of line: RowLine) -> [(column: String, value: String)] {
    table.columns.compactMap { column in
      guard !column.isGenerated, !table.key.contains(column.name), line.emptied.contains(column.name),
        !column.isRequired || column.fallback != nil
      else { return nil }
      return (column.name, column.fallback ?? "(NULL)")
    }
  }

  // MARK: Statements

  private func upsert(
    _ key: [Cell], _ values: [Cell], emptying fallbacks: [(column: String, value: String)]
  ) throws(StoreError) -> Outcome {
    let assigned =
      values.enumerated().map { (column: $1.column.quotedName, value: expression(of: $1, at: $0 + 1)) }
      + fallbacks.map { (column: $0.column.quotedName, value: $0.value) }
    // Compare the stored values exactly, without the collation of the column.
    let differs = assigned.map { "\($0.column) IS NOT \($0.value) COLLATE BINARY" }
    if !assigned.isEmpty {
      let sets = assigned.map { "\($0.column) = \($0.value)" }.joined(separator: ", ")
      let condition = "\(key.matching(from: values.count)) AND (\(differs.joined(separator: " OR ")))"
      let update = "UPDATE \(orAbort)\(table.name.quotedName) SET \(sets) WHERE \(condition)"
      let before = database.totalChanges
      try run(update, values + key)
      if database.changes > 0 { return .updated }
      if database.totalChanges > before { return try outcome(ofIgnored: update, values + key, key) }
      if mayFail, try has(condition, values + key) { throw Self.ignored }
    }
    if try isStored(key) { return .same }
    // A generated key follows from the other values.
    let all =
      key.filter { cell in !table.columns.contains { $0.isGenerated && $0.name == cell.column } } + values
    try run(
      "INSERT \(orAbort)INTO \(table.name.quotedName) (\(all.map(\.column.quotedName).joined(separator: ", "))) "
        + "VALUES (\(all.indices.map { "?\($0 + 1)" }.joined(separator: ", ")))", all)
    if database.changes == 0, try !isStored(key) { throw Self.ignored }
    return .inserted
  }

  /// The SQL expression of a row's new value, which is the parameter at `place`.
  ///
  /// A nested column keeps the JSON text `null`, because it is read as null too.
  private func expression(of cell: Cell, at place: Int) -> String {
    guard case .null = cell.value,
      table.columns.contains(where: { $0.form == .nested && $0.name.utf8.elementsEqual(cell.column.utf8) })
    else { return "?\(place)" }
    let column = cell.column.quotedName
    return "CASE trim(\(column), char(9, 10, 13, 32)) WHEN 'null' THEN \(column) ELSE ?\(place) END"
  }

  private func isStored(_ key: [Cell]) throws(StoreError) -> Bool { try has(key.matching(from: 0), key) }

  /// Whether a row meets a condition, whose parameters are `cells`.
  private func has(_ condition: String, _ cells: [Cell]) throws(StoreError) -> Bool {
    try bound("SELECT 1 FROM \(table.name.quotedName) WHERE \(condition)", cells).first { _ in true } != nil
  }

  /// Whether a statement finds rows that would be deleted together with the row of a key.
  private func hasDependents(_ look: String, _ key: [Cell]) throws(StoreError) -> Bool {
    try bound("\(look) WHERE \(key.matching(from: 0, of: "parent")) LIMIT 1", key).first { _ in true } != nil
  }

  private func delete(_ key: [Cell]) throws(StoreError) -> Outcome {
    for (other, look) in dependents {
      if try hasDependents(look, key) { return .waits(.hasDependents(other), for: .row) }
    }
    let deletion = "DELETE FROM \(table.name.quotedName) WHERE \(key.matching(from: 0))"
    var (count, before) = (0, 0)
    let other = try deletionGuard.undoing { () throws(StoreError) in
      before = database.totalChanges
      try run(deletion, key)
      count = database.changes
      return count
    }
    if let other { return .waits(.takesAlong(other), for: .row) }
    if count > 0 { return .deleted }
    if database.totalChanges > before { return try outcome(ofIgnored: deletion, key, key) }
    if mayFail, try isStored(key) { throw Self.ignored }
    return .same
  }

  /// The outcome of an edit or a deletion that changed no row itself, although a trigger changed rows.
  ///
  /// If the trigger did not change the row in another way, it refuses the row, even if it notes this in
  /// another row. But a row that it has already marked as deleted stays the same.
  private func outcome(
    ofIgnored statement: String, _ cells: [Cell], _ key: [Cell]
  ) throws(StoreError) -> Outcome {
    guard mayFail else { return .updated }
    let after = try content(of: key)
    // The earlier content is not kept for each row, so undo the changes of the trigger to read it.
    try run("ROLLBACK TO oneRow", [])
    if try content(of: key) != after {
      try run(statement, cells)
      return .updated
    }
    guard try updatesInTriggers(statement, cells, key) else { throw Self.ignored }
    return .same
  }

  /// Whether triggers of an ignored statement update the row of a key, even if it keeps its content.
  ///
  /// It runs the statement with a temporary trigger, and undoes everything.
  private func updatesInTriggers(
    _ statement: String, _ cells: [Cell], _ key: [Cell]
  ) throws(StoreError) -> Bool {
    let names = key.indices.map { "key\($0)" }
    let values = key.map { "old.\($0.column.quotedName)" }.joined(separator: ", ")
    try database.run(
      "CREATE TEMP TABLE updatedForPeersync (\(names.joined(separator: ", "))); "
        + "CREATE TEMP TRIGGER notedForPeersync AFTER UPDATE ON main.\(table.name.quotedName) BEGIN "
        + "INSERT INTO updatedForPeersync VALUES (\(values)); END")
    try run(statement, cells)
    // Only the table's own columns compare with the values of a key as the table does.
    let isSame = zip(names, key).map { "noted.\($0) IS stored.\($1.column.quotedName)" }
      .joined(separator: " AND ")
    let look =
      "SELECT 1 FROM main.\(table.name.quotedName) AS stored JOIN temp.updatedForPeersync AS noted "
      + "ON \(isSame) WHERE \(key.matching(from: 0, of: "stored")) LIMIT 1"
    let isUpdated = try bound(look, key).first { _ in true } != nil
    try run("ROLLBACK TO oneRow", [])
    return isUpdated
  }

  /// The bytes of each value of a row, with those of columns that are not written; nil without the row.
  private func content(of key: [Cell]) throws(StoreError) -> [[UInt8]]? {
    try bound("SELECT * FROM \(table.name.quotedName) WHERE \(key.matching(from: 0))", key).first { row in
      (0..<row.columnCount).map { column -> [UInt8] in
        let kind = row.kind(column)
        // SQLite's own text of a number does not have all its digits.
        let value = kind == .real ? Array("\(row.real(column))".utf8) : row.bytes(column)
        return [UInt8(kind.rawValue)] + value
      }
    }
  }

  private func run(_ sql: String, _ cells: [Cell]) throws(StoreError) { try bound(sql, cells).run() }

  func bound(_ sql: String, _ cells: [Cell]) throws(StoreError) -> Statement {
    let statement = try database.statement(sql)
    for (index, cell) in cells.enumerated() { statement.bind(Int32(index + 1), cell.value) }
    return statement
  }
}
