import JSONLines
package import Store
package import SyncCore
import SystemIO

/// What is to be sent, to which devices, and what became of it.
///
/// It lives in an SQLite database and is confined to one thread. Every step is one transaction, so that whatever ends
/// the process, nothing is lost and nothing counts twice.
package final class Outbox {
  let database: Database

  /// Opens an outbox, and makes it where `creating` holds and there is none; `wait` is how long to wait for a lock.
  package init(_ path: String, creating: Bool, wait: Duration) throws {
    if creating { try Database.create(path) }
    guard FileMode.exists(path) else { throw StoreError.missing }
    database = try Database(path, wait: wait)
    try OutboxSchema.prepare(database, creating: creating)
  }

  /// Runs a body whose changes are stored as one commit, or not at all where it throws.
  package func write<Value>(_ body: () throws -> Value) throws -> Value { try database.transaction(body) }

  // MARK: Upkeep

  /// Forgets what has ended and would have expired before a moment, inside `write`; gives how many.
  ///
  /// Until then the same id may come again, and must be known.
  package func prune(before moment: Instant) throws(StoreError) -> Int {
    try database.statement(
      "DELETE FROM pushes WHERE state NOT IN ('waiting', 'sending') AND expires < ?1"
    ).bind(1, moment.milliseconds).run()
    return database.changes
  }

  /// How many pushes wait or are being sent.
  func waiting() throws(StoreError) -> Int {
    Int(try database.integer("SELECT count(*) FROM pushes WHERE state IN ('waiting', 'sending')") ?? 0)
  }

  /// How many deliveries wait for another attempt, or could have had their first by now; not those in quiet hours.
  func unsettled(_ target: Target, at now: Instant) throws(StoreError) -> Int {
    try database.statement(
      """
      SELECT count(*) FROM deliveries
      WHERE state = 'waiting' AND (attempts > 0 OR nextAttempt <= ?1) AND \(target.condition)
      """
    ).bind(1, now.milliseconds).first { Int($0.integer(0)) } ?? 0
  }
}

extension Instant {
  /// Since 1970, rounded down.
  var milliseconds: Int64 { seconds * 1_000 + Int64(nanoseconds) / 1_000_000 }

  init?(milliseconds: Int64) {
    let rest = (milliseconds % 1_000 + 1_000) % 1_000
    self.init(seconds: (milliseconds - rest) / 1_000, nanoseconds: Int32(rest) * 1_000_000)
  }
}
