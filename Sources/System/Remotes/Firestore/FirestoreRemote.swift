import Crypto
import JSONLines
package import Store
package import SyncCore
import SystemIO

/// A collection of a Firestore database as the other side of a dialogue.
///
/// The service does not keep a history or a sequence. The server's time in the notes identifies new
/// documents. Comparing all names with the remembered documents reveals documents without a note and removed
/// documents.
package struct FirestoreRemote: DialogueStore {
  let client: FirestoreClient
  let store: ChangeStore
  let settings: CollectionSettings
  /// Whether the run writes neither to the collection nor to the store.
  let isDryRun: Bool
  /// The limit of records that a complete answer may remove from the collection.
  let deleteLimit: DeleteLimit
  let now: () -> Instant
  package let id: String
  var form: DocumentForm
  /// For the current page: documents to remember once it is applied; nil for a removed document.
  var read: [DocumentID: KnownDocument?] = [:]
  /// For the current page: the facts about removed documents.
  var removals: [DocumentID: Removal] = [:]
  /// For the current page: records with clocks that this store has derived, and these clocks.
  var unstamped: [(key: [UInt8], clock: Instant?)] = []
  /// For the current page: versions written after the removal of their documents, but with earlier clocks.
  var outlived: [(key: [UInt8], line: [UInt8])] = []
  /// The document with this store's progress; a copy of the store continues in another document.
  private(set) var checkpointID: String
  /// The checkpoint in the collection; nil before it is read.
  private var written: [UInt8]??
  /// The agreement of all stores; nil before it was written, or before this store has read it.
  package internal(set) var agreement: CollectionAgreement?
  /// The time of the last write by any store, according to the collection; nil before it is read.
  var lastWriting: Instant??
  /// The last page that was applied.
  private var acknowledged: [UInt8]?
  /// The end of the last page that was read.
  var given: [UInt8]?
  /// Whether the collection was restored or emptied, or the store was restored or copied.
  private(set) var isAnother = false
  /// Members of existing documents, whose types new documents get; nil until they are needed.
  var sample: [JSONMember]?
  /// The number of changes that were left out because they have another entity.
  package internal(set) var others = 0
  /// The number of remaining changes that could not be written.
  package internal(set) var unwritten = 0
  /// The records of the page that could not be written.
  var unwrittenKeys: Set<[UInt8]> = []
  let direction: DialogueSettings.Direction

  /// The error if some documents have later versions: these must be read before they are overwritten.
  package struct News: Error {}

  package init(
    _ client: FirestoreClient, _ store: ChangeStore, id: String, _ settings: CollectionSettings,
    types: WireTypes, isDryRun: Bool, direction: DialogueSettings.Direction, deleteLimit: DeleteLimit,
    now: @escaping () -> Instant
  ) throws {
    (self.client, self.store, self.id, self.settings) = (client, store, id, settings)
    (self.isDryRun, self.direction, self.deleteLimit, self.now) = (isDryRun, direction, deleteLimit, now)
    form = DocumentForm(
      settings.entity, deletedField: settings.deletedField, types: types,
      try store.rules() ?? RecordShape())
    checkpointID = store.publicID
    if let peer = try store.peer(known: id), let mark = try store.chains(for: peer).first?.mark {
      checkpointID += "-\(mark)"
    }
  }

  /// The rules for a store without rules: those of another store, or the defaults.
  var rules: RecordShape { agreement?.rules ?? RecordShape() }

  /// Reads and checks the agreement of other stores before the exchange.
  package mutating func agree() throws {
    let found = try client.beside([checkpointID, CollectionAgreement.id])
    // Compare all documents if the store does not know the collection, or if it was added again.
    let isKnown = try peer().flatMap { try store.checkpoint($0, .incoming) } != nil
    written = .some(isKnown ? token(found[DocumentID(checkpointID)]) : nil)
    try agree(found[DocumentID(CollectionAgreement.id)])
  }

  private mutating func agree(_ document: Document?) throws {
    guard let document else { return }
    guard let common = CollectionAgreement(document) else {
      throw Diagnostic(
        .damagedRecord,
        "the document '\(client.path.checkpointPath)/\(document.id)' is not in this program's format",
        hint: "remove it from the database; the next run writes it again")
    }
    if let text = common.settings.difference(from: settings, of: "the collection") {
      let url = client.path.word
      throw Diagnostic(
        .rulesDiffer, text,
        hint:
          "to use the collection's settings: peersync remote remove \(url); peersync remote add \(url), "
          + "with the other options as before")
    }
    let own = try store.rules()
    if let own, let (code, text) = try common.difference(from: own) {
      throw Diagnostic(code, text, hint: client.path.hint(for: code))
    }
    form = DocumentForm(
      settings.entity, deletedField: settings.deletedField, types: form.types, own ?? common.rules,
      clock: common.clock)
    agreement = common
  }

  /// The rules of the other stores, which the dialogue compares; nil if they are unknown.
  package func shared() throws -> SharedRules? {
    guard let own = try store.rules(), let agreement else { return nil }
    return SharedRules(own, digest: try own.rulesDigest(), entities: agreement.identities)
  }

  /// The agreement that the first store writes; nil for any other store.
  func newAgreement() throws -> CollectionAgreement? {
    guard agreement == nil, let rules = try store.rules() else { return nil }
    return CollectionAgreement(settings, rules, try store.entityForms())
  }

  /// The agreement as a write in a commit, which fails if another store was faster.
  func agreementWrite(_ own: CollectionAgreement) -> JSONValue {
    [
      "update": [
        "name": .string(client.path.checkpointName(CollectionAgreement.id)), "fields": .object(own.fields),
      ],
      "currentDocument": ["exists": false],
    ]
  }

  /// The collection as a peer of the store; nil before the first exchange.
  func peer() throws -> StorePeer? { try store.peer(known: id) }

  /// The remembered document with this id.
  func known(_ id: String) throws -> KnownDocument? {
    if let noted = read[DocumentID(id)] { return noted }
    return try peer().flatMap { try store.document(id, of: $0) }
  }

  /// The quarantined lines of a document's last read version.
  mutating func aside(_ document: KnownDocument) throws -> [Int64] {
    guard let peer = try peer(), !document.key.isEmpty else { return [] }
    return try store.quarantined(document.key, from: peer).filter {
      form.clock(ofLine: $0.line) == document.clock
    }.map(\.number)
  }

  /// Whether a change of a key with that clock is in quarantine.
  mutating func isAside(_ key: [UInt8], _ clock: Instant) throws -> Bool {
    guard let peer = try peer() else { return false }
    return try store.quarantined(key, from: peer).contains { form.clock(ofLine: $0.line) == clock }
  }

  /// Drops the quarantined lines of an earlier version of a document, which must not be applied later.
  ///
  /// Returns the earlier version without its clock, which is no longer valid.
  mutating func superseded(_ known: KnownDocument) throws -> KnownDocument {
    let numbers = try aside(known)
    guard !numbers.isEmpty, !isDryRun else { return known }
    var known = known
    known.clock = nil
    try store.write {
      for number in numbers { _ = try store.dropQuarantined(number) }
      try store.note(known, of: store.peer(seen: id, now: now()))
    }
    return known
  }

  // MARK: Records and documents that are left out

  /// The number of documents that are not records, and one of them with its problem.
  package func unreadable() throws -> (count: Int, first: String, problem: String)? {
    try peer().flatMap { try store.unreadableDocuments(of: $0) }
  }

  /// The number of records that cannot become documents, and some of them.
  package func unsent(limit: Int) throws -> (count: Int, some: [(key: [UInt8], problem: String)])? {
    guard let peer = try peer() else { return nil }
    let some = try store.unsent(to: peer, limit: limit)
    return some.isEmpty ? nil : (try store.unsentCount(to: peer), some)
  }

  // MARK: Checkpoints

  package mutating func checkpoint(onPeer peer: String) throws -> [UInt8]? {
    if let written { return written }
    let token = token(try client.beside([checkpointID])[DocumentID(checkpointID)])
    written = .some(token)
    return token
  }

  private func token(_ document: Document?) -> [UInt8]? {
    document?.fields[named: "token"]?["stringValue"]?.stringValue.flatMap { TokenText.bytes($0) }
  }

  /// The checkpoint document as a write in a commit.
  func checkpointWrite(_ token: [UInt8]) -> JSONValue {
    [
      "update": [
        "name": .string(client.path.checkpointName(checkpointID)),
        "fields": ["token": ["stringValue": .string(TokenText.text(token))]],
      ],
      "updateTransforms": [["fieldPath": "at", "setToServerValue": "REQUEST_TIME"]],
    ]
  }

  mutating func noteWritten(_ token: [UInt8]) { written = .some(token) }

  /// The checkpoint in this store, because the collection does not record how far it was read.
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
    guard !isDryRun else { return }
    try note(read, Array(removals.values))
    try keepOutlived()
    try stampDocuments()
    (read, removals) = ([:], [:])
  }

  /// Keeps versions that lost against a deletion unknown to their writer: their documents will be removed.
  private mutating func keepOutlived() throws {
    defer { outlived = [] }
    guard !outlived.isEmpty, let peer = try peer() else { return }
    try store.write {
      for (key, line) in outlived {
        guard let deletion = try store.line(of: key) as [UInt8]?,
          form.key(ofLine: deletion)?.isTombstone == true
        else { continue }
        try store.keepOverwritten(key, line, by: deletion, peer: peer)
      }
    }
  }

  /// Sends records again that lack their clocks in the collection, so all devices have the same clocks.
  ///
  /// A deletion that is held until the end of the answer is handled later.
  private mutating func stampDocuments() throws {
    guard direction != .pull, !unstamped.isEmpty, let peer = try peer() else { return unstamped = [] }
    var waiting: [(key: [UInt8], clock: Instant?)] = []
    try store.write {
      for (key, clock) in unstamped {
        if let line = try store.line(of: key), form.clock(ofLine: line) == clock {
          try store.dropHeld(key, from: peer)
          try store.resend(key.span)
        } else if try store.isHeld(key, from: peer) {
          waiting.append((key, clock))
        }
      }
    }
    unstamped = waiting
  }

  func note(_ documents: [DocumentID: KnownDocument?], _ removals: [Removal] = []) throws {
    guard !documents.isEmpty || !removals.isEmpty else { return }
    try store.write {
      let peer = try store.peer(seen: id, now: now())
      for (id, document) in documents {
        if let document {
          try store.note(document, of: peer)
          // The change that could not be written has lost against this document.
          if document.problem.isEmpty, try store.isFrom(peer, document.key) {
            try store.note(nil, of: document.key, for: peer)
          }
        } else {
          try store.forgetDocument(id.text, of: peer)
        }
      }
      for removal in removals {
        try store.noteRemoved(
          removal.id, removal.change.key, updated: removal.updated, gone: removal.change.clock ?? .epoch,
          of: peer)
      }
    }
  }

  /// Does not do anything, because the collection does not note which store wrote a record.
  package func disownChanges(fromPeer peer: String) throws {}

  /// Whether the collection has lost writes of this store, for example by a restore.
  ///
  /// Then the whole collection is read, and all records that came from the collection are written to it
  /// again.
  ///
  /// If the collection has notes unknown to this store, the store was restored or copied. Then the store
  /// continues under another name, so that two copies do not replace each other's checkpoint.
  mutating func wasReplaced() throws -> Bool {
    guard !isAnother, let peer = try peer(), let text = try store.checkpoint(peer, .incoming),
      let known = StoreToken(text)
    else { return false }
    let held = try checkpoint(onPeer: id).flatMap { StoreToken(bytes: $0) }
    if let held, try store.standing(of: held) == .foreign {
      isAnother = true
      written = .some(nil)
      guard !isDryRun else { return false }
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
      guard !isDryRun else { return true }
      try store.write {
        try store.forgetDocuments(of: peer)
        if direction != .pull { try store.resend(to: peer) }
      }
      return true
    }
    return false
  }
}
