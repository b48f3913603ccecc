/// The tables, as numbered steps from one version of the schema to the next.
enum Schema {
  /// `psyn`, by which `file` and this module distinguish a store from other SQLite databases.
  static let applicationID: Int64 = 0x7073_796E

  /// The first version that a step leads to; stores of earlier versions are not converted.
  static let first = 5

  /// Step n converts a store from the version before `first` + n to that version.
  ///
  /// A released step must not be changed.
  static let steps = [
    """
    CREATE TABLE store (
      one INTEGER PRIMARY KEY CHECK (one = 1),
      id BLOB NOT NULL,
      sequence INTEGER NOT NULL,
      compacted INTEGER NOT NULL,
      live INTEGER NOT NULL,
      tombstones INTEGER NOT NULL,
      rules BLOB NOT NULL
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
    CREATE TABLE peers (
      number INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      seenAt TEXT NOT NULL,
      liveBefore INTEGER
    );
    CREATE TABLE checkpoints (
      peer INTEGER NOT NULL REFERENCES peers (number),
      direction TEXT NOT NULL,
      token TEXT NOT NULL,
      updatedAt TEXT NOT NULL,
      PRIMARY KEY (peer, direction)
    ) WITHOUT ROWID;
    -- clock and rules decide when a line may be retried; cut: whether the wire has cut its times.
    CREATE TABLE quarantine (
      number INTEGER PRIMARY KEY,
      peer INTEGER NOT NULL REFERENCES peers (number),
      reason TEXT NOT NULL,
      since TEXT NOT NULL,
      key BLOB,
      checksum INTEGER NOT NULL,
      line BLOB NOT NULL,
      clock INTEGER,
      rules INTEGER,
      size INTEGER NOT NULL,
      cut INTEGER NOT NULL
    );
    CREATE INDEX quarantineByLine ON quarantine (peer, line);
    -- Has the sizes and clocks, so that they are read without the lines.
    CREATE INDEX quarantineByPeer ON quarantine (peer, clock, rules, size);
    CREATE TABLE prunes (entity TEXT PRIMARY KEY NOT NULL, before TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE seen (peer INTEGER NOT NULL, key BLOB NOT NULL, PRIMARY KEY (peer, key)) WITHOUT ROWID;
    CREATE TABLE held (
      peer INTEGER NOT NULL,
      key BLOB NOT NULL,
      line BLOB NOT NULL,
      origin INTEGER NOT NULL,
      checksum INTEGER NOT NULL,
      PRIMARY KEY (peer, key, line)
    ) WITHOUT ROWID;
    """,
    """
    -- No change of the commit has a later clock; in seconds since 1970.
    ALTER TABLE commits ADD COLUMN latest INTEGER;
    -- Removed deletions of the entity have clocks up to clock, if their clocks are later than after.
    CREATE TABLE floors (entity TEXT PRIMARY KEY NOT NULL, after TEXT NOT NULL, clock TEXT NOT NULL) WITHOUT ROWID;
    """,
    """
    -- The highest number in quarantine so far: a person who has listed them must not drop another line by it.
    ALTER TABLE store ADD COLUMN quarantined INTEGER NOT NULL DEFAULT 0;
    UPDATE store SET quarantined = (SELECT ifnull(max(number), 0) FROM quarantine);
    """,
    """
    -- The last file that this store has written into a shared folder, or was about to, and the one before it. A copy of
    -- the store, and one that was restored, finds another file there.
    CREATE TABLE chains (
      peer INTEGER NOT NULL REFERENCES peers (number),
      mark TEXT NOT NULL,
      number INTEGER NOT NULL,
      digest TEXT NOT NULL,
      previous TEXT NOT NULL,
      stamp TEXT NOT NULL,
      PRIMARY KEY (peer, mark)
    ) WITHOUT ROWID;
    """,
    """
    -- On a server: the planner's notifications for members, each id once, and the devices that receive them.
    CREATE TABLE pushes (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, line TEXT NOT NULL);
    CREATE TABLE devices (token TEXT PRIMARY KEY NOT NULL, member TEXT NOT NULL, addedAt TEXT NOT NULL) WITHOUT ROWID;
    """,
    """
    -- Files and tables of apps, each with the records of one entity; written: changes of others up to this sequence are
    -- written to it.
    CREATE TABLE bindings (
      entity TEXT PRIMARY KEY NOT NULL,
      source TEXT NOT NULL,
      shape TEXT NOT NULL,
      written INTEGER NOT NULL,
      digest INTEGER NOT NULL,
      -- Up to where a table has been read; null where all of it is to be read.
      mark TEXT
    ) WITHOUT ROWID;
    -- The records of a source before changes were written to it, kept until its app has read them. A batch was written
    -- at one time; again: whether a change was written twice.
    CREATE TABLE given (
      entity TEXT NOT NULL,
      key BLOB NOT NULL,
      batch INTEGER NOT NULL,
      before BLOB,
      again INTEGER NOT NULL,
      PRIMARY KEY (entity, key, batch)
    ) WITHOUT ROWID;
    -- When the commit was made by the clock of this device, in seconds since 1970.
    ALTER TABLE commits ADD COLUMN at INTEGER;
    -- Changes that have lost against ones that were made without knowing them; peer 0 is this device.
    CREATE TABLE conflicts (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      at INTEGER NOT NULL,
      peer INTEGER NOT NULL,
      checksum INTEGER NOT NULL,
      key BLOB NOT NULL,
      line BLOB NOT NULL
    );
    -- The sequence up to which a command has succeeded.
    CREATE TABLE hooks (command TEXT PRIMARY KEY NOT NULL, told INTEGER NOT NULL) WITHOUT ROWID;
    """,
    """
    -- On a server: also notify members who have lost a turn.
    ALTER TABLE store ADD COLUMN tellsLosers INTEGER NOT NULL DEFAULT 0;
    """,
    """
    -- Documents of a remote collection as last read or written; updated is empty if a document must be read again.
    CREATE TABLE documents (
      peer INTEGER NOT NULL REFERENCES peers (number),
      id TEXT NOT NULL,
      key BLOB NOT NULL,
      updated TEXT NOT NULL,
      clock TEXT NOT NULL,
      noted TEXT NOT NULL,
      PRIMARY KEY (peer, id)
    ) WITHOUT ROWID;
    CREATE INDEX documentsByKey ON documents (peer, key);
    CREATE INDEX staleDocuments ON documents (peer) WHERE updated = '';
    -- Records that cannot be written there, and why.
    CREATE TABLE unsent (
      peer INTEGER NOT NULL REFERENCES peers (number),
      key BLOB NOT NULL,
      problem TEXT NOT NULL,
      PRIMARY KEY (peer, key)
    ) WITHOUT ROWID;
    """,
    """
    -- Why a document is not a record; empty if it is.
    ALTER TABLE documents ADD COLUMN problem TEXT NOT NULL DEFAULT '';
    """,
    """
    -- Documents removed with their records: the time of the last write or, if known, of the removal, and the clock of the
    -- deletion.
    CREATE TABLE removedDocuments (
      peer INTEGER NOT NULL REFERENCES peers (number),
      id TEXT NOT NULL,
      key BLOB NOT NULL,
      updated TEXT NOT NULL,
      gone TEXT NOT NULL,
      PRIMARY KEY (peer, id)
    ) WITHOUT ROWID;
    CREATE INDEX removedByKey ON removedDocuments (peer, key);
    """,
    """
    -- The last change of the store when the line arrived; null if unknown.
    ALTER TABLE quarantine ADD COLUMN sequence INTEGER;
    """,
    """
    -- A JSON array of the members that the source has given the record, and the store has never had; null without any.
    ALTER TABLE baseline ADD COLUMN own TEXT;
    """,
    """
    -- Whether a change is among the conflicts already.
    CREATE INDEX conflictsByChecksum ON conflicts (checksum);
    """,
    """
    -- Many lines of one peer may have the same checksum.
    DROP INDEX conflictsByChecksum;
    CREATE INDEX conflictsByLine ON conflicts (line);
    """,
  ]

