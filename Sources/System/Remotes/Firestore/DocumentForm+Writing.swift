import Crypto
import JSONLines
import Store
import SyncCore

extension DocumentForm {
  /// A change line of the entity, split into its parts.
  struct Outgoing {
    fileprivate var identity: JSONValue
    var key: [UInt8]
    var change: ChangeLine
    var text: [UInt8]
    fileprivate var fields: [JSONMember]
    fileprivate var note: String
    var isTombstone: Bool { change.isTombstone }
    var asChange: Change { Change(key: key, clock: change.clock, line: text, isTombstone: isTombstone) }
  }

  /// Splits a change line; nil for a line of another entity.
  mutating func outgoing(_ line: [UInt8]) throws -> Outgoing? {
    var key: [UInt8] = []
    let change = try reader.read(line.span, key: &key)
    guard Key.entity(of: key.span).utf8.elementsEqual(entity.utf8) else { return nil }
    let members = try JSONValue(parsing: line.span).objectValue ?? []
    guard let identity = members[named: "identity"] else {
      throw DocumentProblem(.noKey, "a change without an identity")
    }
    guard let fields = change.isTombstone ? [] : members[named: "fields"].map(\.objectValue) ?? [] else {
      throw DocumentProblem(.unfitValue, "its 'fields' are not an object")
    }
    var note = members.filter { !Self.own.contains($0.name) }
    // The time of a deletion may be in its fields, which a note does not have.
    if change.isTombstone, let clock = change.clock, note[named: "deletedAt"]?.marksDeletion != true {
      note.removeAll { $0.name == "deletedAt" }
      note.append(JSONMember("deletedAt", .string(clock.description)))
    }
    return Outgoing(
      identity: identity, key: key, change: change, text: line, fields: fields,
      note: JSONValue.object(note).text)
  }

  /// The same record with another clock.
  mutating func restamped(_ outgoing: Outgoing, to clock: Instant) throws -> Outgoing {
    let members = try JSONValue(parsing: outgoing.text.span).objectValue ?? []
    let line = JSONValue.object(
      members.map { $0.name == "modifiedAt" ? JSONMember($0.name, .string(clock.description)) : $0 })
    return try self.outgoing(Array(line.text.utf8)) ?? outgoing
  }

  /// The id of a new document for a change.
  func id(for outgoing: Outgoing) throws(DocumentProblem) -> String { try names.id(of: outgoing.identity) }

  /// Whether a change wins over the change in a document.
  mutating func isLater(_ outgoing: Outgoing, than line: [UInt8]) -> Bool {
    var key: [UInt8] = []
    guard let other = try? reader.read(line.span, key: &key) else { return false }
    return MergeOrder.compare(outgoing.change, outgoing.text.span, other, line.span).order > 0
  }

  /// The document for a change; it replaces `present`, and `sample` has the types of other documents.
  func fields(
    of outgoing: Outgoing, over present: Document?, id: String, sample: [JSONMember]
  ) throws(DocumentProblem) -> [JSONMember] {
    var content: [JSONMember]
    if outgoing.isTombstone {
      // Keep the content, because an app may show deleted records or restore them.
      content = present?.content ?? []
      if let deletedField {
        content.removeAll { $0.name.utf8.elementsEqual(deletedField.utf8) }
        content.append(JSONMember(deletedField, ["booleanValue": true]))
      }
    } else {
      if outgoing.fields[named: Document.note] != nil {
        throw DocumentProblem(
          .unknownMember, "'\(Document.note)' is the name of the member that this program adds to documents")
      }
      if let deletedField, let mark = outgoing.fields[named: deletedField], mark != false, mark != .null {
        throw DocumentProblem(
          .unfitValue,
          "its '\(deletedField.shown(upTo: 100))' marks a deleted document, but the record is not deleted")
      }
      content = try DocumentValues.typed(outgoing.fields, like: present?.content ?? sample) { name, value in
        types.tag(ofField: name, entity: entity, key: outgoing.key, value)
      }
    }
    let digest = Self.digest(content)
    if let deletedField, content[named: deletedField] == nil {
      content.append(JSONMember(deletedField, ["booleanValue": false]))
    }
    content.append(
      JSONMember(
        Document.note,
        [
          "mapValue": [
            "fields": [
              "line": ["stringValue": .string(outgoing.note)], "digest": ["stringValue": .string(digest)],
            ]
          ]
        ]))
    try check(DocumentValues.size(content) + id.utf8.count + 200)
    return content
  }

  /// The note, beside the collection, about a document that a deletion removes.
  func removalFields(of outgoing: Outgoing, id: String) throws(DocumentProblem) -> [JSONMember] {
    let fields: [JSONMember] = [
      JSONMember("id", ["stringValue": .string(id)]),
      JSONMember("line", ["stringValue": .string(outgoing.note)]),
    ]
    try check(DocumentValues.size(fields) + 200)
    return fields
  }

  private func check(_ size: Int) throws(DocumentProblem) {
    guard size <= Self.largest else {
      throw DocumentProblem(
        .lineTooLarge, "it is too large for a document: about \(size) bytes, at most \(Self.largest)")
    }
  }

  private static let largest = 1 << 20

  /// Whether a record has members whose type is ambiguous.
  func hasOpenTypes(_ outgoing: Outgoing) -> Bool {
    outgoing.fields.contains { member in
      switch member.value {
      case .string(let text):
        DocumentValues.isOpen(text)
          && types.tag(ofField: member.name, entity: entity, key: outgoing.key, member.value) == nil
      case .array, .object: true
      default: false
      }
    }
  }

  /// Whether the document already contains these members.
  func holds(_ document: Document, _ fields: [JSONMember]) -> Bool {
    guard let note = fields[named: Document.note]?["mapValue"]?["fields"] else { return false }
    return document.line == note["line"]?["stringValue"]?.stringValue
      && document.digest == note["digest"]?["stringValue"]?.stringValue
      && Self.digest(document.content) == Self.digest(fields.filter { $0.name != Document.note })
  }

  static func digest(_ content: [JSONMember]) -> String {
    let text = Array(DocumentValues.normalized(content).text.utf8)
    return String(HexDigits.text((try? Digest.sha256(text.span)) ?? []).prefix(32))
  }
}
