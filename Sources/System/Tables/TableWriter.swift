package import Store
import JSONLines

/// Writes rows into a table after comparing each with the existing row; an equal row is not changed.
///
/// The table's constraints, triggers and foreign keys apply; a refused row does not change the table. It is
/// used in a transaction of a database whose `foreign_keys` are on.
package struct TableWriter {
  package enum Outcome: Sendable {
    case inserted, updated, deleted
    /// The row was deleted and inserted again, because it exchanges a unique value with another row.
    case replaced
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
  let isTogether: Bool
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
  let orAbort: String
  /// Statements that find rows that must not be deleted together with a row of this table.
  private let dependents: [(table: String, look: String)]
  /// As `dependents`, for the rows of this table; empty if `dependents` contains these statements.
  let ownDependents: [String]
  private let deletionGuard: DeletionGuard
  let foreignKeys: ForeignKeys
  let ownReferences: [OwnReference]
  let keyComparisons: [ValueComparison]
  private let recent = RowStatements.Recent()

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
        try line.isDeletion ? delete(key) : upsert(line, key, values)
      }
    } catch .other(let code, let message) where Self.isRefusal(code) && database.isInTransaction {
      if Self.uniqueCodes.contains(code) { return .waits(.valueTaken(message), for: .value) }
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
  static func isRefusal(_ code: Int) -> Bool { [19, 20].contains(code & 0xFF) }

  /// SQLITE_CONSTRAINT_FOREIGNKEY.
  private static let foreignKey = 787
  /// The refusal of a trigger with RAISE(IGNORE), which SQLite does not report; SQLITE_CONSTRAINT_TRIGGER.
  ///
  /// A trigger that changes the row in another way, for example to mark it as deleted, does not refuse.
  private static let ignored = StoreError.other(code: 1811, message: "a trigger ignores the row")
  /// SQLITE_CONSTRAINT_UNIQUE and _PRIMARYKEY.
  private static let uniqueCodes = [2067, 1555]

  // MARK: Values

  /// The values of the columns other than the key.
  func values(of line: RowLine) throws(TableError) -> [Cell] {
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
      return (column.name.quotedName, column.fallback ?? "(NULL)")
    }
  }

  // MARK: Statements

  private func upsert(_ line: RowLine, _ key: [Cell], _ values: [Cell]) throws(StoreError) -> Outcome {
    let sql = statements(for: line, key, values)
    if let differing = try differing(sql, key, values) {
      if differing.isEmpty { return .same }
      let (update, before) = (sql.update(of: differing), database.totalChanges)
      try run(update, values + key)
      if database.changes > 0 { return .updated }
      if database.totalChanges > before { return try outcome(ofIgnored: update, values + key, key) }
      throw Self.ignored
    }
    // A generated key follows from the other values.
    let all =
      key.filter { cell in !table.columns.contains { $0.isGenerated && $0.name == cell.column } } + values
    try run(sql.insertion(of: all), all)
    if database.changes == 0, try !isStored(key) { throw Self.ignored }
    return .inserted
  }

  private func statements(for line: RowLine, _ key: [Cell], _ values: [Cell]) -> RowStatements {
    recent.statements(
      for: values.map(\.column), emptying: line.emptied, isReusable: !values.contains(where: isKeptNull)
    ) {
      let assigned = values.enumerated().map { ($1.column.quotedName, expression(of: $1, at: $0 + 1)) }
      return RowStatements(
        of: table, orAbort, assigned + fallbacks(of: line), where: key.matching(from: values.count))
    }
  }

  /// The indices of the assignments that change a row; nil without the row.
  private func differing(
    _ sql: RowStatements, _ key: [Cell], _ values: [Cell]
  ) throws(StoreError) -> [Int]? {
    try bound(sql.look, values + key).first { row in
      (1..<row.columnCount).filter { row.integer($0) != 0 }.map { Int($0) - 1 }
    }
  }

  /// Whether the table already has what a line would write, by its own comparison of values.
  package func holds(_ line: RowLine) throws -> Bool {
    let key = try table.key(of: line)
    if line.isDeletion { return try !isStored(key) }
    let values = try values(of: line)
    return try differing(statements(for: line, key, values), key, values)?.isEmpty == true
  }

  /// The SQL expression of a row's new value, which is the parameter at `place`.
  private func expression(of cell: Cell, at place: Int) -> String {
    guard isKeptNull(cell) else { return "?\(place)" }
    let column = cell.column.quotedName
    return "CASE trim(\(column), char(9, 10, 13, 32)) WHEN 'null' THEN \(column) ELSE ?\(place) END"
  }

  /// Whether a nested column keeps the JSON text `null`, because it is read as null too.
  private func isKeptNull(_ cell: Cell) -> Bool {
    guard case .null = cell.value else { return false }
    return table.columns.contains { $0.form == .nested && $0.name.utf8.elementsEqual(cell.column.utf8) }
  }

  func isStored(_ key: [Cell]) throws(StoreError) -> Bool { try has(key.matching(from: 0), key) }

  /// Whether a row meets a condition, whose parameters are `cells`.
  private func has(_ condition: String, _ cells: [Cell]) throws(StoreError) -> Bool {
    try bound("SELECT 1 FROM \(table.name.quotedName) WHERE \(condition)", cells).first { _ in true } != nil
  }

  /// Whether a statement finds rows that would be deleted together with the row of a key.
  func hasDependents(_ look: String, _ key: [Cell]) throws(StoreError) -> Bool {
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

  func run(_ sql: String, _ cells: [Cell]) throws(StoreError) { try bound(sql, cells).run() }

  func bound(_ sql: String, _ cells: [Cell]) throws(StoreError) -> Statement {
    let statement = try database.statement(sql)
    for (index, cell) in cells.enumerated() { statement.bind(Int32(index + 1), cell.value) }
    return statement
  }
}
