import SyncCore

extension ChangeStore {
  /// Puts a line into quarantine; false if it already contains the same line from the same peer.
  ///
  /// `clock` is the time from which the line can be applied; nil if only other rules make that possible.
  /// `isCut` has the meaning of ``ChangeEquality/isCut``. Throws `quarantineFull` if the line exceeds the
  /// peer's room.
  func quarantine(
    _ line: Span<UInt8>, isCut: Bool, key: [UInt8]?, reason: String, until clock: Instant?,
    in room: inout QuarantineRoom, now: Instant
  ) throws(StoreError) -> Bool {
    let peer = room.peer
    // The index compares complete lines, because a peer could make many different lines with the same
    // checksum.
    let known = try database.statement("SELECT 1 FROM quarantine WHERE peer = ?1 AND line = ?2")
      .bind(1, peer.number).bind(2, line).first { _ in true }
    if known == true { return false }
    let size = line.count + (key?.count ?? 0)
    guard room.reserve(bytes: size) else { throw .quarantineFull(peer: peer.id) }
    let statement = try database.statement(
      "INSERT INTO quarantine (number, peer, reason, since, key, checksum, line, clock, rules, size, cut, sequence) "
        + "VALUES (?12, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)")
    if let key { statement.bind(4, key) } else { statement.bind(4, nil) }
    try statement.bind(1, peer.number).bind(2, reason).bind(3, now.description)
      .bind(5, QuarantinedLine.checksum(of: line)).bind(6, line).bind(7, clock?.seconds).bind(8, room.rules)
      .bind(9, Int64(size)).bind(10, isCut ? 1 : 0).bind(11, state.sequence)
      .bind(12, nextQuarantineNumber()).run()
    return true
  }

  /// The remaining room of a peer in quarantine.
  func quarantineRoom(of peer: StorePeer, _ shape: RecordShape) throws(StoreError) -> QuarantineRoom {
    let used = try database.statement(
      "SELECT count(*), coalesce(CAST(sum(size) AS BIGINT), 0) FROM quarantine INDEXED BY quarantineByPeer WHERE peer = ?1"
    ).bind(1, peer.number).first { (Int($0.integer(0)), Int($0.integer(1))) }
    return QuarantineRoom(
      of: peer, Self.rulesMark(shape), rows: used?.0 ?? 0, bytes: used?.1 ?? 0)
  }

  /// The number of quarantined lines of all peers.
  package func quarantineCount() throws(StoreError) -> Int {
    Int(try database.integer("SELECT count(*) FROM quarantine INDEXED BY quarantineByPeer") ?? 0)
  }

  /// The number of quarantined lines of one peer.
  package func quarantineCount(of peer: StorePeer) throws(StoreError) -> Int {
    try database.statement(
      "SELECT count(*) FROM quarantine INDEXED BY quarantineByPeer WHERE peer = ?1"
    ).bind(1, peer.number).first { Int($0.integer(0)) } ?? 0
  }

  /// Passes the lines in quarantine, the oldest first, with one line in memory at a time.
  ///
  /// Throws `corrupt` at a line that does not match its checksum.
  package func forEachQuarantined(_ body: (QuarantinedLine) throws -> Void) throws {
    try database.statement(
      "SELECT q.number, p.id, q.reason, q.since, q.line, q.checksum FROM quarantine q "
        + "JOIN peers p ON p.number = q.peer ORDER BY q.number", isLong: true
    ).forEachRow { row in
      if let fault = QuarantinedLine.fault(row.integer(0), row.span(4), row.integer(5)) {
        throw StoreError.corrupt(fault)
      }
      try body(
        QuarantinedLine(
          number: row.integer(0), peer: row.text(1), reason: row.text(2), since: row.text(3),
          line: row.bytes(4)))
    }
  }

  /// The keys of lines in quarantine, if they have a key; a resync must not remove their records.
  ///
  /// The result is nil if they would exceed `limit` bytes as JSON strings.
  package func quarantinedKeys(upTo limit: Int) throws(StoreError) -> [[UInt8]]? {
    var (keys, length) = ([[UInt8]](), 0)
    let rows = try database.statement(
      "SELECT DISTINCT key FROM quarantine WHERE key IS NOT NULL ORDER BY key")
    defer { rows.reset() }
    while try rows.step() {
      let key = rows.bytes(0)
      // In a JSON string, only the quotes and backslashes of a canonical key are escaped once more.
      length += key.count + key.count { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") } + 3
      guard length <= limit else { return nil }
      keys.append(key)
    }
    return keys
  }

  /// Drops a line without applying it; false if that number does not exist.
  package func dropQuarantined(_ number: Int64) throws(StoreError) -> Bool {
    try database.statement("DELETE FROM quarantine WHERE number = ?1").bind(1, number).run()
    return try database.changes == 1
  }
}

/// A change that could not be applied when it arrived.
package struct QuarantinedLine: Equatable, Sendable {
  package var number: Int64
  package var peer: String
  /// The code of its error.
  package var reason: String
  /// The time of its arrival.
  package var since: String
  package var line: [UInt8]

  /// The description of a line that does not match its checksum; nil if it matches.
  static func fault(_ number: Int64, _ line: Span<UInt8>, _ checksum: Int64) -> String? {
    checksum == Self.checksum(of: line) ? nil : "quarantined line \(number): the checksum does not match"
  }

  static func checksum(of line: Span<UInt8>) -> Int64 {
    var checksum = CRC32()
    checksum.add(line)
    return Int64(checksum.value)
  }
}

/// The limit of one peer's lines in quarantine.
///
/// Rows are inspected again when they may be due, and are listed for people. The lines of a single peer must
/// not slow this down.
package enum QuarantineLimit {
  package static let rows = 10_000
  /// The limit of the bytes of lines and keys together.
  package static let bytes = 16 << 20
}

/// The remaining room of a ``QuarantineLimit`` while one transaction adds rows.
struct QuarantineRoom {
  let peer: StorePeer
  /// The ``ChangeStore/rulesMark(_:)`` of the rules under which the rows were read.
  let rules: Int64
  private var rows: Int
  private var bytes: Int

  /// `rows` and `bytes` count the lines that the peer already has in quarantine.
  init(of peer: StorePeer, _ rules: Int64, rows: Int, bytes: Int) {
    (self.peer, self.rules) = (peer, rules)
    (self.rows, self.bytes) = (QuarantineLimit.rows - rows, QuarantineLimit.bytes - bytes)
  }

  /// Reserves room for one more row; false if it does not fit.
  mutating func reserve(bytes count: Int) -> Bool {
    guard rows > 0, bytes >= count else { return false }
    rows -= 1
    bytes -= count
    return true
  }
}
