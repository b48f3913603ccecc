import JSONLines
import SyncCore

/// The arrival times of changes, and the changes that a command has received.
extension ChangeStore {
  /// A stored change and its sender.
  package struct Entry: Sendable {
    package let sequence: Int64
    /// The time in seconds since 1970; nil for changes that a previous version has stored.
    package let at: Int64?
    /// The sender; nil for changes made here, and for changes of forgotten peers.
    package let peer: String?
    package let line: [UInt8]
    package let isTombstone: Bool
  }

  /// Passes the changes after a sequence, in order; with `fromOthers` only changes that came from peers.
  package func forEachArrival(
    after sequence: Int64 = 0, fromOthers: Bool = false, _ body: (Entry) throws -> Void
  ) throws {
    let at =
      isOlder
      ? "NULL"
      : "(SELECT at FROM commits WHERE commits.sequence >= changes.sequence ORDER BY sequence LIMIT 1)"
    try database.statement(
      "SELECT sequence, \(at), id, line, tombstone, checksum, key FROM changes LEFT JOIN peers ON peers.number = abs(origin) "
        + "WHERE sequence > ?1 AND (origin <> 0 OR NOT ?2) ORDER BY sequence",
      isLong: true
    ).bind(1, sequence).bind(2, fromOthers ? 1 : 0).forEachRow { row in
      try RowChecksum.require(row.integer(5), row.span(6), row.span(3))
      try body(
        Entry(
          sequence: row.integer(0), at: row.isNull(1) ? nil : row.integer(1),
          peer: row.isNull(2) ? nil : row.text(2), line: row.bytes(3), isTombstone: row.integer(4) != 0))
    }
  }

  /// The numbers of records that came from peers after a sequence, by entity.
  package func arrivedCounts(after sequence: Int64) throws -> [String: Int] {
    var counts: [String: Int] = [:]
    try database.statement(
      "SELECT key FROM changes WHERE sequence > ?1 AND origin <> 0 AND NOT tombstone"
    ).bind(1, sequence).forEachRow { counts[Key.entity(of: $0.span(0)), default: 0] += 1 }
    return counts
  }

  /// The sequence up to which a command has received changes; a new command receives only changes from now
  /// on.
  package func told(_ command: String) throws -> Int64 {
    try write {
      try database.statement("INSERT INTO hooks (command, told) VALUES (?1, ?2) ON CONFLICT DO NOTHING")
        .bind(1, command).bind(2, state.sequence).run()
      return try database.statement("SELECT told FROM hooks WHERE command = ?1").bind(1, command)
        .first { $0.integer(0) } ?? state.sequence
    }
  }

  package func noteTold(_ command: String, upTo sequence: Int64) throws {
    try write {
      try database.statement("UPDATE hooks SET told = ?2 WHERE command = ?1 AND told < ?2").bind(1, command)
        .bind(2, sequence).run()
    }
  }
}
