package import Chores
import JSONLines
import Store
package import SyncCore

extension Outbox {
  /// The destination of pushes.
  package enum Target: Sendable {
    /// To the devices of the recipient.
    case devices
    /// To a program, for any recipient.
    case program

    /// The condition for deliveries of this channel: all attempts of a delivery use one channel.
    var condition: String {
      switch self {
      case .devices: "device <> ''"
      case .program: "device = ''"
      }
    }
  }

  /// The jobs claimed for sending, and the notifications that ended without being sent.
  package struct Claim {
    package var jobs: [PushJob] = []
    package var expired: [Notification] = []
    /// The merged notifications, each with the id of the push that contains it.
    package var merged: [(notification: Notification, into: UUIDValue)] = []
    /// The ends of the pauses for which due pushes continue to wait.
    var pauseEnds: Set<Instant> = []
  }

  /// Sets pushes that were in flight when a run ended back to waiting, inside `write`; returns the
  /// deliveries that are dropped because their devices were removed.
  ///
  /// Other processes must not be sending.
  @discardableResult
  package func recover() throws -> [PushJob] {
    try database.run("UPDATE deliveries SET state = 'waiting' WHERE state = 'flying'")
    return try dropStrays()
  }

  /// Claims up to `limit` due deliveries, as one commit; they are in flight until they are answered.
  package func claim(_ target: Target, now: Instant, limit: Int) throws -> Claim {
    try write {
      var claim = Claim()
      try expire(now, &claim)
      try merge(now, &claim)
      var made = 0
      repeat {
        made = try expand(target, now, limit, &claim)
        claim.jobs = try take(target, now, limit)
        // Repeat: all these pushes may have to wait for the end of quiet hours, while later pushes are due.
      } while claim.jobs.isEmpty && made == limit
      return claim
    }
  }

  /// The result that `claim` would return; the outbox does not change.
  package func preview(_ target: Target, now: Instant) throws -> Claim {
    try database.run("BEGIN IMMEDIATE")
    defer { try? database.run("ROLLBACK") }
    var claim = Claim()
    // As in a run, first recover deliveries that were in flight when a run was killed.
    try recover()
    try expire(now, &claim)
    try merge(now, &claim)
    _ = try expand(target, now, Int.max, &claim)
    claim.jobs = try take(target, now, Int.max)
    return claim
  }

  /// The time when the next waiting delivery is due; nil without one.
  func nextAttempt(_ target: Target) throws(StoreError) -> Instant? {
    try database.statement(
      """
      SELECT nextAttempt FROM deliveries WHERE state = 'waiting' AND \(target.condition)
      ORDER BY nextAttempt LIMIT 1
      """
    )
    .first { Instant(milliseconds: $0.integer(0)) } ?? nil
  }

  /// The number of deliveries that another `claim` would make from new pushes, without those in quiet hours.
  func unclaimed(_ target: Target, at now: Instant) throws -> Int {
    let devices =
      switch target {
      case .devices: "(SELECT count(*) FROM devices WHERE member = recipient)"
      case .program: "1"
      }
    var count = 0
    try database.statement(
      """
      SELECT line, \(devices) AS devices FROM pushes
      WHERE state = 'waiting' AND notBefore <= ?1 AND expires > ?1 AND devices > 0
      """
    ).bind(1, now.milliseconds).forEachRow { row in
      if try Self.notification(row.bytes(0)).pauseEnd(at: now) == nil { count += Int(row.integer(1)) }
    }
    return count
  }

  // MARK: Steps

  private func expire(_ now: Instant, _ claim: inout Claim) throws {
    let rows = try database.statement(
      """
      UPDATE pushes SET state = iif(
        EXISTS (SELECT 1 FROM deliveries WHERE push = number AND state = 'sent'), 'sent', 'expired')
      WHERE state IN ('waiting', 'sending') AND expires <= ?1
        AND NOT EXISTS (SELECT 1 FROM deliveries WHERE push = number AND state = 'flying')
      RETURNING number, line, state
      """
    ).bind(1, now.milliseconds)
    var numbers: [Int64] = []
    try rows.forEachRow { row in
      numbers.append(row.integer(0))
      if row.text(2) == "expired" { claim.expired.append(try Self.notification(row.bytes(1))) }
    }
    for number in numbers {
      try database.statement("UPDATE deliveries SET state = 'expired' WHERE push = ?1 AND state = 'waiting'")
        .bind(1, number).run()
    }
  }

