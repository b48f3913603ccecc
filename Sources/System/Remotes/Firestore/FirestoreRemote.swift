import JSONLines
package import Store
package import SyncCore
import SystemIO

/// A collection of a Firestore database as the other side of a dialogue.
///
/// The service keeps no history and no sequence. What is new is found by the server's time in a document's note; what
/// has no note, and what was removed, by comparing all names with the documents that the store remembers.
package struct FirestoreRemote: DialogueStore {
  let client: FirestoreClient
  let store: ChangeStore
  let settings: CollectionSettings
  /// Nothing is written, neither there nor what was read.
  let isTrial: Bool
  /// How many records a complete answer may remove there.
  let deleteLimit: DeleteLimit
  let now: () -> Instant
  package let id: String
  var form: DocumentForm
  /// Of a page that has been read: documents to remember once it is applied; nil of one that is gone.
  var read: [DocumentID: KnownDocument?] = [:]
  /// The document in which this store tells how far it has been written; a copy of the store goes on in another one.
  private(set) var checkpointID: String
  /// What it tells.
  private var written: [UInt8]??
  /// The rules for a store that has none: those of another store, or the usual ones.
  private(set) var rules = RecordShape()
  /// The last page that was applied.
  private var acknowledged: [UInt8]?
  /// The end of the last page that was read.
  var given: [UInt8]?
  /// The collection was restored, or emptied.
  private(set) var isAnother = false
  /// The types of members in some documents, for records that are new there; nil as long as nobody needed them.
  var sample: [JSONMember]?
  /// How many changes were left out as they are of other entities.
  package internal(set) var others = 0
  let direction: DialogueSettings.Direction

  /// Documents were found newer than this store has read them; they are to be read before anything is written over them.
  package struct News: Error {}

  package init(
    _ client: FirestoreClient, _ store: ChangeStore, id: String, _ settings: CollectionSettings,
    types: WireTypes, isTrial: Bool, direction: DialogueSettings.Direction, deleteLimit: DeleteLimit,
    now: @escaping () -> Instant
  ) throws {
    (self.client, self.store, self.id, self.settings) = (client, store, id, settings)
    (self.isTrial, self.direction, self.deleteLimit, self.now) = (isTrial, direction, deleteLimit, now)
    form = DocumentForm(
      settings.entity, deletedField: settings.deletedField, types: types,
      try store.rules() ?? RecordShape())
    checkpointID = store.publicID
    if let peer = try store.peer(known: id), let mark = try store.chains(for: peer).first?.mark {
      checkpointID += "-\(mark)"
    }
  }

  /// Reads and writes documents by these rules, which the store is to take over.
  mutating func use(_ rules: RecordShape) {
    self.rules = rules
    form = DocumentForm(settings.entity, deletedField: settings.deletedField, types: form.types, rules)
  }

  /// The store's name for the collection; nil before anything was exchanged.
  func peer() throws -> StorePeer? { try store.peer(known: id) }

  /// The document of that id, as it is remembered.
  func known(_ id: String) throws -> KnownDocument? {
    if let noted = read[DocumentID(id)] { return noted }
    return try peer().flatMap { try store.document(id, of: $0) }
  }

  // MARK: What is left out

  /// Documents that are no records: how many, and one of them.
  package func unreadable() throws -> (count: Int, first: String)? {
    try peer().flatMap { try store.unreadableDocuments(of: $0) }
  }

  /// Records that cannot be documents: how many, and one of them.
  package func unsent() throws -> (count: Int, key: [UInt8], problem: String)? {
    guard let peer = try peer(), let first = try store.unsent(to: peer, limit: 1).first else { return nil }
    return (try store.unsentCount(to: peer), first.key, first.problem)
  }

  // MARK: Checkpoints

  package mutating func checkpoint(onPeer peer: String) throws -> [UInt8]? {
    if let written { return written }
    let document = try client.checkpoint(checkpointID)
    let token = document?.fields[named: "token"]?["stringValue"]?.stringValue.flatMap { TokenText.bytes($0) }
    written = .some(token)
    return token
  }

  /// The checkpoint document as one of the writes of a commit.
  func checkpointWrite(_ token: [UInt8]) throws -> JSONValue {
    var fields: [JSONMember] = [JSONMember("token", ["stringValue": .string(TokenText.text(token))])]
    if let rules = try store.rules()?.rules {
      fields.append(JSONMember("rules", ["stringValue": .string(String(decoding: rules, as: UTF8.self))]))
    }
    return [
      "update": [
        "name": .string(client.path.checkpointName(checkpointID)), "fields": .object(fields),
      ],
      "updateTransforms": [["fieldPath": "at", "setToServerValue": "REQUEST_TIME"]],
    ]
  }

  /// The rules by which another store merges what is in the collection, at the first contact; nil where none is known.
  package func otherRules() throws -> RecordShape? {
    if let peer = try peer(), try store.checkpoint(peer, .outgoing) != nil { return nil }
    for document in try client.checkpoints(limit: 100) where !document.id.hasPrefix(store.publicID) {
      if let text = document.fields[named: "rules"]?["stringValue"]?.stringValue {
        return try? RecordShape(rules: Array(text.utf8).span)
      }
    }
    return nil
  }

  mutating func noteWritten(_ token: [UInt8]) { written = .some(token) }

  /// As this store has it: the collection keeps nothing about what was read.
  package func acknowledged(byPeer peer: String) throws -> [UInt8]? {
    if isAnother { return nil }
    if let acknowledged { return acknowledged }
    return try self.peer().flatMap { try store.checkpoint($0, .outgoing) }.flatMap { TokenText.bytes($0) }
  }

  /// Remembers the documents of a page that this store has applied.
  package mutating func acknowledge(_ token: [UInt8], byPeer peer: String) throws {
    acknowledged = token
    try noteRead()
  }

  mutating func noteRead() throws {
    guard !isTrial else { return }
    try note(read)
    read = [:]
  }

  func note(_ documents: [DocumentID: KnownDocument?]) throws {
    guard !documents.isEmpty else { return }
    try store.write {
      let peer = try store.peer(seen: id, now: now())
      for (id, document) in documents {
        if let document {
          try store.note(document, of: peer)
        } else {
          try store.forgetDocument(id.text, of: peer)
        }
      }
    }
  }

  /// Nothing in the collection tells what came from which store.
  package func disownChanges(fromPeer peer: String) throws {}

  /// Whether the collection has lost what this store has written into it, as after a restore: then all of it is read, and all
  /// that came from it is written again.
  ///
  /// If it has what this store does not know, the store was restored or copied: it goes on under another name, so that two copies
  /// do not take turns for ever.
  mutating func wasReplaced() throws -> Bool {
    guard !isAnother, let peer = try peer(), let text = try store.checkpoint(peer, .incoming),
      let known = StoreToken(text)
    else { return false }
    let held = try checkpoint(onPeer: id).flatMap { StoreToken(bytes: $0) }
    if let held, try store.standing(of: held) == .foreign {
      isAnother = true
      written = .some(nil)
      guard !isTrial else { return false }
      let mark = HexDigits.text((0..<4).map { _ in UInt8.random(in: 0...255) })
      try store.write {
        for chain in try store.chains(for: peer) { try store.forget(chain, for: peer) }
        try store.setChain(WrittenChain(mark: mark), for: peer)
      }
      checkpointID = "\(store.publicID)-\(mark)"
      return false
    }
    guard let held, held.sequence >= known.sequence else {
      isAnother = true
      guard !isTrial else { return true }
      try store.write {
        try store.forgetDocuments(of: peer)
        if direction != .pull { try store.resend(to: peer) }
      }
      return true
    }
    return false
  }
}
