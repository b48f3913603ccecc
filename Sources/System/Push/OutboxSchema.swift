import Store

/// The tables of an outbox.
enum OutboxSchema {
  /// `pout`, by which this module tells an outbox from other SQLite databases.
  static let applicationID: Int64 = 0x706F_7574
  static let version: Int64 = 1

  /// Moments are milliseconds since 1970.
  ///
  /// A push waits until it is time, is being sent to each device, and ends: sent, failed, expired, merged into another,
  /// or withdrawn while it waits. A delivery waits, is in flight while no answer is known, and ends: sent, failed, pruned or expired.
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
      // What was killed while it was made is none yet.
      guard creating else { throw StoreError.missing }
      try database.run("PRAGMA journal_mode = WAL")
      try database.transaction {
        // Another process may have been here in the meantime.
        guard try isEmpty(database) else { return }
        try database.run(tables)
        try database.run("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
      }
    }
    // FULL: what has been taken stays taken when the power goes.
    try database.run("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cell_size_check = ON")
  }

  /// Throws where the file is no outbox, or of a later version.
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
