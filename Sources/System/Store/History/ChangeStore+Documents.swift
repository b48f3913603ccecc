package import SyncCore

/// A document of a remote collection, in the version that this store last read or wrote.
package struct KnownDocument: Equatable, Sendable {
  package var id: String
  /// The canonical key of its record; empty if it was never a record.
  package var key: [UInt8]
  /// The server's time of the last write; empty after a later write, when the document must be read again.
  package var updated: String
  package var clock: Instant?
  /// A mark of the document's note; empty for a document without a note.
  package var noted: String
  /// The reason why the document is not a record at present; empty for a record.
  package var problem: String

  package init(
    id: String, key: [UInt8], updated: String, clock: Instant?, noted: String, problem: String = ""
  ) {
    (self.id, self.key, self.updated, self.clock) = (id, key, updated, clock)
    (self.noted, self.problem) = (noted, problem)
  }
}

/// A document that was removed together with its record.
package struct RemovedDocument: Equatable, Sendable {
  /// The server's time of the document's removal if known, otherwise of its last write.
  package var updated: Instant
  /// The clock of the deletion.
  package var gone: Instant

  package init(updated: Instant, gone: Instant) { (self.updated, self.gone) = (updated, gone) }
}

/// The known documents of remote collections; comparing with them reveals later writes and removals.
extension ChangeStore {
  private static let columns = "id, key, updated, clock, noted, problem"

  /// The document with this id.
  package func document(_ id: String, of peer: StorePeer) throws(StoreError) -> KnownDocument? {
    try database.statement("SELECT \(Self.columns) FROM documents WHERE peer = ?1 AND id = ?2")
      .bind(1, peer.number).bind(2, id).first { KnownDocument($0) }
  }

  /// The documents with the record of a key: rarely more than one, for example if ids differ only in case.
  package func documents(with key: [UInt8], of peer: StorePeer) throws(StoreError) -> [KnownDocument] {
    try list(
      database.statement("SELECT \(Self.columns) FROM documents WHERE peer = ?1 AND key = ?2 ORDER BY id")
        .bind(1, peer.number).bind(2, key))
  }

  private func list(_ rows: Statement) throws(StoreError) -> [KnownDocument] {
    var documents: [KnownDocument] = []
    while try rows.step() { documents.append(KnownDocument(rows)) }
    return documents
  }

  /// Documents in the order of their ids, after `id` and up to `last`; nil means to the end.
  package func documents(
    of peer: StorePeer, after id: String, through last: String?
  ) throws(StoreError) -> [KnownDocument] {
    let range = last == nil ? "id > ?2" : "id > ?2 AND id <= ?3"
    let rows = try database.statement(
      "SELECT \(Self.columns) FROM documents WHERE peer = ?1 AND \(range) ORDER BY id"
    ).bind(1, peer.number).bind(2, id)
    return try list(last.map { rows.bind(3, $0) } ?? rows)
  }

  /// Documents that have been written since they were read.
  package func staleDocuments(of peer: StorePeer, limit: Int) throws(StoreError) -> [KnownDocument] {
    try list(
      database.statement(
        "SELECT \(Self.columns) FROM documents WHERE peer = ?1 AND updated = '' ORDER BY id LIMIT ?2"
      ).bind(1, peer.number).bind(2, Int64(limit)))
  }

  /// The number of documents in a collection that are not records, and one of them with the reason.
  package func unreadableDocuments(
    of peer: StorePeer
  ) throws(StoreError) -> (count: Int, first: String, problem: String)? {
    let first = try database.statement(
      "SELECT id, problem, (SELECT count(*) FROM documents WHERE peer = ?1 AND problem <> '') FROM documents "
        + "WHERE peer = ?1 AND problem <> '' ORDER BY id LIMIT 1"
    ).bind(1, peer.number).first { (Int($0.integer(2)), $0.text(0), $0.text(1)) }
    return first.map { (count: $0.0, first: $0.1, problem: $0.2) }
  }

  /// Documents whose records were deleted here and whose deletions have been compacted away.
  ///
  /// After pruning, the result is empty, because dropped records would count as deleted.
  package func forgottenDocuments(of peer: StorePeer) throws(StoreError) -> [KnownDocument] {
    guard try prunes().isEmpty else { return [] }
    return try list(
      database.statement(
        "SELECT \(Self.columns) FROM documents AS known WHERE peer = ?1 AND length(key) > 0 AND updated <> '' AND problem = '' "
          + "AND NOT EXISTS (SELECT 1 FROM changes WHERE changes.key = known.key) "
          + "AND key NOT IN (SELECT key FROM quarantine WHERE key IS NOT NULL) ORDER BY id"
      ).bind(1, peer.number))
  }

