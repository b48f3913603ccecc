import Chores
import Store
import SyncCore

/// What became of a delivery.
package enum DeliveryOutcome: String, Sendable {
  case sent, failed, pruned
  /// It waits for another attempt.
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

  /// Lets a delivery go at once as if it had not been sent, inside `write`.
  func putBack(_ job: PushJob) throws(StoreError) {
    try database.statement(
      "UPDATE deliveries SET state = 'waiting', nextAttempt = 0 WHERE push = ?1 AND device = ?2"
    ).bind(1, job.number).bind(2, job.device).run()
  }

  /// A push ends with the last of its deliveries: as sent where any device has it.
  func finish(_ number: Int64) throws(StoreError) {
    try database.statement(
      """
      UPDATE pushes SET state = iif(
        EXISTS (SELECT 1 FROM deliveries WHERE push = ?1 AND state = 'sent'), 'sent', 'failed')
      WHERE number = ?1
        AND NOT EXISTS (SELECT 1 FROM deliveries WHERE push = ?1 AND state IN ('waiting', 'flying'))
      """
    ).bind(1, number).run()
  }
}
