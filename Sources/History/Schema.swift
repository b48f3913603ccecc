import StoreFiles

/// The tables, as numbered steps from one version of the schema to the next.
enum Schema {
  /// `psyn`, by which `file` and this module tell a store from other SQLite databases.
  static let applicationID: Int64 = 0x7073_796E

  /// Step n brings a store from version n to n + 1.
  ///
  /// A step that has been released is never changed.
  static let steps = [
    """
    CREATE TABLE store (
      one INTEGER PRIMARY KEY CHECK (one = 1),
      id BLOB NOT NULL,
      sequence INTEGER NOT NULL,
      compacted INTEGER NOT NULL,
      live INTEGER NOT NULL,
      tombstones INTEGER NOT NULL
    );
    CREATE TABLE changes (
      sequence INTEGER PRIMARY KEY,
      origin INTEGER NOT NULL,
      tombstone INTEGER NOT NULL,
      base INTEGER NOT NULL,
      checksum INTEGER NOT NULL,
      key BLOB NOT NULL,
      line BLOB NOT NULL
    );
    CREATE UNIQUE INDEX changesByKey ON changes (key);
    CREATE INDEX tombstonesBySequence ON changes (sequence) WHERE tombstone;
    CREATE TABLE commits (sequence INTEGER PRIMARY KEY, mark INTEGER NOT NULL);
    CREATE TABLE baseline (
      key BLOB PRIMARY KEY NOT NULL,
      clock TEXT NOT NULL,
      line BLOB NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE peers (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, seenAt TEXT NOT NULL);
    CREATE TABLE checkpoints (
      peer INTEGER NOT NULL REFERENCES peers (number),
      direction TEXT NOT NULL,
      token TEXT NOT NULL,
      updatedAt TEXT NOT NULL,
      PRIMARY KEY (peer, direction)
    ) WITHOUT ROWID;
    CREATE TABLE quarantine (
      number INTEGER PRIMARY KEY,
      peer INTEGER NOT NULL REFERENCES peers (number),
      reason TEXT NOT NULL,
      since TEXT NOT NULL,
      key BLOB,
      checksum INTEGER NOT NULL,
      line BLOB NOT NULL
    );
    CREATE INDEX quarantineByChecksum ON quarantine (checksum);
    CREATE TABLE prunes (entity TEXT PRIMARY KEY NOT NULL, before TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE seen (peer INTEGER NOT NULL, key BLOB NOT NULL, PRIMARY KEY (peer, key)) WITHOUT ROWID;
    """,
    """
    ALTER TABLE peers ADD COLUMN liveBefore INTEGER;
    CREATE TABLE held (
      peer INTEGER NOT NULL,
      key BLOB NOT NULL,
      line BLOB NOT NULL,
      origin INTEGER NOT NULL,
      checksum INTEGER NOT NULL,
      PRIMARY KEY (peer, key, line)
    ) WITHOUT ROWID;
    """,
    // The sizes and the clocks once more, in an index: nobody goes through the lines for these.
    """
    ALTER TABLE quarantine ADD COLUMN clock INTEGER;
    ALTER TABLE quarantine ADD COLUMN rules INTEGER;
    ALTER TABLE quarantine ADD COLUMN size INTEGER NOT NULL DEFAULT 0;
    UPDATE quarantine SET size = length(line) + coalesce(length(key), 0);
    DROP INDEX quarantineByChecksum;
    CREATE INDEX quarantineByLine ON quarantine (peer, line);
    CREATE INDEX quarantineByPeer ON quarantine (peer, clock, rules, size);
    """,
    // Whether the line came over a wire that cuts its times to whole seconds.
    "ALTER TABLE quarantine ADD COLUMN cut INTEGER NOT NULL DEFAULT 0;",
  ]

  static var version: Int { steps.count }

  /// Makes the tables of a new file, or brings those of an older version up to date.
  static func prepare(
    _ database: Database, steps: [String] = steps, _ random: inout any RandomNumberGenerator
  ) throws {
    guard try database.version(of: applicationID, known: steps.count) < steps.count else { return }
    let id = [random.next(), random.next()].flatMap { number in
      stride(from: 0, to: 64, by: 8).map { UInt8(truncatingIfNeeded: number >> $0) }
    }
    try database.transaction {
      // Another process may have been here in the meantime.
      let found = try database.version(of: applicationID, known: steps.count)
      for step in steps[found...] { try database.run(step) }
      if found == 0 {
        try database.statement("INSERT INTO store VALUES (1, ?1, 0, 0, 0, 0)").bind(1, id).run()
      }
      try database.run("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(steps.count)")
    }
  }
}
