package import SyncCore

/// The requester's steps when the other side can no longer compute the difference.
extension ChangeStore {
  /// Marks all changes that came from the peer, so that they are sent to it again; for use inside a `write`.
  ///
  /// After `foreignToken` the peer may have lost any of these changes.
  package func resend(to peer: StorePeer) throws(StoreError) {
    var keys: [[UInt8]] = []
    let rows = try database.statement("SELECT key FROM changes WHERE origin = ?1 ORDER BY sequence")
      .bind(1, peer.number)
    while try rows.step() { keys.append(rows.bytes(0)) }
    for key in keys { try resend(key.span) }
    try disownHeld(from: peer)
  }

  // MARK: Peers that may have lost their changes

  /// The `direction` of the note in the table of checkpoints; the token of the note is empty.
  private static let note = "disown"

  /// Notes, inside a `write`, that the peer must get its own changes back when it next reads this store.
  func disownWhenRead(by peer: StorePeer, _ now: Instant) throws(StoreError) {
    try database.statement(
      "INSERT INTO checkpoints (peer, direction, token, updatedAt) VALUES (?1, ?2, '', ?3) ON CONFLICT DO NOTHING"
    ).bind(1, peer.number).bind(2, Self.note).bind(3, now.description).run()
  }

  /// For a peer noted by ``disownWhenRead(by:_:)``, allows its own changes to be sent to it too; called
  /// before each page.
  ///
  /// Held deletions are always sent too: the page contains the records that they would delete. If the peer
  /// has compacted these deletions away since then, it would restore the records.
  func disown(beforeAnswering peer: StorePeer) throws {
    let noted = "FROM checkpoints WHERE peer = ?1 AND direction = ?2"
    let isNoted = try database.statement("SELECT 1 \(noted)").bind(1, peer.number).bind(2, Self.note)
      .first { _ in true }
    guard try isNoted == true || hasHeld(from: peer) else { return }
    try write {
      if isNoted == true {
        try database.statement("UPDATE changes SET origin = -origin WHERE origin = ?1").bind(1, peer.number)
          .run()
        try database.statement("DELETE \(noted)").bind(1, peer.number).bind(2, Self.note).run()
      }
      try disownHeld(from: peer)
    }
  }

  // MARK: Complete answers

  /// A complete answer that is being received.
  package struct Replacement: Equatable, Sendable {
    /// Identifies this answer: it is stored among the keys seen from the peer, and begins with `#`, so that
    /// it never equals a record's key.
    fileprivate let mark: [UInt8]
  }

  /// Begins to note the keys in a complete answer, after `expiredToken`; forgets an earlier attempt.
  @discardableResult
  package func beginReplacement(from peer: StorePeer) throws(StoreError) -> Replacement {
    try forgetSeen(from: peer)
    let replacement = Replacement(mark: Array("#\(nextMark())".utf8))
    try noteSeen(replacement.mark.span, from: peer)
    return replacement
  }

  /// Whether a replacement is still under way; false if another session with the same peer has restarted it.
  package func isUnderWay(_ replacement: Replacement, from peer: StorePeer) throws(StoreError) -> Bool {
    try database.statement("SELECT 1 FROM seen WHERE peer = ?1 AND key = ?2").bind(1, peer.number)
      .bind(2, replacement.mark).first { _ in true } ?? false
  }

  /// Whether a complete answer of the peer is being received.
  func hasReplacement(from peer: StorePeer) throws(StoreError) -> Bool {
    try database.statement("SELECT 1 FROM seen WHERE peer = ?1 LIMIT 1").bind(1, peer.number)
      .first { _ in true } ?? false
  }

  private func forgetSeen(from peer: StorePeer) throws(StoreError) {
    try database.statement("DELETE FROM seen WHERE peer = ?1").bind(1, peer.number).run()
  }

  /// Records that a key is in the peer's complete answer, or in its quarantine.
  package func noteSeen(_ key: Span<UInt8>, from peer: StorePeer) throws(StoreError) {
    try database.statement("INSERT INTO seen (peer, key) VALUES (?1, ?2) ON CONFLICT DO NOTHING")
      .bind(1, peer.number).bind(2, key).run()
  }

  /// The keys noted from the peer's complete answer.
  func seenKeys(from peer: StorePeer) throws(StoreError) -> [[UInt8]] {
    var keys: [[UInt8]] = []
    let rows = try database.statement("SELECT key FROM seen WHERE peer = ?1").bind(1, peer.number)
    while try rows.step() { keys.append(rows.bytes(0)) }
    return keys
  }

  /// The sequences of the records with these keys, in a separate `read`.
  ///
  /// A dry run stores no keys between pages. It keeps these numbers, so its memory is limited by this store.
  func sequences(of keys: [[UInt8]]) throws -> [Int64] {
    try read {
      try keys.compactMap { key in
        try database.statement("SELECT sequence FROM changes WHERE key = ?1").bind(1, key)
          .first { $0.integer(0) }
      }
    }
  }