  static var version: Int { version(after: steps) }

  private static func version(after steps: [String]) -> Int { first + steps.count - 1 }

  /// Makes the tables of a new file, or converts the tables of an older version.
  static func prepare(
    _ database: Database, steps: [String] = steps, _ random: inout any RandomNumberGenerator
  ) throws {
    let last = version(after: steps)
    guard try version(of: database, last) < last else { return }
    let id = [random.next(), random.next()].flatMap { number in
      stride(from: 0, to: 64, by: 8).map { UInt8(truncatingIfNeeded: number >> $0) }
    }
    try database.transaction {
      // Another process may have prepared the file in the meantime.
      let found = try version(of: database, last)
      for step in steps.dropFirst(found == 0 ? 0 : found - first + 1) { try database.run(step) }
      if found == 0 {
        try database.statement(
          "INSERT INTO store (one, id, sequence, compacted, live, tombstones, rules) "
            + "VALUES (1, ?1, 0, 0, 0, 0, x'')"
        ).bind(1, id).run()
      }
      try database.run("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(last)")
    }
  }

  /// The version of the tables; throws `olderSchema` for a version that the steps cannot convert.
  private static func version(of database: Database, _ last: Int) throws(StoreError) -> Int {
    let found = try database.version(of: applicationID, known: last)
    if found > 0, found < first { throw .olderSchema(found: found) }
    return found
  }
}
