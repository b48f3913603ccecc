import SyncCore

/// Holds the deletions of an incomplete answer until their number is known.
///
/// The rest of each page is stored and acknowledged, so an interrupted session resumes at the same place. The
/// session that reaches the end counts all held deletions. All these functions run inside a `write`.
extension ChangeStore {
  /// The held tombstone of a key; nil if missing.
  func heldLine(_ key: Span<UInt8>, from peer: StorePeer) throws(StoreError) -> [UInt8]? {
    let found = try database.statement("SELECT line, checksum FROM held WHERE peer = ?1 AND key = ?2")
      .bind(1, peer.number).bind(2, key).first { ($0.bytes(0), $0.integer(1)) }
    guard let (line, checksum) = found else { return nil }
    try RowChecksum.require(checksum, key, line.span)
    return line
  }

  /// Holds a tombstone that would delete a record, and replaces earlier tombstones of the same key.
  func hold(_ key: Span<UInt8>, _ line: Span<UInt8>, from peer: StorePeer) throws(StoreError) {
    try database.statement("DELETE FROM held WHERE peer = ?1 AND key = ?2").bind(1, peer.number).bind(2, key)
      .run()
    try database.statement(
      "INSERT INTO held (peer, key, line, origin, checksum) VALUES (?1, ?2, ?3, ?1, ?4) ON CONFLICT DO NOTHING"
    ).bind(1, peer.number).bind(2, key).bind(3, line).bind(4, RowChecksum.of(key, line)).run()
  }

  /// Applies the held deletions of a peer as if they had just arrived.
  func releaseHeld(
    from peer: StorePeer, _ shape: RecordShape, _ drift: DriftGuard?
  ) throws(StoreError) -> PeerIntake.Counts {
    var own = try PeerIntake(self, from: peer, shape, drift: drift)
    var disowned = try PeerIntake(self, from: peer, shape, drift: drift, keepingOrigin: false)
    var reader = ChangeReader(shape)
    while true {
      let batch = try heldBatch(from: peer)
      for entry in batch {
        let (key, line) = (entry.key, entry.line)
        let change = reader.change(line.span)
        if entry.isDisowned {
          try disowned.apply(key.span, changeLine: line.span, change)
        } else {
          try own.apply(key.span, changeLine: line.span, change)
        }
      }
      guard let last = batch.last else { return own.counts + disowned.counts }
      try database.statement("DELETE FROM held WHERE peer = ?1 AND (key, line) <= (?2, ?3)")
        .bind(1, peer.number).bind(2, last.key).bind(3, last.line).run()
    }
  }

  /// Allows the held deletions of a peer to be sent to all peers, including that peer: it may have lost them.
  func disownHeld(from peer: StorePeer) throws(StoreError) {
    try database.statement("UPDATE held SET origin = 0 WHERE peer = ?1").bind(1, peer.number).run()
  }

  /// Whether the store holds deletions of the peer that are not sent back to the peer.
  func hasHeld(from peer: StorePeer) throws(StoreError) -> Bool {
    try database.statement("SELECT 1 FROM held WHERE peer = ?1 AND origin <> 0 LIMIT 1")
      .bind(1, peer.number).first { _ in true } ?? false
  }

  func forgetHeld(from peer: StorePeer) throws(StoreError) {
    try database.statement("DELETE FROM held WHERE peer = ?1").bind(1, peer.number).run()
  }

  /// The held deletions of all peers.
  package func heldLines() throws -> [[UInt8]] {
    var lines: [[UInt8]] = []
    let rows = try database.statement("SELECT line FROM held")
    defer { rows.reset() }
    while try rows.step() { lines.append(rows.bytes(0)) }
    return lines
  }

  /// The number of held deletions of a peer.
  func heldCount(from peer: StorePeer) throws(StoreError) -> Int {
    try database.statement("SELECT count(DISTINCT key) FROM held WHERE peer = ?1").bind(1, peer.number)
      .first { Int($0.integer(0)) } ?? 0
  }

  private struct Held {
    var key: [UInt8]
    var line: [UInt8]
    var isDisowned: Bool
  }

  /// The size of a batch in bytes; the last line may exceed it.
  private static let longestBatch = 1 << 20

  private func heldBatch(from peer: StorePeer) throws(StoreError) -> [Held] {
    var batch: [Held] = []
    let rows = try database.statement(
      "SELECT key, line, origin, checksum FROM held WHERE peer = ?1 ORDER BY key, line LIMIT 256"
    ).bind(1, peer.number)
    defer { rows.reset() }
    var size = 0
    while size < Self.longestBatch, try rows.step() {
      try RowChecksum.require(rows.integer(3), rows.span(0), rows.span(1))
      batch.append(Held(key: rows.bytes(0), line: rows.bytes(1), isDisowned: rows.integer(2) == 0))
      size += rows.span(0).count + rows.span(1).count
    }
    return batch
  }

  // MARK: The answer under way

  /// The number of live records before the unfinished answer of a peer; nil without such an answer.
  func liveBefore(answerOf peer: StorePeer) throws(StoreError) -> Int? {
    try database.statement("SELECT liveBefore FROM peers WHERE number = ?1 AND liveBefore IS NOT NULL")
      .bind(1, peer.number).first { Int($0.integer(0)) }
  }

  /// Notes the number of live records before an answer; nil ends the answer.
  func setLiveBefore(_ live: Int?, answerOf peer: StorePeer) throws(StoreError) {
    try database.statement("UPDATE peers SET liveBefore = ?2 WHERE number = ?1").bind(1, peer.number)
      .bind(2, live.map { Int64($0) }).run()
  }
}