  /// Notes the keys of the records with these sequences, as ``noteSeen(_:from:)`` does.
  func noteSeen(recordsAt sequences: Set<Int64>, from peer: StorePeer) throws(StoreError) {
    for sequence in sequences {
      let key = try database.statement("SELECT key FROM changes WHERE sequence = ?1").bind(1, sequence)
        .first { $0.bytes(0) }
      if let key { try noteSeen(key.span, from: peer) }
    }
  }

  /// Removes records that the peer no longer has, and returns their number; call it with the last page.
  ///
  /// `theirs` is the peer's checkpoint for this store, from its first page. The peer certainly had a record
  /// only if it is covered by that checkpoint and by the last acknowledgement in this store. Other absent
  /// records stay; they are sent again if the peer would not request them. A peer that has pruned does not
  /// report its checkpoint, so `theirs` is nil. Then records are not removed, and absent records are sent
  /// again. Throws `tooManyDeletions`.
  package func finishReplacement(
    from peer: StorePeer, theirs: StoreToken?, _ shape: RecordShape, _ limit: DeleteLimit
  ) throws(StoreError) -> Int {
    let told = try place(of: theirs)
    let known = try min(acknowledged(by: peer), told)
    let live = state.live
    let rows = try absentRows(peer, upTo: known)
    try resendAbsent(to: peer, after: known, passed: theirs == nil ? state.sequence : told)
    var (reader, removed) = (ChangeReader(shape), 0)
    for (key, row) in rows where try remove(key.span, row, peer, &reader) { removed += 1 }
    try limit.check(removed, of: live)
    try forgetSeen(from: peer)
    return removed
  }

  /// The number of live records that the peer had and that its complete answer lacks so far.
  func absentCount(from peer: StorePeer) throws(StoreError) -> Int {
    let acknowledged = try acknowledged(by: peer)
    let count = try database.statement(
      "SELECT count(*) FROM changes WHERE NOT tombstone AND (origin = ?1 OR sequence <= ?2) "
        + "AND NOT EXISTS (SELECT 1 FROM seen WHERE seen.peer = ?1 AND seen.key = changes.key)"
    ).bind(1, peer.number).bind(2, acknowledged).first { Int($0.integer(0)) }
    return count ?? 0
  }

  /// Sends absent records again if the peer would not request them: its token covers them, or it sent them.
  private func resendAbsent(
    to peer: StorePeer, after known: Int64, passed: Int64
  ) throws(StoreError) {
    var keys: [[UInt8]] = []
    let rows = try database.statement(
      "SELECT key FROM changes WHERE sequence > ?1 AND (sequence <= ?2 OR origin = ?3) AND NOT tombstone "
        + "AND NOT EXISTS (SELECT 1 FROM seen WHERE seen.peer = ?3 AND seen.key = changes.key) ORDER BY sequence"
    ).bind(1, known).bind(2, passed).bind(3, peer.number)
    while try rows.step() { keys.append(rows.bytes(0)) }
    for key in keys { try resend(key.span) }
  }

  private func place(of token: StoreToken?) throws(StoreError) -> Int64 {
    guard let token, try standing(of: token) != .foreign else { return 0 }
    return token.sequence
  }

  private func absentRows(
    _ peer: StorePeer, upTo sequence: Int64
  ) throws(StoreError) -> [(key: [UInt8], row: StoredRow)] {
    var found: [(key: [UInt8], row: StoredRow)] = []
    let rows = try database.statement(
      "SELECT key, \(StoredRow.columns), checksum FROM changes WHERE sequence <= ?1 AND NOT tombstone "
        + "AND NOT EXISTS (SELECT 1 FROM seen WHERE seen.peer = ?2 AND seen.key = changes.key) ORDER BY sequence"
    ).bind(1, sequence).bind(2, peer.number)
    while try rows.step() {
      try RowChecksum.require(rows.integer(StoredRow.columnCount + 1), rows.span(0), rows.span(1))
      found.append((rows.bytes(0), StoredRow(rows, from: 1)))
    }
    return found
  }

  /// Writes a tombstone; false if the record wins by its rule and is sent to the peer again.
  ///
  /// The peer may have deleted the record under other rules.
  private func remove(
    _ key: Span<UInt8>, _ row: StoredRow, _ peer: StorePeer, _ reader: inout ChangeReader
  ) throws(StoreError) -> Bool {
    let change = reader.change(row.line.span)
    let time = LocalClock.deletion(before: change.clock, isChangedSince: true, now: .earliest)
    var line = [UInt8(ascii: "{")]
    reader.appendKeyMembers(of: row.line.span, to: &line)
    line += Array(",\"deletedAt\":\"\(time)\"}".utf8)
    let order = MergeOrder.compare(reader.change(line.span), line.span, change, row.line.span).order
    guard order > 0, line.count <= Self.largestLine else {
      try resend(key)
      return false
    }
    try replace(row, key, line.span, NewRow(isTombstone: true, clock: time, origin: peer.number))
    return true
  }
}
