import JSONLines
import SystemIO

/// A line with the new content of a row, or its deletion.
package struct RowLine: Sendable {
  /// The entity; nil for a plain record that does not name it.
  package let entity: String?
  /// Whether the row must be deleted.
  package let isDeletion: Bool
  /// The values of the columns in the line, by their names.
  let members: [JSONMember]
  /// Columns that must be set to their default.
  var emptied: [String] = []

  /// Reads a line; nil for a checkpoint line, which does not concern a row.
  ///
  /// A change line has the members of `fields` and of its identity; a plain record is the row itself. A
  /// record with a `deletedAt` deletes the row, unless the table has a column with that name.
  package init?(_ text: Span<UInt8>, of table: Table) throws(TableError) {
    let line = try Members<TableError>(parsing: text, refusing: .repeated)
    guard line.all[named: "identity"] != nil else {
      guard line.all[named: "newTokenData"] == nil || table.hasKey(in: line.all) else { return nil }
      (entity, members) = (line.all[named: "entity"]?.stringValue, line.all)
      isDeletion = try line["deletedAt"] != nil && !table.has("deletedAt")
      return
    }
    entity = try line.string("entityName")
    isDeletion = try line["deletedAt"] != nil
    let identity = try line.require("identity", as: "an object") { $0.objectValue }
    if let name = identity.repeatedName { throw .duplicateMember(name) }
    let fields = try line.find("fields", as: "an object") { $0.objectValue } ?? []
    if let name = fields.repeatedName { throw .duplicateMember(name) }
    members = fields + identity.filter { fields[named: $0.name] == nil }
  }

  /// A line that also clears these columns of an existing row.
  package init?(_ text: Span<UInt8>, of table: Table, emptying columns: [String]) throws(TableError) {
    try self.init(text, of: table)
    emptied = columns.filter { name in members[named: name] == nil && table.has(name) }
  }
}

extension Table {
  package func has(_ column: String) -> Bool { columns.contains { $0.name.utf8.elementsEqual(column.utf8) } }

  fileprivate func hasKey(in members: [JSONMember]) -> Bool { key.contains { members[named: $0] != nil } }
}

/// A value in the form of SQLite.
enum ColumnValue {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

extension Column {
  /// Converts a value of a line for this column.
  func value(_ value: JSONValue) throws(TableError) -> ColumnValue {
    switch value {
    case .null: return .null
    case .bool(let bool): return .integer(bool ? 1 : 0)
    case .number(let text): return try number(text)
    case .string(let string):
      if form == .nested { return .text(value.text) }
      // The line may come from a file in which all values are strings.
      if form == .boolean, string == "true" || string == "false" { return .integer(string == "true" ? 1 : 0) }
      guard form == .base64 else { return .text(string) }
      var bytes: [UInt8] = []
      do throws(Base64.Failure) {
        try Base64.decode(Array(string.utf8).span, into: &bytes)
      } catch {
        throw .unfit(column: name, "not Base64: \(error.message)", remedy: nil)
      }
      return .blob(bytes)
    case .array, .object:
      guard form == .nested else {
        throw .unfit(
          column: name, "an array or object, which a column cannot hold",
          remedy: "--nested \(ShellWord.path(name)) stores it as JSON text")
      }
      return .text(value.text)
    }
  }

  /// A number without point and exponent is an integer, which must fit into 64 bits.
  private func number(_ text: String) throws(TableError) -> ColumnValue {
    if form == .nested { return .text(text) }
    if let integer = Int64(text) { return .integer(integer) }
    guard text.utf8.contains(where: { ".eE".utf8.contains($0) }) else {
      throw .unfit(column: name, "\(text) is beyond an integer of 64 bits", remedy: nil)
    }
    guard let real = Double(text), real.isFinite else {
      throw .unfit(column: name, "\(text) is beyond a double", remedy: nil)
    }
    return .real(real)
  }
}
