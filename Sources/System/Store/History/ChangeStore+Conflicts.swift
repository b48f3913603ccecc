import JSONLines
import SyncCore

/// Changes that lost against changes by devices that had not received them.
///
/// A change counts as received by the other side if that side has acknowledged it. A change that a third
/// device has sent to the other side does not count. So the store keeps the losing changes of all conflicts,
/// and also some losing changes that were not in conflict.
extension ChangeStore {
  /// The limits of kept lines, in bytes and in number; the oldest lines are dropped first.
  private static let (mostConflictBytes, mostConflicts) = (16 << 20, 10_000)

  package struct KeptConflict: Sendable {
    package let number: Int64
    /// The time, in seconds since 1970.
    package let at: Int64
    /// The id of the peer; nil for this device.
    package let peer: String?
    package let key: [UInt8]
    /// The change line that has lost.
    package let line: [UInt8]

    /// The description of a conflict that does not match its checksum; nil if it matches.
    static func fault(
      _ number: Int64, _ key: Span<UInt8>, _ line: Span<UInt8>, _ checksum: Int64
    ) -> String? {
      checksum == RowChecksum.of(key, line) ? nil : "conflict \(number): the checksum does not match"
    }
  }

  /// Keeps a change line that has lost, inside a `write`; `peer` is the sender of the winner or the loser.
  func keepConflict(
    _ key: Span<UInt8>, lost line: Span<UInt8>, against winner: Span<UInt8>, peer: Int64
  ) throws(StoreError) {
    var reader = ChangeReader(RecordShape())
    let sides = (reader.change(line), reader.change(winner))
    guard
      sides.0.isTombstone != sides.1.isTombstone
        || !sides.0.isTombstone && !SnapshotContent.isSame(line, .change, winner)
    else { return }
    try keepLost(key, line, peer: peer)
  }

  /// Keeps, inside a `write`, a change line that its app has overwritten, perhaps without having read it.
  package func keepTakenAway(_ key: [UInt8], _ line: [UInt8]) throws(StoreError) {
    try keepLost(key.span, line.span, peer: 0)
  }

  private func keepLost(_ key: Span<UInt8>, _ line: Span<UInt8>, peer: Int64) throws(StoreError) {
    guard conflictAge != nil, line.count <= Self.mostConflictBytes else { return }
    let isKept = try database.statement(
      "SELECT 1 FROM conflicts WHERE line = ?1 AND key = ?2"
    )
    .bind(1, line).bind(2, key).first { _ in true }
    if isKept == true { return }
    try database.statement(
      "INSERT INTO conflicts (at, peer, checksum, key, line) VALUES (?1, ?2, ?3, ?4, ?5)"
    ).bind(1, time()).bind(2, peer).bind(3, RowChecksum.of(key, line)).bind(4, key).bind(5, line).run()
    hasNewConflicts = true
  }

  func trimConflicts() throws(StoreError) {
    let oldest = time() - (conflictAge?.components.seconds ?? 0)
    try database.statement("DELETE FROM conflicts WHERE at < ?1").bind(1, oldest).run()
    let rows = try database.statement("SELECT number, length(line) FROM conflicts ORDER BY number DESC")
    defer { rows.reset() }
    var (count, bytes) = (0, 0)
    while try rows.step() {
      count += 1
      bytes += Int(rows.integer(1))
      guard count > Self.mostConflicts || bytes > Self.mostConflictBytes else { continue }
      let last = rows.integer(0)
      rows.reset()
      try database.statement("DELETE FROM conflicts WHERE number <= ?1").bind(1, last).run()
      return
    }
  }

  /// The conflicts, the oldest first; with `only`, just the conflict with that number.
  ///
  /// Throws `corrupt` if one of them does not match its checksum.
  package func conflicts(only number: Int64? = nil) throws -> [KeptConflict] {
    // A store of an earlier version does not have this table.
    if isOlder { return [] }
    var found: [KeptConflict] = []
    try database.statement(
      "SELECT conflicts.number, at, id, key, line, checksum FROM conflicts LEFT JOIN peers ON peers.number = peer "
        + "WHERE CAST(?1 AS BIGINT) IS NULL OR conflicts.number = ?1 ORDER BY conflicts.number"
    ).bind(1, number).forEachRow { row in
      if let fault = KeptConflict.fault(row.integer(0), row.span(3), row.span(4), row.integer(5)) {
        throw StoreError.corrupt(fault)
      }
      found.append(
        KeptConflict(
          number: row.integer(0), at: row.integer(1), peer: row.isNull(2) ? nil : row.text(2),
          key: row.bytes(3), line: row.bytes(4)))
    }
    return found
  }

  /// The count of conflicts, and the number of the last conflict.
  package func conflictCount() throws(StoreError) -> (count: Int, last: Int64) {
    if isOlder { return (0, 0) }
    return try database.statement("SELECT count(*), coalesce(max(number), 0) FROM conflicts")
      .first { (Int($0.integer(0)), $0.integer(1)) } ?? (0, 0)
  }

  /// Drops a conflict inside a `write`; false if that number does not exist.
  package func dropConflict(_ number: Int64) throws(StoreError) -> Bool {
    try database.statement("DELETE FROM conflicts WHERE number = ?1").bind(1, number).run()
    return try database.changes == 1
  }

  /// The change line that is stored under a key.
  package func line(of key: [UInt8]) throws(StoreError) -> [UInt8]? { try row(of: key.span)?.line }
}
