import Crypto
import JSONLines
import Store
import SyncCore

/// Converts documents of one collection to change lines of one entity, and back.
struct DocumentForm {
  let entity: String
  /// The member that is true in a deleted document; nil if documents are removed.
  let deletedField: String?
  let types: WireTypes
  let names: DocumentName
  let shape: RecordShape
  /// The pointer to the clock of an app's document, for all devices; nil uses this store's rules.
  private let clock: JSONPointer?
  var reader: LineReader

  init(
    _ entity: String, deletedField: String?, types: WireTypes, _ shape: RecordShape, clock: JSONPointer? = nil
  ) {
    (self.entity, self.deletedField, self.types, self.shape) = (entity, deletedField, types, shape)
    self.clock = clock ?? shape.profile[Array(entity.utf8)].clock ?? shape.clock
    names = DocumentName(entity, shape)
    reader = LineReader(shape)
  }

  /// A change represented by a document.
  struct Change {
    var key: [UInt8]
    var clock: Instant?
    /// The change line, without a line feed.
    var line: [UInt8]
    var isTombstone: Bool
    /// Whether the earlier of two versions wins by its rule.
    var isFinal = false
  }

  /// The remembered facts about a document that is read again.
  struct Past {
    /// The document as it was last read or written.
    var known: KnownDocument?
    /// Its removal, unless this store has seen a later write.
    var removed: RemovedDocument?
    /// Whether the collection has not been restored to an earlier state since then.
    var isContinuous = false

    var isEmpty: Bool { known == nil && removed == nil }
  }

  /// The clock in a document's note.
  mutating func noted(_ document: Document) -> Instant? {
    document.line.flatMap { noted($0, names.identity(of: document.id), nil)?.clock }
  }

  /// The change represented by a document.
  ///
  /// The note is valid while its digest is that of the content. If another program has changed the content,
  /// the clock in the content is used if it is later than the previous clock. Otherwise the time of the
  /// document's last write is used.
  mutating func change(_ document: Document, since past: Past) throws(DocumentProblem) -> Change {
    let identity = names.identity(of: document.id)
    if let text = document.line, let digest = document.digest, let content = unchanged(document, digest),
      let change = noted(text, identity, content), !Self.hasReturned(document, to: change, past)
    {
      return change
    }
    let content = try DocumentValues.plain(document.content)
    let isDeleted = try isDeleted(document)
    let noted = noted(document)
    let floor = [past.known?.clock, past.removed?.gone, noted].compactMap(\.self).max()
      .map { $0.advanced(by: .milliseconds(1)) }
    var clock = ownClock(content)
    if clock == nil || clock! < floor ?? clock! {
      let written = Instant(document.updated)?.inMilliseconds
      clock = [clock, floor, written].compactMap(\.self).max()
    }
    var members = keyMembers(identity)
    members.append(
      JSONMember(isDeleted ? "deletedAt" : "modifiedAt", clock.map { .string($0.description) } ?? .null))
    if !isDeleted { members.append(JSONMember("fields", .object(content))) }
    guard let change = read(members) else {
      throw DocumentProblem(.noKey, "the document is not a record by the rules of this store")
    }
    return change
  }

  /// Whether another program has restored an earlier version of a document, including its note.
  ///
  /// Devices write only later versions, unless the first version wins by their rule. After a document was
  /// removed they write it with a later time in its note.
  private static func hasReturned(_ document: Document, to change: Change, _ past: Past) -> Bool {
    if change.isFinal { return false }
    let clock = change.clock
    if let removed = past.removed {
      guard clock ?? .epoch <= removed.gone, let time = document.time.flatMap({ Instant($0) }) else {
        return false
      }
      return time <= removed.updated
    }
    guard let known = past.known, known.updated != document.updated, let last = known.clock,
      clock.map({ $0 < last }) ?? true
    else { return false }
    // A restored collection may also contain the same note.
    return !known.noted.isEmpty && Document.noteID(document.fields) == known.noted || past.isContinuous
  }

  /// The content without this program's mark for "not deleted"; nil if the content was changed.
  private func unchanged(_ document: Document, _ digest: String) -> [JSONMember]? {
    let content = document.content
    if Self.digest(content) == digest { return content }
    guard let deletedField, content[named: deletedField] == ["booleanValue": false] else { return nil }
    let own = content.filter { !$0.name.utf8.elementsEqual(deletedField.utf8) }
    return Self.digest(own) == digest ? own : nil
  }

