import Chores
import JSONLines
package import Store
package import SyncCore
import SystemIO

/// The queue of notifications, their devices, and the outcome of each.
///
/// The queue is an SQLite database, and confined to one thread. Every step is one transaction, so pushes are
/// not lost or counted twice, however the process ends.
package final class Outbox {
  let database: Database

  /// Opens an outbox; with `creating`, makes it if it does not exist.
  ///
  /// An outbox that is `onlyRead` is opened even if the disk is full. `wait` is the longest wait for a lock.
  package init(_ path: String, creating: Bool, onlyRead: Bool = false, wait: Duration) throws {
    if creating { try Database.create(path) }
    try Database.require(path)
    database = try onlyRead ? Database.forReading(path, wait: wait) : Database(path, wait: wait)
    try OutboxSchema.prepare(database, creating: creating)
  }

  /// Runs a body and stores its changes as one commit; discards them if the body throws.
  package func write<Value>(_ body: () throws -> Value) throws -> Value { try database.transaction(body) }

  // MARK: Upkeep

  /// Removes pushes that have ended and would have expired before `moment`, inside `write`; returns their
  /// number.
  ///
  /// Until a push expires, the same id may be added again, and must be recognized.
  package func prune(before moment: Instant) throws(StoreError) -> Int {
    try database.statement(
      "DELETE FROM pushes WHERE state NOT IN ('waiting', 'sending') AND expires < ?1"
    ).bind(1, moment.milliseconds).run()
    return database.changes
  }

  /// The number of pushes that wait or are being sent.
  func waiting() throws(StoreError) -> Int {
    Int(try database.integer("SELECT count(*) FROM pushes WHERE state IN ('waiting', 'sending')") ?? 0)
  }

  /// The number of deliveries that wait for another attempt or are due for their first, without those in
  /// quiet hours.
  func unsettled(_ target: Target, at now: Instant) throws -> Int {
    var count = 0
    try database.statement(
      """
      SELECT line FROM deliveries JOIN pushes ON number = push
      WHERE deliveries.state = 'waiting' AND (attempts > 0 OR nextAttempt <= ?1) AND \(target.condition)
      """
    ).bind(1, now.milliseconds).forEachRow { row in
      if try Self.notification(row.bytes(0)).pauseEnd(at: now) == nil { count += 1 }
    }
    return count
  }
}

extension Instant {
  /// Milliseconds since 1970, rounded down.
  var milliseconds: Int64 { seconds * 1_000 + Int64(nanoseconds) / 1_000_000 }

  init?(milliseconds: Int64) {
    let rest = (milliseconds % 1_000 + 1_000) % 1_000
    self.init(seconds: (milliseconds - rest) / 1_000, nanoseconds: Int32(rest) * 1_000_000)
  }
}

/// The tables of an outbox.
enum OutboxSchema {
  /// `pout`, which distinguishes an outbox from other SQLite databases.
  static let applicationID: Int64 = 0x706F_7574
  static let version: Int64 = 1

  /// The tables; times are milliseconds since 1970.
  ///
  /// A push waits until its time, is sent to each device, and ends: sent, failed, expired, merged into
  /// another, or withdrawn while it waits. A delivery waits, is in flight until its answer, and ends: sent,
  /// failed, pruned or expired. A push waits again, without deliveries, if all of them were pruned.
  private static let tables = """
    CREATE TABLE pushes (
      number INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      recipient TEXT NOT NULL,
      notBefore INTEGER NOT NULL,
      expires INTEGER NOT NULL,
      digest TEXT,
      state TEXT NOT NULL,
      line BLOB NOT NULL
    );
    CREATE INDEX pushesWaiting ON pushes (notBefore, number) WHERE state = 'waiting';
    CREATE INDEX pushesByExpiry ON pushes (expires) WHERE state IN ('waiting', 'sending');
    CREATE INDEX pushesInDigests ON pushes (recipient, digest) WHERE state = 'waiting' AND digest IS NOT NULL;
    CREATE TABLE deliveries (
      push INTEGER NOT NULL REFERENCES pushes (number) ON DELETE CASCADE,
      device TEXT NOT NULL,
      state TEXT NOT NULL,
      attempts INTEGER NOT NULL,
      nextAttempt INTEGER NOT NULL,
      status INTEGER,
      reason TEXT,
      PRIMARY KEY (push, device)
    ) WITHOUT ROWID;
    CREATE INDEX deliveriesWaiting ON deliveries (nextAttempt) WHERE state = 'waiting';
    CREATE INDEX deliveriesInFlight ON deliveries (push) WHERE state = 'flying';
    CREATE TABLE devices (
      token TEXT PRIMARY KEY NOT NULL,
      member TEXT NOT NULL,
      addedAt INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX devicesByMember ON devices (member);
    """

  static func prepare(_ database: Database, creating: Bool) throws {
    if try isEmpty(database) {
      // A file from an interrupted creation counts as missing.
      guard creating else { throw StoreError.missing }
      try database.run("PRAGMA journal_mode = WAL")
      try database.transaction {
        // Another process may have done this in the meantime.
        guard try isEmpty(database) else { return }
        try database.run(tables)
        try database.run("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
      }
    }
    // With FULL, stored notifications survive a loss of power.
    try database.run("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cell_size_check = ON")
  }

  /// Whether the file is empty; throws if it is not an outbox, or is of a later version.
  private static func isEmpty(_ database: Database) throws(StoreError) -> Bool {
    let application = try database.integer("PRAGMA application_id") ?? 0
    let found = try database.integer("PRAGMA user_version") ?? 0
    if application == 0, found == 0, try database.integer("SELECT count(*) FROM sqlite_schema") == 0 {
      return true
    }
    guard application == applicationID else { throw .notAStore }
    guard found <= version else { throw .newerSchema(found: Int(found), known: Int(version)) }
    return false
  }
}
