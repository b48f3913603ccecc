package import JSONLines
package import SyncCore

extension ChangeStore {
  /// The result of `compact`.
  package struct Compaction: Equatable, Sendable {
    package var removed = 0
    /// The keys of removed deletions with clocks further ahead than allowed.
    ///
    /// A new record under such a key loses against the deletion in every store that still has it.
    package var ahead: [[UInt8]] = []
  }

  /// Removes the tombstones that every active peer has, inside a `write`.
  ///
  /// A peer without contact for `retireAfter` does not delay the removal; when it returns, its token has
  /// expired. A store without known peers keeps all tombstones. A tombstone that the next `record` still
  /// needs stays too; otherwise the snapshot's record would look new. The tombstone of a key in quarantine
  /// also stays; otherwise the released line would restore the record.
  ///
  /// Tombstones that were stored less than `age` ago stay for readers that are not peers.
  ///
  /// New records get later clocks than the removed deletions, unless these are ahead of now by more than
  /// `drift`.
  package func compact(
    retireAfter: Duration, keepingFor age: Duration = .zero, now: Instant, drift: Duration?
  ) throws -> Compaction {
    let peers = try peers()
    guard !peers.isEmpty else { return Compaction() }
    var passed = state.sequence
    for peer in peers where try isActive(peer, retireAfter, now) {
      passed = min(passed, try acknowledged(by: peer))
    }
    if age > .zero { passed = min(passed, try sequence(before: now.advanced(by: .zero - age), now)) }
    let removable =
      "FROM changes WHERE tombstone AND sequence <= ?1 "
      + "AND NOT EXISTS (SELECT 1 FROM baseline WHERE baseline.key = changes.key) "
      + "AND key NOT IN (SELECT key FROM quarantine WHERE key IS NOT NULL)"
    let last = try database.statement("SELECT max(sequence) \(removable)").bind(1, passed).first {
      $0.integer(0)
    }
    var compaction = Compaction()
    compaction.ahead = try raiseFloors("SELECT key, line \(removable)", passed, now, drift)
    try database.statement("DELETE \(removable)").bind(1, passed).run()
    compaction.removed = try database.changes
    try trimRemovedDocuments()
    state.tombstones -= compaction.removed
    state.compacted = max(state.compacted, last ?? 0)
    if compaction.removed > 0 { try readAnew(peers.filter { try !isActive($0, retireAfter, now) }, now) }
    return compaction
  }

  /// The last sequence up to which all changes are older than `moment`; 0 if unknown.
  ///
  /// A commit with a time after now was made with a wrong clock; a later commit shows how old it is.
  private func sequence(before moment: Instant, _ now: Instant) throws(StoreError) -> Int64 {
    try database.statement(
      "SELECT coalesce(max(sequence), 0) FROM commits WHERE at < ?1 AND sequence < "
        + "(SELECT coalesce(min(sequence), \(Int64.max)) FROM commits WHERE at >= ?1 AND at <= ?2)"
    ).bind(1, moment.seconds).bind(2, now.seconds).first { $0.integer(0) } ?? 0
  }

  /// Makes the store read some inactive peers from the beginning again: the peers that have never read this store.
  ///
  /// These peers do not have a token that could expire. They keep records that were deleted here, so these
  /// records return.
  private func readAnew(_ retired: [StorePeer], _ now: Instant) throws(StoreError) {
    for peer in retired where try checkpoint(peer, .incoming) == nil {
      try setCheckpoint(peer, .outgoing, "", now: now)
      // The peer cannot report that it has lost these changes, because its checkpoint is removed here.
      try disownWhenRead(by: peer, now)
    }
  }

  /// Raises the floors, and returns the keys of deletions that are too far ahead of now for that.
  private func raiseFloors(
    _ rows: String, _ passed: Int64, _ now: Instant, _ drift: Duration?
  ) throws -> [[UInt8]] {
    let latest = DriftGuard(now: now, maximum: drift).latest
    var reader = try ChangeReader(rules() ?? RecordShape())
    var (floors, ahead): ([String: Instant], [[UInt8]]) = ([:], [])
    try database.statement(rows).bind(1, passed).forEachRow { row in
      guard let clock = reader.change(row.span(1)).clock else { return }
      if let latest, clock > latest { return ahead.append(row.bytes(0)) }
      let entity = Key.entity(of: row.span(0))
      floors[entity] = max(floors[entity] ?? clock, clock)
    }
    try raiseFloors(to: floors, after: now.advanced(by: .zero - (drift ?? DriftGuard.default)))
    return ahead
  }

  /// Whether tombstones are kept for a peer.
  package func isActive(_ peer: StorePeer, _ retireAfter: Duration, _ now: Instant) throws(StoreError) -> Bool
  {
    guard let seen = Instant(try seenAt(peer)) else { return true }
    return seen.advanced(by: retireAfter) >= now
  }

  package func seenAt(_ peer: StorePeer) throws(StoreError) -> String {
    try database.statement("SELECT seenAt FROM peers WHERE number = ?1").bind(1, peer.number)
      .first { $0.text(0) } ?? ""
  }

