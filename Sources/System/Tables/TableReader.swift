package import JSONLines
package import Store
import SystemIO

/// Writes the rows of a table as JSON, one object each, with a member for each column.
///
/// Integers are written exactly. Other numbers have the fewest digits for the same double. They always have a
/// point or an exponent, which preserves their type.
package struct TableReader {
  private let table: Table
  private let columns: [(member: [UInt8], name: String, form: Column.Form)]
  private let rows: Statement

  /// `condition` is the user's SQL expression for the rows to read; nil for all rows.
  package init(_ table: Table, where condition: String? = nil, in database: Database) throws {
    let rows = table.name.quotedName
    guard let condition else {
      try self.init(table, from: [rows], in: database)
      return
    }
    var parameters = 0
    do throws(StoreError) {
      // SQLite refuses text such as `1) OR (1` without parentheses around it, and text such as `1 LIMIT 1`
      // with them.
      parameters = try database.statement("SELECT 1 FROM \(rows) WHERE \(condition)\n").parameterCount
      // The line end also ends a comment in the condition.
      try self.init(table, from: ["\(rows) WHERE (\(condition)\n)"], in: database)
    } catch {
      guard let reason = error.reasonOfStatement, error.isOf(condition) else { throw error }
      // Without the condition, this throws if the table itself has a fault.
      _ = try Self(table, from: [rows], in: database)
      throw TableError.condition(reason)
    }
    if parameters > 0 { throw TableError.parameter }
  }

  private init(_ table: Table, from sources: [String], in database: Database) throws(StoreError) {
    self.table = table
    columns = table.columns.map { column in
      var member: [UInt8] = []
      JSONString.appendQuoted(column.name, to: &member)
      return (member + [UInt8(ascii: ":")], column.name, column.form)
    }
    let names = table.columns.map(\.name.quotedName).joined(separator: ", ")
    rows = try database.statement(
      sources.map { "SELECT \(names) FROM \($0)" }.joined(separator: " UNION ALL "))
  }

  /// Reads the rows with a clock of at least `first`, and rows without a clock.
  package init(_ table: Table, since first: JSONValue, of clock: ClockColumn, in database: Database) throws {
    let without = "\(table.name.quotedName) WHERE \(clock.name.quotedName) IS NULL"
    try self.init(table, from: [clock.newer, without], in: database)
    rows.bind(1, try clock.value(first))
  }

  /// Reads the row that a line concerns.
  package init(_ table: Table, of line: RowLine, in database: Database) throws {
    let key = try table.key(of: line)
    try self.init(table, from: ["\(table.name.quotedName) WHERE \(key.matching(from: 0))"], in: database)
    for (index, cell) in key.enumerated() { rows.bind(Int32(index + 1), cell.value) }
  }

  /// Passes each row as the text of an object, without a line end.
  package func forEachRow(_ body: (Span<UInt8>) throws -> Void) throws {
    var line: [UInt8] = []
    try rows.forEachRow { row in
      line.removeAll(keepingCapacity: true)
      try append(row, to: &line)
      try body(line.span)
    }
  }

  private func append(_ row: Statement, to line: inout [UInt8]) throws(TableError) {
    line.append(UInt8(ascii: "{"))
    for (index, column) in columns.enumerated() {
      if index > 0 { line.append(UInt8(ascii: ",")) }
      line += column.member
      do throws(TableError) {
        try column.form.append(row, Int32(index), column.name, deepest: table.deepest, to: &line)
      } catch {
        throw .inRow(KeyedRow(table: table.name, members: key(of: row)), error)
      }
    }
    line.append(UInt8(ascii: "}"))
  }

  /// The key of a row; empty if it is not read or cannot be written.
  private func key(of row: Statement) -> [JSONMember] {
    var members: [JSONMember] = []
    for name in table.key {
      var text: [UInt8] = []
      guard let index = columns.firstIndex(where: { $0.name.utf8.elementsEqual(name.utf8) }),
        (try? columns[index].form.append(row, Int32(index), name, deepest: table.deepest, to: &text)) != nil,
        let value = try? JSONValue(parsing: text.span)
      else { return [] }
      members.append(JSONMember(name, value))
    }
    return members
  }
}

extension StoreError {
  /// Whether the condition of a statement may have caused this error.
  ///
  /// A column may need a collation that the condition does not name.
  fileprivate func isOf(_ condition: String) -> Bool {
    guard let part = lackedPart, part.kind == "collation" else { return true }
    return SQLWords(of: condition).words.contains { TriggerWrite.isSame($0.text, part.name) }
  }
}