  /// The lines of a key that a peer has sent and that are in quarantine.
  package func quarantined(
    _ key: [UInt8], from peer: StorePeer
  ) throws(StoreError) -> [(number: Int64, line: [UInt8])] {
    let rows = try database.statement(
      "SELECT number, line FROM quarantine INDEXED BY quarantineByPeer WHERE peer = ?1 AND key = ?2"
    ).bind(1, peer.number).bind(2, key)
    var lines: [(number: Int64, line: [UInt8])] = []
    while try rows.step() { lines.append((rows.integer(0), rows.bytes(1))) }
    return lines
  }

  package func documentCount(of peer: StorePeer) throws(StoreError) -> Int {
    try database.statement("SELECT count(*) FROM documents WHERE peer = ?1").bind(1, peer.number)
      .first { Int($0.integer(0)) } ?? 0
  }

  /// Remembers a document, inside a `write`.
  package func note(_ document: KnownDocument, of peer: StorePeer) throws(StoreError) {
    try database.statement(
      "INSERT INTO documents (peer, id, key, updated, clock, noted, problem) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) "
        + "ON CONFLICT (peer, id) DO UPDATE SET key = excluded.key, updated = excluded.updated, clock = excluded.clock, "
        + "noted = excluded.noted, problem = excluded.problem"
    ).bind(1, peer.number).bind(2, document.id).bind(3, document.key).bind(4, document.updated)
      .bind(5, document.clock?.description ?? "").bind(6, document.noted).bind(7, document.problem).run()
    try database.statement("DELETE FROM removedDocuments WHERE peer = ?1 AND id = ?2").bind(1, peer.number)
      .bind(2, document.id).run()
  }

  /// Forgets a document that no longer exists, inside a `write`.
  package func forgetDocument(_ id: String, of peer: StorePeer) throws(StoreError) {
    try database.statement("DELETE FROM documents WHERE peer = ?1 AND id = ?2").bind(1, peer.number)
      .bind(2, id).run()
  }

  /// Remembers when a document was removed, and the clock of the deletion, inside a `write`.
  package func noteRemoved(
    _ id: String, _ key: [UInt8], updated: String, gone: Instant, of peer: StorePeer
  ) throws(StoreError) {
    try database.statement(
      "INSERT INTO removedDocuments (peer, id, key, updated, gone) VALUES (?1, ?2, ?3, ?4, ?5) "
        + "ON CONFLICT (peer, id) DO UPDATE SET key = excluded.key, updated = excluded.updated, gone = excluded.gone"
    ).bind(1, peer.number).bind(2, id).bind(3, key).bind(4, updated).bind(5, gone.description).run()
  }

  /// The removed document with this id; nil once a document with this id exists again.
  ///
  /// A later deletion that has not reached the collection is ignored.
  package func removedDocument(_ id: String, of peer: StorePeer) throws -> RemovedDocument? {
    let found = try database.statement(
      "SELECT updated, gone FROM removedDocuments WHERE peer = ?1 AND id = ?2"
    ).bind(1, peer.number).bind(2, id).first { ($0.text(0), $0.text(1)) }
    guard let (updated, gone) = found, let gone = Instant(gone) else { return nil }
    return RemovedDocument(updated: Instant(updated) ?? .epoch, gone: gone)
  }

  /// The ids of the removed documents that had the record of a key.
  package func removedDocuments(with key: [UInt8], of peer: StorePeer) throws(StoreError) -> [String] {
    let rows = try database.statement(
      "SELECT id FROM removedDocuments WHERE peer = ?1 AND key = ?2 ORDER BY id"
    ).bind(1, peer.number).bind(2, key)
    var ids: [String] = []
    while try rows.step() { ids.append(rows.text(0)) }
    return ids
  }

  /// Forgets, inside a `write`, all documents of a collection that has been replaced.
  package func forgetDocuments(of peer: StorePeer) throws(StoreError) {
    for table in ["documents", "removedDocuments"] {
      try database.statement("DELETE FROM \(table) WHERE peer = ?1").bind(1, peer.number).run()
    }
  }

  /// Forgets removed documents whose deletions are compacted away, inside a `write`.
  func trimRemovedDocuments() throws(StoreError) {
    try database.statement(
      "DELETE FROM removedDocuments WHERE NOT EXISTS (SELECT 1 FROM changes WHERE changes.key = removedDocuments.key)"
    ).run()
  }