  /// Drops an entity's records that are older than `before`, and refuses them later; call it inside a
  /// `write`.
  ///
  /// It does not leave tombstones, because each store prunes its own records. Existing tombstones stay until
  /// `compact`, because peers may still need them. Returns the number of dropped records.
  package func prune(_ entity: String, before: Instant, _ shape: RecordShape) throws -> Int {
    var prunes = Prunes()
    prunes.add(entity, before: before)
    let range = KeyRange(of: entity)
    var reader = ChangeReader(shape)
    var keys: [[UInt8]] = []
    try database.statement(
      "SELECT key, line, checksum FROM changes WHERE key >= ?1 AND key < ?2 AND NOT tombstone",
      isLong: true
    ).bind(1, range.opening).bind(2, range.end).forEachRow { row in
      try RowChecksum.require(row.integer(2), row.span(0), row.span(1))
      if prunes.refuse(row.span(0), reader.change(row.span(1))) { keys.append(row.bytes(0)) }
    }
    for key in keys {
      try drop(key.span, isTombstone: false)
      try forgetBaseline(key.span)
    }
    try database.statement(
      "INSERT INTO prunes (entity, before) VALUES (?1, ?2) "
        + "ON CONFLICT (entity) DO UPDATE SET before = excluded.before WHERE prunes.before < excluded.before"
    ).bind(1, entity).bind(2, before.description).run()
    return keys.count
  }

  /// Prunes one entity, or with nil all append-only entities, in a separate `write`.
  ///
  /// Returns nil if `entity` is nil and the rules do not have append-only entities. Refuses all if one of the
  /// entities is bound: its file or table still has the records, which would count as new edits.
  package func prune(_ entity: String?, before: Instant, _ limit: DeleteLimit) throws -> Int? {
    let shape = try rules() ?? RecordShape()
    let entities = entity.map { [$0] } ?? shape.profile.appendOnlyEntities
    if entities.isEmpty { return nil }
    return try write {
      if let binding = try bindings().first(where: { entities.contains($0.entity) }) {
        throw Diagnostic(pruning: binding, store: path)
      }
      let live = live
      let removed = try entities.reduce(0) { try $0 + prune($1, before: before, shape) }
      try limit.check(removed, of: live)
      return removed
    }
  }

  func prunes() throws(StoreError) -> Prunes {
    var prunes = Prunes()
    let rows = try database.statement("SELECT entity, before FROM prunes")
    while try rows.step() {
      if let before = Instant(rows.text(1)) { prunes.add(rows.text(0), before: before) }
    }
    return prunes
  }

  /// The number of live records, in the current transaction or after the last one.
  package var live: Int { state.live }

  /// The number of tombstones, in the current transaction or after the last one.
  package var tombstones: Int { state.tombstones }

  /// All counts of the store as one object.
  package func statistics() throws -> JSONValue {
    try read {
      let id = id.map { byte in
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
      }
      return [
        "store": .string(id.joined()), "schema": .integer(Schema.version), "records": .integer(state.live),
        "tombstones": .integer(state.tombstones), "sequence": .integer(state.sequence),
        "compacted": .integer(state.compacted), "peers": .integer(try peers().count),
        "quarantined": .integer(try quarantineCount()),
        "entities": .array(try entities(upTo: 1_000).filter { !$0.isEmpty }.map { .string($0) }),
      ]
    }
  }

  /// Keeps at most this many KiB of the store in memory.
  package func limitCache(toKiB size: Int) throws(StoreError) { try database.limitCache(toKiB: size) }

  /// Limits the size of the store to this many bytes from now on; a write that would need more throws `full`.
  package func limitSize(toBytes size: Int64?) throws(StoreError) { try database.limitSize(toBytes: size) }

  /// The counts; the size is that of the file without its log.
  ///
  /// Call it inside `read`.
  package func counts() throws -> (live: Int, tombstones: Int, quarantined: Int, bytes: Int64) {
    (state.live, state.tombstones, try quarantineCount(), try database.size())
  }

  /// Sets the longest wait for a lock of another process; with zero a locked store throws `busy` at once.
  package func limitWait(to wait: Duration) { database.limitWait(to: wait) }

  /// One object for each peer: its last contact, its progress, and its checkpoints.
  package func peerStatus() throws -> [JSONValue] {
    try read {
      try peers().map { peer in
        let acknowledged = try acknowledged(by: peer)
        var members: [JSONMember] = [
          .init("peer", .string(peer.id)), .init("seenAt", .string(try seenAt(peer))),
          .init("acknowledged", .integer(acknowledged)),
          .init("behind", .integer(state.sequence - acknowledged)),
        ]
        let held = try heldCount(from: peer)
        if held > 0 { members.append(.init("held", .integer(held))) }
        for direction in CheckpointDirection.allCases {
          if let token = try checkpoint(peer, direction) {
            members.append(.init(direction.rawValue, .string(token)))
          }
        }
        return .object(members)
      }
    }
  }
}

extension ChangeStore {
  /// Throws `tooLong`, with the name of the key, if a record's key is longer than `most` bytes.
  package func requireKeys(of most: Int?) throws {
    guard let most else { return }
    let tables = ["changes", "baseline", "seen", "held", "given", "documents", "removedDocuments", "unsent"]
    try read {
      for table in tables {
        let key = try database.statement(
          "SELECT key FROM \(table) WHERE length(key) > ?1 ORDER BY key LIMIT 1"
        )
        .bind(1, Int64(most)).first { $0.bytes(0) }
        if let key { throw StoreError.tooLong(Self.excess(of: key.span, most)) }
      }
    }
  }

  /// The sentence about a key that is too long.
  static func excess(of key: Span<UInt8>, _ most: Int) -> String {
    let shown = Key.shown(key)
    let name = shown.count > 60 ? shown.prefix(60) + "…" : shown[...]
    return "\(name): the identity has \(key.count) bytes; a PostgreSQL database takes at most \(most)"
  }
}
