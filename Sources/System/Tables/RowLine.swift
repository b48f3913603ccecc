import JSONLines
import SyncCore
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
  /// record with a `deletedAt` deletes the row, unless the table has a column with that name. The same applies to the
  /// fields of a change line without a clock. If the table has a column `entity`, a plain record does not
  /// name its entity.
  package init?(_ text: Span<UInt8>, of table: Table) throws(TableError) {
    let line = try Members<TableError>(parsing: text, refusing: .repeated)
    guard line.all[named: "identity"] != nil else {
      guard line.all[named: "newTokenData"] == nil || table.hasKey(in: line.all) else { return nil }
      entity = table.has("entity") ? nil : line.all[named: "entity"]?.stringValue
      members = line.all
      isDeletion = try Self.marksDeletion(table.has("deletedAt") ? [] : line.all)
      return
    }
    entity = try line.string("entityName")
    let identity = try line.require("identity", as: "an object") { $0.objectValue }
    if let name = identity.repeatedName { throw .duplicateMember(name) }
    let fields = try line.find("fields", as: "an object") { $0.objectValue } ?? []
    if let name = fields.repeatedName { throw .duplicateMember(name) }
    // A change line without a clock has the clock of its fields, unless its `modifiedAt` is null.
    let clocks = MemberName.liveClocks.map(\.spelling.description)
    let isClocked = line.all.contains { member in
      clocks.contains(member.name)
        && (member.value != .null || ["modifiedAt", "modified_at"].contains(member.name))
    }
    let isMarked = line.all[named: "deletedAt"]?.marksDeletion == true
    isDeletion = try Self.marksDeletion(
      isMarked ? line.all : isClocked || table.has("deletedAt") ? [] : fields)
    let names = Set(fields.map { Array($0.name.utf8) })
    members = fields + identity.filter { !names.contains(Array($0.name.utf8)) }
    for column in table.key {
      guard let own = identity[named: column], let other = fields[named: column] else { continue }
      if !Self.isSameKey(own, other) { throw .twoKeys(column: column) }
    }
  }

  /// Whether `deletedAt` marks a deletion; throws if it does, but is not a time.
  private static func marksDeletion(_ members: [JSONMember]) throws(TableError) -> Bool {
    guard let mark = members[named: "deletedAt"], mark.marksDeletion else { return false }
    let text = Array(mark.text.utf8)
    guard Clock.instant(text.span, 0..<text.count) == nil else { return true }
    let error = ChangeError.invalidClock(member: "deletedAt")
    throw .member(MemberError(.other(error.message, error.code)))
  }

  /// Whether two values of a key are equal, or can be spellings of one key: of a UUID or an instant.
  private static func isSameKey(_ one: JSONValue, _ other: JSONValue) -> Bool {
    if let one = one.stringValue, let other = other.stringValue {
      if one == other || UUIDText(one) != nil && UUIDText(one) == UUIDText(other) { return true }
    }
    let (texts, others) = (Array(one.text.utf8), Array(other.text.utf8))
    if JSONEquality.isEqual(texts.span, 0..<texts.count, others.span, 0..<others.count) { return true }
    // An instant has one number, so two different numbers are not spellings of one instant.
    guard one.stringValue != nil || other.stringValue != nil,
      let instant = Clock.instant(texts.span, 0..<texts.count)
    else { return false }
    return instant == Clock.instant(others.span, 0..<others.count)
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
