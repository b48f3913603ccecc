import JSONLines
package import SyncCore

/// Another store that exchanges changes with this store.
package struct StorePeer: Hashable, Sendable {
  /// The number of the peer in the store, from 1.
  package var number: Int64
  package var id: String
}

/// The end of a chain of files: the last file that was written, or was about to be written.
package struct WrittenChain: Equatable, Sendable {
  package var mark: String
  package var number: Int
  /// Digests of that file, and of the file before it.
  package var digest: String
  package var previous: String
  /// The stamp of the chain's files at that time, to detect a replaced file; empty if unknown.
  package var stamp: String

  package init(mark: String, number: Int = 0, digest: String = "", previous: String = "", stamp: String = "")
  {
    (self.mark, self.number, self.digest) = (mark, number, digest)
    (self.previous, self.stamp) = (previous, stamp)
  }
}

/// The direction of a checkpoint: whose changes it counts.
package enum CheckpointDirection: String, CaseIterable, Sendable {
  /// A token of the peer's store: the point up to which we have its changes.
  case outgoing
  /// A token of our own: the point up to which the peer has acknowledged our changes.
  case incoming

  /// Throws `invalidToken` unless the text is empty or a token of this direction.
  package func check(_ token: String) throws(StoreError) {
    let isToken = self == .outgoing ? TokenText.isSendable(token) : StoreToken(token) != nil
    if !token.isEmpty, !isToken { throw .invalidToken }
  }
}

extension ChangeStore {
  /// The peer with this id; call it inside `write`, because it stores the peer and the time.
  ///
  /// A stored time that came from a clock that was ahead is replaced, because it would keep the peer active.
  package func peer(seen id: String, now: Instant) throws(StoreError) -> StorePeer {
    guard let known = try peer(known: id) else {
      try database.statement(
        "INSERT INTO peers (number, id, seenAt) SELECT coalesce(max(number), 0) + 1, ?1, ?2 FROM peers"
      ).bind(1, id).bind(2, now.description).run()
      return try knownPeer(id)
    }
    if let seen = try Instant(seenAt(known)), seen >= now, try !wasAhead(seen, now) { return known }
    try database.statement("UPDATE peers SET seenAt = ?2 WHERE number = ?1").bind(1, known.number)
      .bind(2, now.description).run()
    return known
  }

  /// Whether a time after now came from a clock that was ahead.
  ///
  /// If the store was written to between the two times, it is the clock that is behind now, for example after the
  /// start of a device without a battery.
  private func wasAhead(_ seen: Instant, _ now: Instant) throws(StoreError) -> Bool {
    let margin = DriftGuard.default
    let (start, end) = (now.advanced(by: margin), seen.advanced(by: .zero - margin))
    if seen <= start { return false }
    return try database.statement("SELECT 1 FROM commits WHERE at > ?1 AND at < ?2 LIMIT 1")
      .bind(1, start.seconds).bind(2, end.seconds).first { _ in true } == nil
  }

  /// The peer with this complete id, a UUID in upper or lower case or another word; nil if unknown.
  package func peer(known id: String) throws(StoreError) -> StorePeer? {
    let exact = try database.statement("SELECT number FROM peers WHERE id = ?1").bind(1, id)
      .first { StorePeer(number: $0.integer(0), id: id) }
    if let exact { return exact }
    return UUIDText(id) == nil ? nil : try peers().first { PeerID.areSame($0.id, id) }
  }

  /// The peer for a person's input: its id, or at least the first 4 characters of it.
  package func knownPeer(_ name: String) throws(StoreError) -> StorePeer {
    if let exact = try peer(known: name) { return exact }
    let near = name.count < 4 ? [] : try peers().filter { $0.id.lowercased().hasPrefix(name.lowercased()) }
    guard near.count <= 1 else { throw .ambiguousPeer(name) }
    guard let peer = near.first else { throw .unknownPeer(name) }
    return peer
  }

  /// The same as ``knownPeer(_:)``, but nil for a peer that the store does not know yet.
  package func knownPeer(orNil name: String) throws(StoreError) -> StorePeer? {
    do throws(StoreError) {
      return try knownPeer(name)
    } catch .unknownPeer {
      return nil
    }
  }

  package func peers() throws(StoreError) -> [StorePeer] {
    var peers: [StorePeer] = []
    let rows = try database.statement("SELECT number, id FROM peers ORDER BY id")
    while try rows.step() { peers.append(StorePeer(number: rows.integer(0), id: rows.text(1))) }
    return peers
  }

  /// Forgets a peer and its checkpoints, inside a `write`; false if the peer is kept because of changes in quarantine.
  ///
  /// Another peer may get its number, so the origin of its changes is ``StoredRow/Place/forgotten`` from now on: they
  /// are sent to every peer, and a command that runs after changes of others still gets them. The peer's held
  /// deletions are dropped.
  package func forget(_ peer: StorePeer) throws(StoreError) -> Bool {
    let aside = try database.statement("SELECT 1 FROM quarantine WHERE peer = ?1").bind(1, peer.number)
      .first { _ in true }
    if aside == true { return false }
    let origin = "changes SET origin = \(StoredRow.Place.forgotten) WHERE abs(origin)"
    for reference in [origin, "conflicts SET peer = 0 WHERE peer"] {
      try database.statement("UPDATE \(reference) = ?1").bind(1, peer.number).run()
    }
    try database.statement("DELETE FROM seen WHERE peer = ?1").bind(1, peer.number).run()
    try forgetHeld(from: peer)
    try database.statement("DELETE FROM checkpoints WHERE peer = ?1").bind(1, peer.number).run()
    for table in ["chains", "documents", "removedDocuments", "unsent"] {
      try database.statement("DELETE FROM \(table) WHERE peer = ?1").bind(1, peer.number).run()
    }
    try database.statement("DELETE FROM peers WHERE number = ?1").bind(1, peer.number).run()
    return true
  }

