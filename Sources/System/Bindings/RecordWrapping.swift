import JSONLines
import Store
import SyncCore
import SystemIO
import Tables

/// Makes change lines from the records of a source.
struct RecordWrapping {
  private var reader: LineReader
  private let entity: String
  private let keys: KeyRange
  private let keyNames: [String]
  private let table: String?
  /// The hint for a line that does not begin like JSON; nil if the name of the file says that it is JSON.
  private let textHint: String?

  init(_ binding: Binding) {
    var shape = RecordShape()
    shape.entityName = binding.entity
    shape.keys = binding.keys
    shape.clock = binding.clock
    // Use a pointer that cannot match, so that members do not name the entity.
    shape.entity = JSONPointer(tokens: ["\u{0}"])
    keyNames = binding.keys.isEmpty ? ["id"] : binding.keys.compactMap(\.tokens.last)
    reader = LineReader(shape)
    entity = binding.entity
    table = binding.table
    let isJSON = FileFormat.isJSON(binding.source) || FileFormat.isLines(binding.source)
    textHint =
      isJSON || binding.table != nil
      ? nil
      : "each line must be a JSON object; a file of which each line is a text needs a name with .txt"
    keys = KeyRange(of: binding.entity)
  }

  /// The canonical key of a record; `line` is its line for errors.
  mutating func key(of record: Span<UInt8>, line: Int? = nil) throws(BindingError) -> [UInt8] {
    var key: [UInt8] = []
    let change: ChangeLine
    do throws(ChangeError) {
      change = try reader.read(record, key: &key)
    } catch {
      throw fault(error, in: record, line)
    }
    guard change.kind == .record else {
      throw BindingError(
        .wrongType, "a change line or a checkpoint instead of a record", line: line,
        hint: remedy(for: record))
    }
    guard keys.contains(key.span) else {
      throw BindingError(.otherEntity, "a record of an entity other than '\(entity)'", line: line)
    }
    return key
  }

  private func remedy(for error: ChangeError) -> String? {
    guard case .invalidClock(let member) = error else { return nil }
    return member == Self.deletion
      ? "use the time of the deletion, such as 2025-05-02T08:00:00Z, or null if the record is not deleted"
      : "write it in UTC or with an offset, such as 2025-05-02T08:00:00Z, or bind with --clock off"
  }

  private func remedy(for record: Span<UInt8>) -> String? {
    guard let value = try? JSONValue(parsing: record) else {
      let first = Array(copying: record).first { ![9, 32].contains($0) }
      // Other bytes may begin a text in another encoding, for which there is another hint.
      let isText = first.map { $0 < 0x80 && !"{[".utf8.contains($0) } ?? false
      return isText ? textHint : nil
    }
    guard value.objectValue != nil else {
      return "each record must be an object with its key, such as {\"id\":\"a\"}"
    }
    guard let name = ["identity", "newTokenData"].first(where: { value[$0] != nil }) else { return nil }
    return "a record with '\(name)' is read as a change line: give that member another name"
  }

  /// The record of a change; if the fields lack the key, the members of the identity are added.
  ///
  /// A document may lack its id as a member. The result is nil if the record would have another key here.
  mutating func whole(_ arrival: ChangeStore.Arrival) throws -> JSONValue? {
    guard let fields = arrival.fields else { return nil }
    func isSame(_ record: JSONValue, _ wrapping: inout Self) -> Bool {
      (try? wrapping.key(of: Array(record.text.utf8).span)) == arrival.key
    }
    if isSame(fields, &self) { return fields }
    let members = fields.objectValue ?? []
    let identity = try JSONValue(parsing: arrival.line.span)["identity"]?.objectValue ?? []
    let whole = JSONValue.object(identity.filter { members[named: $0.name] == nil } + members)
    return isSame(whole, &self) ? whole : nil
  }