  /// Combines notifications that waited for the same time, under the first of their ids.
  private func merge(_ now: Instant, _ claim: inout Claim) throws {
    var groups: [(recipient: String, digest: String)] = []
    try database.statement(
      """
      SELECT recipient, digest FROM pushes WHERE state = 'waiting' AND digest IS NOT NULL AND notBefore <= ?1
      GROUP BY recipient, digest HAVING count(*) > 1
      """
    ).bind(1, now.milliseconds).forEachRow { groups.append(($0.text(0), $0.text(1))) }
    for group in groups {
      var members: [(number: Int64, notification: Notification)] = []
      try database.statement(
        """
        SELECT number, line FROM pushes
        WHERE state = 'waiting' AND recipient = ?1 AND digest = ?2 ORDER BY number
        """
      ).bind(1, group.recipient).bind(2, group.digest).forEachRow { row in
        members.append((row.integer(0), try Self.notification(row.bytes(1))))
      }
      let digest = Notification.digest(of: members.map(\.notification))
      for (number, notification) in members.dropFirst() {
        try database.statement("UPDATE pushes SET state = 'merged' WHERE number = ?1").bind(1, number).run()
        claim.merged.append((notification, digest.id))
      }
      try database.statement("UPDATE pushes SET digest = NULL, expires = ?2, line = ?3 WHERE number = ?1")
        .bind(1, members[0].number).bind(2, digest.expires.milliseconds)
        .bind(3, Array(digest.value.text.utf8)).run()
    }
  }

  /// Makes deliveries for due pushes; pushes in quiet hours or to members without a device continue to wait.
  ///
  /// - Returns: the number of pushes for which deliveries were made, or that wait for the end of quiet hours.
  private func expand(_ target: Target, _ now: Instant, _ limit: Int, _ claim: inout Claim) throws -> Int {
    let condition =
      switch target {
      case .devices: "AND EXISTS (SELECT 1 FROM devices WHERE member = recipient)"
      case .program: ""
      }
    var due: [(number: Int64, pauseEnd: Instant?)] = []
    try database.statement(
      """
      SELECT number, line FROM pushes WHERE state = 'waiting' AND notBefore <= ?1 \(condition)
      ORDER BY notBefore, number LIMIT ?2
      """
    ).bind(1, now.milliseconds).bind(2, Int64(limit)).forEachRow { row in
      due.append((row.integer(0), try Self.notification(row.bytes(1)).pauseEnd(at: now)))
    }
    let source =
      switch target {
      case .devices:
        "SELECT ?1, token, 'waiting', 0, 0 FROM devices WHERE member = (SELECT recipient FROM pushes WHERE number = ?1)"
      case .program: "SELECT ?1, '', 'waiting', 0, 0"
      }
    for (number, pauseEnd) in due {
      if let pauseEnd {
        // Without a delivery, the push can still be withdrawn.
        try wait(number, until: max(pauseEnd.milliseconds, now.milliseconds + 1))
        claim.pauseEnds.insert(pauseEnd)
        continue
      }
      try database.statement(
        "INSERT INTO deliveries (push, device, state, attempts, nextAttempt) \(source)"
      ).bind(1, number).run()
      try database.statement("UPDATE pushes SET state = 'sending' WHERE number = ?1").bind(1, number).run()
    }
    return due.count
  }

  private func wait(_ number: Int64, until milliseconds: Int64) throws(StoreError) {
    try database.statement("UPDATE pushes SET notBefore = ?2 WHERE number = ?1")
      .bind(1, number).bind(2, milliseconds).run()
  }

  /// Takes due deliveries; those that may not be sent again now, because of quiet hours, continue to wait.
  private func take(_ target: Target, _ now: Instant, _ limit: Int) throws -> [PushJob] {
    var jobs: [PushJob] = []
    try database.statement(
      """
      SELECT push, device, attempts, line FROM deliveries JOIN pushes ON number = push
      WHERE deliveries.state = 'waiting' AND nextAttempt <= ?1 AND \(target.condition) ORDER BY nextAttempt, push LIMIT ?2
      """
    ).bind(1, now.milliseconds).bind(2, Int64(limit)).forEachRow { jobs.append(try Self.job($0)) }
    return try jobs.filter { job in
      let pauseEnd = job.notification.pauseEnd(at: now)
      try database.statement(
        "UPDATE deliveries SET state = ?3, nextAttempt = ?4 WHERE push = ?1 AND device = ?2"
      ).bind(1, job.number).bind(2, job.device).bind(3, pauseEnd == nil ? "flying" : "waiting")
        .bind(4, (pauseEnd ?? now).milliseconds).run()
      return pauseEnd == nil
    }
  }

  /// The delivery of a row with push, device, attempts and line.
  static func job(_ row: Statement) throws -> PushJob {
    let line = row.bytes(3)
    return PushJob(
      number: row.integer(0), device: row.text(1), notification: try notification(line), line: line,
      attempts: Int(row.integer(2)))
  }

  static func notification(_ line: [UInt8]) throws -> Notification {
    do {
      return try Notification(try JSONValue(parsing: line.span))
    } catch {
      // Every line was read once before it was stored.
      throw StoreError.corrupt("a line of the table 'pushes' is not a notification")
    }
  }
}