  // MARK: Chains of files

  /// The chains of files that this store has written for a peer.
  package func chains(for peer: StorePeer) throws(StoreError) -> [WrittenChain] {
    var chains: [WrittenChain] = []
    let rows = try database.statement(
      "SELECT mark, number, digest, previous, stamp FROM chains WHERE peer = ?1 ORDER BY mark"
    ).bind(1, peer.number)
    while try rows.step() {
      chains.append(
        WrittenChain(
          mark: rows.text(0), number: Int(rows.integer(1)), digest: rows.text(2), previous: rows.text(3),
          stamp: rows.text(4)))
    }
    return chains
  }

  /// Remembers the file that is about to be written, inside a `write`.
  package func setChain(_ chain: WrittenChain, for peer: StorePeer) throws(StoreError) {
    try database.statement(
      "INSERT INTO chains (peer, mark, number, digest, previous, stamp) VALUES (?1, ?2, ?3, ?4, ?5, ?6) "
        + "ON CONFLICT (peer, mark) DO UPDATE SET number = excluded.number, digest = excluded.digest, "
        + "previous = excluded.previous, stamp = excluded.stamp"
    ).bind(1, peer.number).bind(2, chain.mark).bind(3, Int64(chain.number)).bind(4, chain.digest)
      .bind(5, chain.previous).bind(6, chain.stamp).run()
  }

  /// Forgets an abandoned chain, inside a `write`.
  package func forget(_ chain: WrittenChain, for peer: StorePeer) throws(StoreError) {
    try database.statement("DELETE FROM chains WHERE peer = ?1 AND mark = ?2").bind(1, peer.number)
      .bind(2, chain.mark).run()
  }

  // MARK: Checkpoints

  /// The token of a checkpoint; nil if missing.
  package func checkpoint(
    _ peer: StorePeer, _ direction: CheckpointDirection
  ) throws(StoreError) -> String? {
    try database.statement("SELECT token FROM checkpoints WHERE peer = ?1 AND direction = ?2")
      .bind(1, peer.number).bind(2, direction.rawValue).first { $0.text(0) }
  }

  /// Moves a checkpoint, or removes it if the text is empty; an incoming token must belong to this store.
  ///
  /// An outgoing token is any Base64 text that fits into a message. Throws `invalidToken` for any other text.
  package func setCheckpoint(
    _ peer: StorePeer, _ direction: CheckpointDirection, _ token: String, now: Instant
  ) throws(StoreError) {
    guard !token.isEmpty else {
      return try database.statement("DELETE FROM checkpoints WHERE peer = ?1 AND direction = ?2")
        .bind(1, peer.number).bind(2, direction.rawValue).run()
    }
    try direction.check(token)
    if direction == .incoming, let token = StoreToken(token), try standing(of: token) == .foreign {
      throw .foreignToken
    }
    try database.statement(
      "INSERT INTO checkpoints (peer, direction, token, updatedAt) VALUES (?1, ?2, ?3, ?4) "
        + "ON CONFLICT (peer, direction) DO UPDATE SET token = excluded.token, updatedAt = excluded.updatedAt"
    ).bind(1, peer.number).bind(2, direction.rawValue).bind(3, token).bind(4, now.description).run()
  }

  /// The sequence up to which a peer has our changes; 0 if it has not acknowledged any.
  package func acknowledged(by peer: StorePeer) throws(StoreError) -> Int64 {
    guard let text = try checkpoint(peer, .incoming), let token = StoreToken(text),
      try standing(of: token) != .foreign
    else { return 0 }
    return token.sequence
  }

  /// The token for the state after `sequence`.
  func token(at sequence: Int64) throws(StoreError) -> StoreToken {
    // An unfinished commit does not have a mark yet; its writer requests the token again after the commit.
    StoreToken(store: id, sequence: sequence, mark: try mark(at: sequence) ?? 0)
  }

  /// The token for the end of a page before the last; `start` is the sequence where a complete answer began.
  func token(endOfPage sequence: Int64, start: Int64?) throws(StoreError) -> StoreToken {
    let read = state.sequence
    return StoreToken(
      store: id, sequence: sequence, mark: try mark(at: read) ?? 0, read: read, start: start)
  }

  /// The token for the present state.
  package func currentToken() throws -> StoreToken { try read { try token(at: state.sequence) } }

  package func standing(of token: StoreToken) throws(StoreError) -> TokenStanding {
    token.standing(in: id, mark: try mark(at: token.read ?? token.sequence), compacted: state.compacted)
  }

  /// The mark of the commit to which a sequence belongs; nil beyond the last commit.
  private func mark(at sequence: Int64) throws(StoreError) -> UInt64? {
    if sequence == 0 { return 0 }
    guard sequence > 0 else { return nil }
    return try database.statement("SELECT mark FROM commits WHERE sequence >= ?1 ORDER BY sequence LIMIT 1")
      .bind(1, sequence).first { UInt64(bitPattern: $0.integer(0)) }
  }
}