  /// Whether a deletion is held until the end of the answer.
  package func isHeld(_ key: [UInt8], from peer: StorePeer) throws(StoreError) -> Bool {
    try heldLine(key.span, from: peer) != nil
  }

  /// Drops a held deletion, inside a `write`, because the answer also has a later version.
  package func dropHeld(_ key: [UInt8], from peer: StorePeer) throws(StoreError) {
    try database.statement("DELETE FROM held WHERE peer = ?1 AND key = ?2").bind(1, peer.number).bind(2, key)
      .run()
  }

  // MARK: Unwritable records

  /// Remembers, inside a `write`, why a record cannot be written into a collection; nil if it can be written.
  package func note(_ problem: String?, of key: [UInt8], for peer: StorePeer) throws(StoreError) {
    if let problem {
      try database.statement(
        "INSERT INTO unsent (peer, key, problem) VALUES (?1, ?2, ?3) "
          + "ON CONFLICT (peer, key) DO UPDATE SET problem = excluded.problem"
      ).bind(1, peer.number).bind(2, key).bind(3, problem).run()
    } else {
      try database.statement("DELETE FROM unsent WHERE peer = ?1 AND key = ?2").bind(1, peer.number)
        .bind(2, key).run()
    }
  }

  /// The first records that could not be written, in key order, up to `limit`.
  package func unsent(
    to peer: StorePeer, limit: Int, inAnyOrder: Bool = false
  ) throws(StoreError) -> [(key: [UInt8], problem: String)] {
    let rows = try database.statement(
      "SELECT key, problem FROM unsent WHERE peer = ?1 ORDER BY \(inAnyOrder ? "random()" : "key") LIMIT ?2"
    ).bind(1, peer.number).bind(2, Int64(limit))
    var found: [(key: [UInt8], problem: String)] = []
    while try rows.step() { found.append((rows.bytes(0), rows.text(1))) }
    return found
  }

  package func unsentCount(to peer: StorePeer) throws(StoreError) -> Int {
    try database.statement("SELECT count(*) FROM unsent WHERE peer = ?1").bind(1, peer.number)
      .first { Int($0.integer(0)) } ?? 0
  }

  /// Whether the peer lacks this store's version of a record, although it has acknowledged later changes.
  package func isUnsent(_ key: Span<UInt8>, to peer: Int64) throws(StoreError) -> Bool {
    try database.statement("SELECT 1 FROM unsent WHERE peer = ?1 AND key = ?2").bind(1, peer).bind(2, key)
      .first { _ in true } ?? false
  }

  // MARK: Deletions in the collection

  /// Whether the record of a key came from the peer and has not been changed here since then.
  package func isFrom(_ peer: StorePeer, _ key: [UInt8]) throws -> Bool {
    try row(of: key.span)?.place.origin == peer.number
  }

  /// Gives the record of a line a later clock, inside a `write`, unless another line has replaced this line.
  package func restamp(
    _ key: [UInt8], _ line: [UInt8], as later: [UInt8], clock: Instant
  ) throws(StoreError) {
    guard let stored = try row(of: key.span), stored.line == line else { return }
    try replace(
      stored, key.span, later.span,
      NewRow(
        isTombstone: stored.isTombstone, clock: clock, origin: stored.place.disowned, base: stored.base))
  }

  /// Keeps, inside a `write`, a version in a remote collection that was overwritten before it was read.
  package func keepOverwritten(
    _ key: [UInt8], _ line: [UInt8], by winner: [UInt8], peer: StorePeer
  ) throws(StoreError) {
    try keepConflict(key.span, lost: line.span, against: winner.span, peer: peer.number)
  }

  /// The live record of a key, if the peer has had this version; nil if it has been deleted or changed here
  /// since then.
  package func recordHeld(by peer: StorePeer, _ key: [UInt8]) throws -> [UInt8]? {
    guard let row = try row(of: key.span), !row.isTombstone, try !isUnsent(key.span, to: peer.number) else {
      return nil
    }
    let isTheirs = row.place.origin == peer.number
    return try isTheirs || row.place.sequence <= acknowledged(by: peer) ? row.line : nil
  }
}

extension KnownDocument {
  fileprivate init(_ row: Statement) {
    self.init(
      id: row.text(0), key: row.bytes(1), updated: row.text(2), clock: Instant(row.text(3)),
      noted: row.text(4), problem: row.text(5))
  }
}
