import JSONLines
package import StoreFiles
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

  // MARK: Adding

  /// Takes a notification inside `write`, `line` as it came; false where there is one with its id, in whatever state.
  package func add(_ notification: Notification, line: Span<UInt8>) throws(StoreError) -> Bool {
    try database.statement(
      """
      INSERT INTO pushes (id, recipient, notBefore, expires, digest, state, line)
      VALUES (?1, ?2, ?3, ?4, nullif(?5, ''), 'waiting', ?6) ON CONFLICT (id) DO NOTHING
      """
    ).bind(1, notification.id.text).bind(2, notification.recipient.text)
      .bind(3, notification.notBefore.milliseconds).bind(4, notification.expires.milliseconds)
      .bind(5, notification.digest ?? "").bind(6, line).run()
    return database.changes > 0
  }

  // MARK: Upkeep

  /// Lets what has failed wait again, inside `write`: all of it, or the one of an id; gives how many.
  package func retry(only id: String?) throws(StoreError) -> Int {
    let named = id == nil ? "" : " AND id = ?1"
    // Without deliveries nothing had been sent yet: these are made anew.
    let statement = try database.statement(
      """
      UPDATE pushes SET state = iif(
        EXISTS (SELECT 1 FROM deliveries WHERE push = number), 'sending', 'waiting')
      WHERE state = 'failed'\(named)
      """)
    if let id { statement.bind(1, id) }
    try statement.run()
    let count = database.changes
    try database.statement(
      """
      UPDATE deliveries SET state = 'waiting', attempts = 0, nextAttempt = 0
      WHERE state = 'failed' AND push IN (SELECT number FROM pushes WHERE state = 'sending')
      """
    ).run()
    // Where all devices are gone, those that came since may get it.
    try database.run(
      """
      DELETE FROM deliveries WHERE push IN (SELECT number FROM pushes WHERE state = 'sending' AND NOT EXISTS
        (SELECT 1 FROM deliveries WHERE push = number AND state IN ('waiting', 'flying')));
      UPDATE pushes SET state = 'waiting' WHERE state = 'sending'
        AND NOT EXISTS (SELECT 1 FROM deliveries WHERE push = number)
      """)
    return count
  }

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
