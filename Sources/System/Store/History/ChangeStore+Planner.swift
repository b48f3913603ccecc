import JSONLines
package import SyncCore

/// The planner's data that a server keeps in addition to the records of a household.
extension ChangeStore {
  /// The maximum number of notifications that are kept.
  package static let mostPushes = 10_000

  /// The maximum size of all kept notifications, in bytes.
  package static let mostPushBytes = 4 << 20

  /// A kept line, without its text.
  package struct KeptPush: Sendable {
    package var number: Int64
    package var id: String
    package var size: Int
    /// The time from which the line is no longer useful; nil if it is unknown.
    package var expires: Instant?
  }

  /// The kept lines in the order of their numbers; call it inside `read` or `write`.
  package func keptPushes() throws -> [KeptPush] {
    var kept: [KeptPush] = []
    let rows = try database.statement("SELECT number, id, line FROM pushes ORDER BY number", isLong: true)
    try rows.forEachRow { row in
      let (id, line) = (row.text(1), row.bytes(2))
      kept.append(
        KeptPush(
          number: row.integer(0), id: id, size: Self.size(ofPush: line.count, id),
          expires: Self.expiry(ofPush: line.span)))
    }
    return kept
  }

  /// The bytes that a kept line of this length needs; the id is also in an index.
  package static func size(ofPush length: Int, _ id: String) -> Int { length + 2 * id.utf8.count }

