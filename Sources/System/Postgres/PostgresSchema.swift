import JSONLines
import Store
import SystemIO

/// The tables in a PostgreSQL database, as numbered steps from one version to the next.
///
/// The tables are those of a store in SQLite, with the household as the last column and as the first column
/// of every key. Text is compared by its bytes. References between tables are not checked, because that costs
/// a look-up for each row.
enum PostgresSchema {
  static let name = "peersync"
  /// The lock under which one process at a time runs the steps.
  private static let lock: Int64 = 0x7073_796E
  /// The lock under which one process at a time raises the numbers of conflicts.
  static let numberLock = lock + 1
  /// The setting that names the household of a transaction.
  private static let setting = "peersync.store"
  /// The setting with which the process that moves a household can open it.
  private static let fence = "peersync.fence"

  static var version: Int { steps.count }

  /// The beginning of a transaction about a household.
  static func settings(of household: Int64?, wait: Duration) -> String {
    settings("'\(household.map { "\($0)" } ?? "")'", wait)
  }

  /// The beginning of a transaction about a household with a name: if the name has changed, the transaction
  /// does not see the household's row.
  static func settings(
    of household: Int64, named name: String, wait: Duration, isMover: Bool = false
  ) -> String {
    let number =
      "coalesce((SELECT h.store::text FROM \(Self.name).households h WHERE h.store = \(household) AND h.name = "
      + "'\(name.parts(at: "'").joined(separator: "''"))'), '')"
    return settings(number, wait) + (isMover ? ", set_config('\(fence)', 'open', true)" : "")
  }

  /// The beginning of a transaction that only reads the latest sequence of each household.
  static func settings(forLooking wait: Duration) -> String { settings("'\(looking)'", wait) }

  private static func settings(_ household: String, _ wait: Duration) -> String {
    "SELECT set_config('search_path', '\(name)', true), set_config('\(setting)', \(household), true), "
      + "set_config('lock_timeout', '\(max(1, wait.wholeMilliseconds))', true)"
  }

  private static let looking = "look"

  /// Step n updates the tables from version n to n + 1; a released step is never changed.
  private static let steps: [[String]] = [
    [
      """
      CREATE TABLE households (
        store BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name TEXT COLLATE "C" NOT NULL UNIQUE)
      """,
      """
      CREATE TABLE store (
        id BYTEA NOT NULL, sequence BIGINT NOT NULL, compacted BIGINT NOT NULL, live BIGINT NOT NULL,
        tombstones BIGINT NOT NULL, rules BYTEA NOT NULL, quarantined BIGINT NOT NULL DEFAULT 0,
        tellsLosers BIGINT NOT NULL DEFAULT 0, fenced BOOLEAN NOT NULL DEFAULT false, \(column), PRIMARY KEY (store))
      """,
      """
      CREATE TABLE changes (
        sequence BIGINT NOT NULL, origin BIGINT NOT NULL, tombstone BOOLEAN NOT NULL, base BIGINT NOT NULL,
        checksum BIGINT NOT NULL, key BYTEA NOT NULL, line BYTEA NOT NULL, \(column),
        PRIMARY KEY (store, sequence), UNIQUE (store, key))
      """,
      "CREATE INDEX tombstonesBySequence ON changes (store, sequence) WHERE tombstone",
      """
      CREATE TABLE commits (
        sequence BIGINT NOT NULL, mark BIGINT NOT NULL, latest BIGINT, at BIGINT, \(column), PRIMARY KEY (store, sequence))
      """,
      """
      CREATE TABLE baseline (
        key BYTEA NOT NULL, clock TEXT NOT NULL, line BYTEA NOT NULL, own TEXT, \(column), PRIMARY KEY (store, key))
      """,
      """
      CREATE TABLE peers (
        number BIGINT NOT NULL, id \(text), seenAt \(text), liveBefore BIGINT, \(column),
        PRIMARY KEY (store, number), UNIQUE (store, id))
      """,
      """
      CREATE TABLE checkpoints (
        peer BIGINT NOT NULL, direction \(text), token \(text), updatedAt \(text), \(column),
        PRIMARY KEY (store, peer, direction))
      """,
      """
      CREATE TABLE quarantine (
        number BIGINT NOT NULL, peer BIGINT NOT NULL, reason \(text), since \(text), key BYTEA, checksum BIGINT NOT NULL,
        line BYTEA NOT NULL, clock BIGINT, rules BIGINT, size BIGINT NOT NULL, cut BIGINT NOT NULL, sequence BIGINT,
        \(column), PRIMARY KEY (store, number))
      """,
      // A line may be longer than an entry of any other kind of index.
      "CREATE INDEX quarantineByLine ON quarantine USING hash (line)",
      "CREATE INDEX quarantineByPeer ON quarantine (store, peer, clock, rules, size)",
      "CREATE TABLE prunes (entity BYTEA NOT NULL, before \(text), \(column), PRIMARY KEY (store, entity))",
      "CREATE TABLE floors (entity BYTEA NOT NULL, after \(text), clock \(text), \(column), PRIMARY KEY (store, entity))",
      "CREATE TABLE seen (peer BIGINT NOT NULL, key BYTEA NOT NULL, \(column), PRIMARY KEY (store, peer, key))",
      """
      CREATE TABLE held (
        peer BIGINT NOT NULL, key BYTEA NOT NULL, line BYTEA NOT NULL, origin BIGINT NOT NULL, checksum BIGINT NOT NULL,
        \(column), PRIMARY KEY (store, peer, key))
      """,
      """
      CREATE TABLE chains (
        peer BIGINT NOT NULL, mark \(text), number BIGINT NOT NULL, digest \(text), previous \(text), stamp \(text),
        \(column), PRIMARY KEY (store, peer, mark))
      """,
      "CREATE TABLE pushes (number BIGINT NOT NULL, id \(text), line \(text), \(column), PRIMARY KEY (store, number), UNIQUE (store, id))",
      "CREATE TABLE devices (token \(text), member \(text), addedAt \(text), \(column), PRIMARY KEY (store, token))",
      """
      CREATE TABLE bindings (
        entity BYTEA NOT NULL, source \(text), shape \(text), written BIGINT NOT NULL, digest BIGINT NOT NULL, mark TEXT,
        \(column), PRIMARY KEY (store, entity))
      """,
      """
      CREATE TABLE given (
        entity BYTEA NOT NULL, key BYTEA NOT NULL, batch BIGINT NOT NULL, before BYTEA, again BIGINT NOT NULL, \(column),
        PRIMARY KEY (store, entity, key, batch))
      """,
      """
      CREATE TABLE conflicts (
        number BIGINT GENERATED BY DEFAULT AS IDENTITY, at BIGINT NOT NULL, peer BIGINT NOT NULL, checksum BIGINT NOT NULL,
        key BYTEA NOT NULL, line BYTEA NOT NULL, \(column), PRIMARY KEY (store, number))
      """,
      "CREATE INDEX conflictsByLine ON conflicts USING hash (line)",
      "CREATE TABLE hooks (command \(text), told BIGINT NOT NULL, \(column), PRIMARY KEY (store, command))",
      """
      CREATE TABLE documents (
        peer BIGINT NOT NULL, id \(text), key BYTEA NOT NULL, updated \(text), clock \(text), noted \(text),
        problem \(text) DEFAULT '', \(column), PRIMARY KEY (store, peer, id))
      """,
      "CREATE INDEX documentsByKey ON documents (store, peer, key)",
      "CREATE INDEX staleDocuments ON documents (store, peer) WHERE updated = ''",
      """
      CREATE TABLE removedDocuments (
        peer BIGINT NOT NULL, id \(text), key BYTEA NOT NULL, updated \(text), gone \(text), \(column),
        PRIMARY KEY (store, peer, id))
      """,
      "CREATE INDEX removedByKey ON removedDocuments (store, peer, key)",
      """
      CREATE TABLE unsent (
        peer BIGINT NOT NULL, key BYTEA NOT NULL, problem \(text), \(column), PRIMARY KEY (store, peer, key))
      """,
    ] + tables.flatMap { guarded($0) }
  ]

  /// The tables with rows of households.
  static let tables = [
    "store", "changes", "commits", "baseline", "peers", "checkpoints", "quarantine", "prunes", "floors",
    "seen", "held",
    "chains", "pushes", "devices", "bindings", "given", "conflicts", "hooks", "documents", "removedDocuments",
    "unsent",
  ]

  private static let text = "TEXT COLLATE \"C\" NOT NULL"
  private static let household =
    "nullif(nullif(current_setting('\(setting)', true), ''), '\(looking)')::bigint"
  private static let column = "store BIGINT NOT NULL DEFAULT \(household)"

  /// The statements that enable row security for a table; it is forced, so that it also applies to the
  /// server's role, which owns the tables.
  private static func guarded(_ table: String) -> [String] {
    ["ALTER TABLE \(table) ENABLE ROW LEVEL SECURITY", "ALTER TABLE \(table) FORCE ROW LEVEL SECURITY"]
      + (table == "store"
        ? storePolicies
        : [
          "CREATE POLICY household ON \(table) USING (store = \(household)) WITH CHECK (store = \(household))"
        ])
  }

  /// During a move only the moving process sees the household's row in `store`, so others cannot read or
  /// write the household.
  ///
  /// A check of all households must see all rows, so the policy accepts a range of store numbers. With a
  /// second policy, PostgreSQL could not use an index and would scan the rows of all households.
  private static let storePolicies: [String] = {
    let isOpen = "(NOT fenced OR current_setting('\(fence)', true) = 'open')"
    let (first, last) = (bound("\(Int64.min)"), bound("\(Int64.max)"))
    return [
      "CREATE POLICY seen ON store FOR SELECT USING (store >= \(first) AND store <= \(last) AND \(isOpen))",
      "CREATE POLICY made ON store FOR INSERT WITH CHECK (store = \(household))",
      "CREATE POLICY changed ON store FOR UPDATE USING (store = \(household) AND \(isOpen)) WITH CHECK (store = \(household))",
      "CREATE POLICY removed ON store FOR DELETE USING (store = \(household) AND \(isOpen))",
    ]
  }()

  /// The number of the household; for a check of all households, this end of the range of numbers.
  private static func bound(_ end: String) -> String {
    "CASE current_setting('\(setting)', true) WHEN '\(looking)' THEN ('\(end)')::bigint ELSE \(household) END"
  }

  /// Makes the tables, or updates those of an earlier version.
  static func prepare(_ connection: PostgresConnection) throws(StoreError) {
    try connection.refresh()
    connection.begin(["BEGIN", settings(of: nil, wait: connection.wait)])
    do throws(StoreError) {
      try requireUTF8(connection)
      try refuseUnguarded(connection)
      let found = try version(connection)
      guard found <= version else { throw .newerSchema(found: found, known: version) }
      if found < version { try migrate(connection, from: found) }
      try connection.commit()
    } catch {
      connection.rollback()
      throw error
    }
  }

  /// Throws unless the database's encoding is UTF-8: lines contain characters that other encodings lack.
  private static func requireUTF8(_ connection: PostgresConnection) throws(StoreError) {
    try connection.sendInside("SELECT current_setting('server_encoding')")
    guard let result = try connection.finish(), result.count > 0, result.text(0, 0) != "UTF8" else { return }
    throw .encoding(result.text(0, 0))
  }

  private static func refuseUnguarded(_ connection: PostgresConnection) throws(StoreError) {
    try connection.sendInside(
      "SELECT current_user::text FROM pg_roles WHERE rolname = current_user AND (rolsuper OR rolbypassrls)")
    guard let result = try connection.finish(), result.count > 0 else { return }
    throw .unguarded(role: result.text(0, 0))
  }

  /// The version of the tables; 0 for a database without tables.
  private static func version(_ connection: PostgresConnection) throws(StoreError) -> Int {
    try connection.sendInside("SELECT to_regclass('\(name).version') IS NOT NULL")
    return try connection.finish()?.integer(0, 0) == 1 ? highestVersion(connection) : 0
  }

  private static func highestVersion(_ connection: PostgresConnection) throws(StoreError) -> Int {
    try connection.sendInside("SELECT coalesce(max(number), 0) FROM version")
    return Int(try connection.finish()?.integer(0, 0) ?? 0)
  }

  private static func migrate(_ connection: PostgresConnection, from found: Int) throws(StoreError) {
    try connection.sendInside("SELECT pg_advisory_xact_lock(\(lock))")
    try connection.finish()
    if found == 0 {
      try connection.sendInside("CREATE SCHEMA IF NOT EXISTS \(name)")
      try connection.sendInside("CREATE TABLE IF NOT EXISTS version (number BIGINT NOT NULL)")
    }
    // Another process may have changed the tables in the meantime. `version(_:)`, which looks up a name, might not see
    // that.
    let found = try highestVersion(connection)
    for (index, step) in steps.enumerated().dropFirst(found) {
      for sql in step { try connection.sendInside(sql) }
      try connection.sendInside("INSERT INTO version (number) VALUES (\(index + 1))")
    }
    try connection.finish()
  }
}
