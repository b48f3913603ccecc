import Chores
package import JSONLines
import Store
import SyncCore

/// The outcome of a delivery.
package enum DeliveryOutcome: String, Sendable {
  case sent, failed, pruned
  /// The delivery waits for another attempt.
  case retry
}

extension Outbox {
  /// Stores an answer, inside `write`.
  func record(_ job: PushJob, _ answer: PushAnswer, _ outcome: DeliveryOutcome, next: Instant?)
    throws(StoreError)
  {
    try database.statement(
      """
      UPDATE deliveries SET state = ?3, attempts = attempts + 1, nextAttempt = ?4, status = ?5,
        reason = nullif(?6, '')
      WHERE push = ?1 AND device = ?2
      """
    ).bind(1, job.number).bind(2, job.device)
      .bind(3, outcome == .retry ? "waiting" : outcome.rawValue).bind(4, next?.milliseconds ?? 0)
      .bind(5, answer.status.map(Int64.init)).bind(6, answer.reason ?? "").run()
    if outcome != .retry { try finish(job.number) }
  }

  /// Makes a delivery wait again as if it had not been sent, inside `write`.
  func putBack(_ job: PushJob) throws(StoreError) {
    try database.statement(
      "UPDATE deliveries SET state = 'waiting', nextAttempt = 0 WHERE push = ?1 AND device = ?2"
    ).bind(1, job.number).bind(2, job.device).run()
  }

  /// Ends a delivery of a push that has expired, inside `write`.
  func expire(_ job: PushJob) throws(StoreError) {
    try database.statement("UPDATE deliveries SET state = 'expired' WHERE push = ?1 AND device = ?2")
      .bind(1, job.number).bind(2, job.device).run()
    try finish(job.number)
  }

  /// Whether a push has ended without reaching a device, because it expired.
  func hasExpired(_ number: Int64) throws(StoreError) -> Bool {
    try database.integer("SELECT count(*) FROM pushes WHERE number = \(number) AND state = 'expired'") ?? 0
      > 0
  }

  /// Ends a push with the last of its deliveries: as sent if any device has received it.
  ///
  /// If all its devices were removed, the push waits for the next device of its recipient, as if it had not
  /// begun.
  func finish(_ number: Int64) throws(StoreError) {
    try database.statement(
      """
      UPDATE pushes SET state = CASE
        WHEN EXISTS (SELECT 1 FROM deliveries WHERE push = ?1 AND state = 'sent') THEN 'sent'
        WHEN EXISTS (SELECT 1 FROM deliveries WHERE push = ?1 AND state = 'expired') THEN 'expired'
        WHEN EXISTS (SELECT 1 FROM deliveries WHERE push = ?1 AND state = 'failed') THEN 'failed'
        ELSE 'waiting' END
      WHERE number = ?1
        AND NOT EXISTS (SELECT 1 FROM deliveries WHERE push = ?1 AND state IN ('waiting', 'flying'))
      """
    ).bind(1, number).run()
    try database.statement(
      """
      DELETE FROM deliveries
      WHERE push = (SELECT number FROM pushes WHERE number = ?1 AND state = 'waiting')
      """
    ).bind(1, number).run()
  }

  /// The condition for pushes that failed on any device, even if they are or were sent to other devices.
  static let failedCondition = """
    (state = 'failed' OR state IN ('sent', 'sending')
      AND EXISTS (SELECT 1 FROM deliveries WHERE push = number AND deliveries.state = 'failed'))
    """

  /// The ids of the failed pushes that a person may mean: by the whole id, or by its beginning.
  package func failedPushes(meantBy text: String) throws -> [String] {
    let statement = try database.statement("SELECT id FROM pushes WHERE \(Self.failedCondition)")
    let start = RecordID(text)
    var ids: [String] = []
    try statement.forEachRow { row in
      if RecordID(row.text(0)).isMeant(by: start) { ids.append(row.text(0)) }
    }
    return ids
  }

  /// Makes failed pushes wait again, inside `write`: all of them, or only the one with an id; returns their
  /// number.
  ///
  /// Delivered notifications are not sent again.
  package func retry(only id: String?) throws -> Int {
    let named = id == nil ? "" : " AND id = ?1"
    let statement = try database.statement("SELECT number FROM pushes WHERE \(Self.failedCondition)\(named)")
    if let id { statement.bind(1, id) }
    var numbers: [Int64] = []
    try statement.forEachRow { numbers.append($0.integer(0)) }
    for number in numbers { try retry(number) }
    return numbers.count
  }

  private func retry(_ number: Int64) throws(StoreError) {
    try database.statement(
      """
      UPDATE deliveries SET state = 'waiting', attempts = 0, nextAttempt = 0
      WHERE push = ?1 AND state = 'failed'
      """
    ).bind(1, number).run()
    try database.statement("UPDATE pushes SET state = 'sending' WHERE number = ?1").bind(1, number).run()
    // An earlier version ended a push as failed if all its devices were removed.
    try finish(number)
  }

  /// The states that a push can have.
  package enum State: String, CaseIterable, Sendable {
    case waiting, sending, sent, failed, expired, merged, withdrawn

    /// The condition for listing a push under this state; a push that failed on only one device is listed
    /// under two.
    var condition: String { self == .failed ? Outbox.failedCondition : "state = '\(rawValue)'" }
  }

  /// Passes on the pushes one by one: the state, the result on each device, and the unchanged line.
  package func forEachPush(_ state: State?, _ body: (JSONValue, _ line: [UInt8]) throws -> Void) throws {
    let filter = state.map { "WHERE \($0.condition)" } ?? ""
    let pushes = try database.statement("SELECT number, state, line FROM pushes \(filter) ORDER BY number")
    try pushes.forEachRow { row in
      let facts: JSONValue = [
        "state": .string(row.text(1)), "deliveries": .array(try deliveries(of: row.integer(0))),
      ]
      try body(facts, row.bytes(2))
    }
  }

  private func deliveries(of push: Int64) throws -> [JSONValue] {
    var deliveries: [JSONValue] = []
    let rows = try database.statement(
      "SELECT device, state, attempts, status, reason, nextAttempt FROM deliveries WHERE push = ?1"
    ).bind(1, push)
    try rows.forEachRow { row in
      var members: [JSONMember] = []
      if let token = DeviceToken(row.text(0)) { members.append(.init("device", .string(token.handle))) }
      members += [.init("state", .string(row.text(1))), .init("attempts", .integer(row.integer(2)))]
      if !row.isNull(3) { members.append(.init("status", .integer(row.integer(3)))) }
      if !row.isNull(4) { members.append(.init("reason", .string(row.text(4)))) }
      if row.text(1) == "waiting", let next = Instant(milliseconds: row.integer(5)), next > .epoch {
        members.append(.init("nextAttempt", .string(next.description)))
      }
      deliveries.append(.object(members))
    }
    return deliveries
  }
}