  private static let expiryName = Array(#""expires":""#.utf8)

  /// The time from which a line is no longer useful; nil for a line without that time.
  ///
  /// The name cannot be part of a text, because quotation marks in texts are escaped.
  package static func expiry(ofPush line: Span<UInt8>) -> Instant? {
    let name = expiryName
    var (place, matched) = (0, 0)
    while place < line.count, matched < name.count {
      let byte = line[place]
      matched = byte == name[matched] ? matched + 1 : byte == name[0] ? 1 : 0
      place += 1
    }
    guard matched == name.count else { return nil }
    var time: [UInt8] = []
    while place < line.count, line[place] != name[0] {
      time.append(line[place])
      place += 1
    }
    return Instant(rfc3339: time.span)
  }

  /// Adds a notification, inside `write`, unless its id exists already.
  package func addPush(_ id: String, _ line: String) throws(StoreError) {
    try database.statement(
      "INSERT INTO pushes (number, id, line) SELECT coalesce(max(number), 0) + 1, ?1, ?2 FROM pushes WHERE true "
        + "ON CONFLICT (id) DO NOTHING"
    ).bind(1, id).bind(2, line).run()
  }

  /// Removes a kept notification, inside `write`.
  ///
  /// The last one must stay until another line is added: new numbers continue after it, and so do readers.
  package func removePush(_ number: Int64) throws(StoreError) {
    try database.statement("DELETE FROM pushes WHERE number = ?1").bind(1, number).run()
  }

  /// Removes kept notifications and adds another line, inside `write`.
  ///
  /// The new number is higher than those of the removed ones, because readers continue after the last number.
  package func replacePushes(_ numbers: [Int64], by id: String, _ line: String) throws(StoreError) {
    let next = try database.integer("SELECT coalesce(max(number), 0) + 1 FROM pushes") ?? 1
    for number in numbers { try removePush(number) }
    try database.statement("INSERT INTO pushes (number, id, line) VALUES (?1, ?2, ?3)")
      .bind(1, next).bind(2, id).bind(3, line).run()
  }

  /// The number of a kept notification; nil if its id is not kept.
  package func pushNumber(of id: String) throws(StoreError) -> Int64? {
    try database.statement("SELECT number FROM pushes WHERE id = ?1").bind(1, id).first { $0.integer(0) }
  }

  /// Passes the kept reminders and withdrawals from a number on, inside `read` or `write`; other lines may be among
  /// them.
  package func forEachReminder(
    from number: Int64, _ body: (_ number: Int64, _ id: String, _ line: String) throws -> Void
  ) throws {
    try database.statement(
      #"SELECT number, id, line FROM pushes WHERE number >= ?1 AND (line LIKE '{"withdraw"%' "#
        + #"OR line LIKE '%"kind":"reminder"%') ORDER BY number"#
    ).bind(1, number).forEachRow { try body($0.integer(0), $0.text(1), $0.text(2)) }
  }

  /// Passes the notifications after a number; returns the last number.
  package func forEachPush(after number: Int64, _ body: (String) throws -> Void) throws -> Int64 {
    var last = number
    try read {
      // A restored store may end before `number`. Pass all its lines then; the reader recognizes those that
      // it already has.
      let highest = try database.statement("SELECT max(number) FROM pushes").first { $0.integer(0) } ?? 0
      if highest < number { last = 0 }
      try database.statement("SELECT number, line FROM pushes WHERE number > ?1 ORDER BY number")
        .bind(1, last).forEachRow { row in
          try body(row.text(1))
          last = row.integer(0)
        }
    }
    return last
  }

  /// The last notifications, the newest first, and the number of all; call it inside `read`.
  package func lastPushes(_ count: Int) throws(StoreError) -> (lines: [String], all: Int) {
    var lines: [String] = []
    let rows = try database.statement("SELECT line FROM pushes ORDER BY number DESC LIMIT ?1")
      .bind(1, Int64(count))
    while try rows.step() { lines.append(rows.text(0)) }
    let all = try database.statement("SELECT count(*) FROM pushes").first { $0.integer(0) }
    return (lines, Int(all ?? 0))
  }

  /// Whether members are also notified when they lose a turn.
  package func tellsLosers() throws(StoreError) -> Bool {
    try database.integer("SELECT tellsLosers FROM store") == 1
  }

  package func setTellsLosers(_ tells: Bool) throws {
    try write { try database.statement("UPDATE store SET tellsLosers = ?1").bind(1, tells ? 1 : 0).run() }
  }

  /// The maximum number of devices of a household.
  package static let mostDevices = 1_000

  /// Adds a device, or moves a known device to another member; false if there are too many devices.
  package func setDevice(_ token: String, of member: String, now: Instant) throws -> Bool {
    try write {
      let others = try database.statement("SELECT count(*) FROM devices WHERE token <> ?1").bind(1, token)
        .first { $0.integer(0) }
      guard others ?? 0 < Self.mostDevices else { return false }
      try database.statement(
        "INSERT INTO devices (token, member, addedAt) VALUES (?1, ?2, ?3) "
          + "ON CONFLICT (token) DO UPDATE SET member = excluded.member, addedAt = excluded.addedAt"
      ).bind(1, token).bind(2, member).bind(3, now.description).run()
      return true
    }
  }

  /// Removes a device if `isMeant` accepts its present registration; returns the removed registration.
  package func removeDevice(
    _ token: String, where isMeant: (_ member: String, _ addedAt: String) -> Bool
  ) throws -> (member: String, addedAt: String)? {
    try write {
      let found = try database.statement("SELECT member, addedAt FROM devices WHERE token = ?1")
        .bind(1, token).first { ($0.text(0), $0.text(1)) }
      guard let (member, addedAt) = found, isMeant(member, addedAt) else { return nil }
      try database.statement("DELETE FROM devices WHERE token = ?1").bind(1, token).run()
      return (member: member, addedAt: addedAt)
    }
  }

  /// The devices, in the order of members; call it inside `read`.
  package func devices() throws(StoreError) -> [(token: String, member: String, addedAt: String)] {
    var devices: [(String, String, String)] = []
    let rows = try database.statement("SELECT token, member, addedAt FROM devices ORDER BY member, token")
    while try rows.step() { devices.append((rows.text(0), rows.text(1), rows.text(2))) }
    return devices
  }
}