  /// The command that gives a change refused by ``whole(_:)`` the key of its identity, or that deletes it if it
  /// is long or cannot be mended so.
  ///
  /// Another program has sent such a change: its fields have the key of another record.
  mutating func remedy(forKeyOf arrival: ChangeStore.Arrival, store: String) -> String? {
    guard let line = try? JSONValue(parsing: arrival.line.span), let all = line.objectValue,
      let identity = line["identity"]?.objectValue
    else { return nil }
    let rest = (arrival.fields?.objectValue ?? []).filter { identity[named: $0.name] == nil }
    let fields = JSONValue.object(identity + rest)
    let members = all.filter { $0.name != "fields" } + [JSONMember("fields", fields)]
    let mended = JSONValue.object(members).text
    func command(_ line: String) -> String {
      Diagnostic.command("printf '%s\\n' \(ShellWord.posix(line)) | synclog put", store: store)
    }
    if mended.utf8.count <= 500, (try? key(of: Array(fields.text.utf8).span)) == arrival.key {
      return "to store it with the key of its identity: \(command(mended))"
    }
    let time = line["modifiedAt"] ?? .string("1970-01-01T00:00:00Z")
    let deletion =
      all.filter { ["entityName", "identity"].contains($0.name) } + [JSONMember("deletedAt", time)]
    return "to delete it: \(command(JSONValue.object(deletion).text))"
  }

  /// The record's own clock; nil without one.
  mutating func clock(of record: Span<UInt8>) -> Instant? {
    var key: [UInt8] = []
    return try? reader.read(record, key: &key).clock
  }

  /// The clock that a record would have without its mark of deletion.
  mutating func liveClock(of record: Span<UInt8>) -> Instant? {
    let members = (try? JSONValue(parsing: record))?.objectValue ?? []
    let live = JSONValue.object(members.filter { $0.name != Self.deletion })
    return clock(of: Array(live.text.utf8).span)
  }

  /// The member by which an app marks a record as deleted.
  static let deletion = "deletedAt"

  /// A record of strings with its key converted to numbers, and that key; nil if that is impossible.
  mutating func numbered(_ record: Span<UInt8>) -> (record: [UInt8], key: [UInt8])? {
    guard let value = (try? JSONValue(parsing: record))?.withNumbers(at: keyNames) else { return nil }
    var text: [UInt8] = []
    value.append(to: &text)
    return (try? key(of: text.span)).map { (text, $0) }
  }

  /// The key of a record once all its values are cells of text.
  ///
  /// The result is nil if a part of the key is an empty cell, or if the text would not be read as the key
  /// `own`.
  mutating func textKey(of record: JSONValue, readAs own: [UInt8]) -> [UInt8]? {
    let text = Array(JSONValue.object(keyMembers(of: record)).asTexts.text.utf8)
    guard let key = try? key(of: text.span), key == own || numbered(text.span)?.key == own else { return nil }
    return key
  }

  /// The members of a record that belong to its key, without others such as the clock.
  private func keyMembers(of record: JSONValue) -> [JSONMember] {
    (record.objectValue ?? []).filter { member in
      keyNames.contains { $0.utf8.elementsEqual(member.name.utf8) }
    }
  }

  /// The reason why a record could not be read again once all its values are cells of text; nil if it could.
  mutating func fault(asTexts record: JSONValue) -> BindingError? {
    do {
      _ = try key(of: Array(record.asTexts.text.utf8).span)
      return nil
    } catch {
      return error
    }
  }

  /// Appends the record as a change line with its own clock, and a line end.
  ///
  /// If the source has only a `part` of the record, the clock of that part is used. A clock in the other
  /// members is that of another device.
  mutating func append(
    _ record: Span<UInt8>, part: [UInt8]? = nil, line: Int? = nil, to text: inout [UInt8]
  ) throws(BindingError) {
    var key: [UInt8] = []
    do throws(ChangeError) {
      var change = try reader.read(record, key: &key)
      if let part, !change.isTombstone { change = try reader.read(part.span, key: &key) }
      try reader.appendChange(record, clock: change.clock, keepingFields: true, to: &text)
    } catch {
      throw fault(error, in: record, line)
    }
    text.append(10)
  }

  /// The error of a record; for a table, its message begins with the name of the table and the key of the
  /// row.
  private func fault(_ error: ChangeError, in record: Span<UInt8>, _ line: Int?) -> BindingError {
    let key = (try? JSONValue(parsing: record)).map(keyMembers) ?? []
    let row = table.map { KeyedRow(table: $0, members: key).place + ": " } ?? ""
    var message = row + error.message
    if case .json(let fault) = error, fault.code != .unexpectedEnd {
      message += ", near '\(fault.excerpt(of: record))'"
    }
    return BindingError(
      error.code, message, line: line, hint: error.remedy ?? remedy(for: error) ?? remedy(for: record))
  }
}