  /// The change in a note, with the given content unless the change is a deletion.
  private mutating func noted(_ text: String, _ identity: JSONValue, _ content: [JSONMember]?) -> Change? {
    guard let rest = try? JSONValue(parsing: Array(text.utf8).span), let others = rest.objectValue else {
      return nil
    }
    var members = keyMembers(identity) + others.filter { !Self.own.contains($0.name) }
    let isTombstone = others[named: "deletedAt"]?.marksDeletion == true
    if let content, !isTombstone {
      guard let fields = try? DocumentValues.plain(content) else { return nil }
      members.append(JSONMember("fields", .object(fields)))
    }
    return read(members)
  }

  static let own = ["entityName", "identity", "fields"]

  private func keyMembers(_ identity: JSONValue) -> [JSONMember] {
    [JSONMember("entityName", .string(entity)), JSONMember("identity", identity)]
  }

  private mutating func read(_ members: [JSONMember]) -> Change? {
    let line = Array(JSONValue.object(members).text.utf8)
    var key: [UInt8] = []
    guard let change = try? reader.read(line.span, key: &key) else { return nil }
    return Change(
      key: key, clock: change.clock, line: line, isTombstone: change.isTombstone, isFinal: change.isFinal)
  }

  /// The clock inside a record, at the place defined by the rules of the store.
  private mutating func ownClock(_ content: [JSONMember]) -> Instant? {
    let text = Array(JSONValue.object(content).text.utf8)
    guard let pointer = clock else {
      var key: [UInt8] = []
      let members = keyMembers(["id": 0]) + [JSONMember("fields", .object(content))]
      let line = Array(JSONValue.object(members).text.utf8)
      return (try? reader.read(line.span, key: &key))?.clock
    }
    guard case .found(let place) = pointer.find(in: text.span, 0..<text.count) else { return nil }
    return Clock.instant(text.span, place)
  }

  private func isDeleted(_ document: Document) throws(DocumentProblem) -> Bool {
    guard let deletedField, let mark = document.fields[named: deletedField], mark["nullValue"] == nil else {
      return false
    }
    guard case .bool(let isDeleted)? = mark["booleanValue"] else {
      throw DocumentProblem(
        .unfitValue, "'\(deletedField.shown(upTo: 100))' marks deleted documents, but is not a boolean")
    }
    return isDeleted
  }

  /// A store's note, beside the collection, about a removed document; nil for any other document.
  mutating func removal(_ document: Document) -> Removal? {
    func text(_ name: String) -> String? { document.fields[named: name]?["stringValue"]?.stringValue }
    guard document.instant(Removal.time) != nil, let id = text("id"), let line = text("line"),
      DocumentID(Removal.id(of: id)) == DocumentID(document.id),
      let change = noted(line, names.identity(of: id), nil), change.isTombstone
    else { return nil }
    return Removal(id: id, updated: document.updated, change: change)
  }

  /// The deletion of a record that is known only by its document.
  mutating func deletion(of document: KnownDocument, at time: Instant) throws -> Outgoing? {
    let clock = document.clock.map { $0.advanced(by: .milliseconds(1)) } ?? time
    let members = keyMembers(names.identity(of: document.id))
    return try outgoing(
      Array(
        JSONValue.object(members + [JSONMember("deletedAt", .string(clock.description))]).text.utf8))
  }

  /// The deletion of a record, with a clock just after that of the record, or `time` if it lacks a clock.
  mutating func deletion(of line: [UInt8], at time: Instant) throws -> Change {
    var key: [UInt8] = []
    let change = try reader.read(line.span, key: &key)
    let clock = change.clock.map { $0.advanced(by: .milliseconds(1)) } ?? time
    var text = Array("{".utf8)
    try reader.appendKeyMembers(of: line.span, to: &text)
    text += Array(",\"deletedAt\":\"\(clock)\"}".utf8)
    return Change(key: key, clock: clock, line: text, isTombstone: true)
  }

  /// The key of a change line, and whether it is a deletion.
  mutating func key(ofLine line: [UInt8]) -> (key: [UInt8], isTombstone: Bool)? {
    var key: [UInt8] = []
    return (try? reader.read(line.span, key: &key)).map { (key, $0.isTombstone) }
  }

  /// The clock of a change line; nil without a clock, and for text that is not a change line.
  mutating func clock(ofLine line: [UInt8]) -> Instant? {
    var key: [UInt8] = []
    return (try? reader.read(line.span, key: &key))?.clock
  }
}
