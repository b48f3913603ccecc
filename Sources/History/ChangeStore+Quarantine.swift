package import StoreFiles
package import SyncCore

/// A change that could not be applied when it came.
package struct QuarantinedLine: Equatable, Sendable {
  package var number: Int64
  package var peer: String
  /// The code of what is wrong with it.
  package var reason: String
  /// When it came.
  package var since: String
  package var line: [UInt8]

  /// What is to be said of a line that does not match its checksum; nil of one that does.
  static func fault(_ number: Int64, _ line: Span<UInt8>, _ checksum: Int64) -> String? {
    checksum == Self.checksum(of: line) ? nil : "quarantined line \(number): the checksum does not match"
  }

  fileprivate static func checksum(of line: Span<UInt8>) -> Int64 {
    var checksum = CRC32()
    checksum.add(line)
    return Int64(checksum.value)
  }
}

extension ChangeStore {
  /// Keeps a line aside; one that is there already, from the same peer, is not kept twice.
  package func quarantine(
    _ line: Span<UInt8>, key: [UInt8]?, reason: String, from peer: StorePeer, now: Instant
  ) throws(StoreError) {
    let checksum = QuarantinedLine.checksum(of: line)
    let known = try database.statement(
      "SELECT 1 FROM quarantine WHERE checksum = ?1 AND peer = ?2 AND line = ?3"
    ).bind(1, checksum).bind(2, peer.number).bind(3, line).first { _ in true }
    if known == true { return }
    let statement = try database.statement(
      "INSERT INTO quarantine (peer, reason, since, key, checksum, line) VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
    if let key { statement.bind(4, key) } else { statement.bind(4, nil) }
    try statement.bind(1, peer.number).bind(2, reason).bind(3, now.description)
      .bind(5, checksum).bind(6, line).run()
  }

  package func quarantineCount() throws(StoreError) -> Int {
    Int(try database.integer("SELECT count(*) FROM quarantine") ?? 0)
  }

  /// All lines that are kept aside, the oldest first; throws `corrupt` at one that does not match its checksum.
  package func quarantined() throws(StoreError) -> [QuarantinedLine] {
    var lines: [QuarantinedLine] = []
    let rows = try database.statement(
      "SELECT q.number, p.id, q.reason, q.since, q.line, q.checksum FROM quarantine q JOIN peers p ON p.number = q.peer "
        + "ORDER BY q.number")
    while try rows.step() {
      if let fault = QuarantinedLine.fault(rows.integer(0), rows.span(4), rows.integer(5)) {
        throw .corrupt(fault)
      }
      lines.append(
        QuarantinedLine(
          number: rows.integer(0), peer: rows.text(1), reason: rows.text(2), since: rows.text(3),
          line: rows.bytes(4)))
    }
    return lines
  }

  /// The keys that are kept aside, as far as their lines have told them; a resync must not remove these.
  ///
  /// Nil where as JSON strings they would have more bytes than `limit`.
  package func quarantinedKeys(upTo limit: Int) throws(StoreError) -> [[UInt8]]? {
    var (keys, length) = ([[UInt8]](), 0)
    let rows = try database.statement(
      "SELECT DISTINCT key FROM quarantine WHERE key IS NOT NULL ORDER BY key")
    defer { rows.reset() }
    while try rows.step() {
      let key = rows.bytes(0)
      // In a canonical key quotes and backslashes are all that is escaped once more.
      length += key.count + key.count { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") } + 3
      guard length <= limit else { return nil }
      keys.append(key)
    }
    return keys
  }

  /// Lets go of a line without applying it; false where there is none of that number.
  package func dropQuarantined(_ number: Int64) throws(StoreError) -> Bool {
    try database.statement("DELETE FROM quarantine WHERE number = ?1").bind(1, number).run()
    return database.changes == 1
  }

  /// Applies what can be applied by now, inside a `write`; says how many lines are no longer kept aside.
  ///
  /// With `drift` nil no clock is too far ahead; `number` is that of one line, nil for all. `deletions` are live records
  /// that are deleted now: part of what the caller checks against its limit.
  package func retryQuarantine(
    _ shape: RecordShape, _ drift: DriftGuard?, only number: Int64? = nil
  ) throws(StoreError) -> (released: Int, deletions: Int) {
    var (released, reader) = (0, LineReader(shape))
    var intakes: [String: PeerIntake] = [:]
    for entry in try quarantined() where number == nil || entry.number == number {
      var key: [UInt8] = []
      guard let change = try? reader.read(entry.line.span, key: &key), change.kind != .checkpoint,
        drift?.admits(change) ?? true, StorableLine.excess(entry.line.span, change.kind) == nil
      else { continue }
      var intake: PeerIntake
      if let known = intakes[entry.peer] {
        intake = known
      } else {
        // The peer may have been restored meanwhile, and not have it any more.
        intake = try PeerIntake(self, from: knownPeer(entry.peer), shape, keepingOrigin: false)
      }
      try intake.take(key.span, entry.line.span, isTombstone: change.isTombstone)
      intakes[entry.peer] = intake
      _ = try dropQuarantined(entry.number)
      released += 1
    }
    return (released, intakes.values.reduce(0) { $0 + $1.counts.deletions })
  }
}
