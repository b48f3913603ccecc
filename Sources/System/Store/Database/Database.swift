internal import CSQLite
import SystemIO

/// A connection to an SQLite database, confined to one thread.
///
/// This is safe because the handle is valid until `deinit`; SQLite keeps the connection for its statements.
@safe
package final class Database: SQLDatabase {
  private let handle: OpaquePointer
  private var prepared: [String: Statement] = [:]
  /// The path and stamp of a file that is read without locks, to detect writes by other processes.
  private let fixed: (path: String, stamp: FileStamp?)?

  /// The path of a database in memory, which does not have a file.
  package static let inMemory: String? = nil

  /// The name of such a database, for SQLite and for people.
  static let nameInMemory = ":memory:"

  /// Opens an existing file, or a database in memory; `wait` is the longest wait for a lock.
  ///
  /// With `belongsToOthers`, the file is accepted even if everybody may write to it. If SQLite cannot create
  /// a log or its index, the file is opened read-only, and an existing log is read too. Only a database that
  /// uses a log is then read without locks. With `isAlone`, no other process can use the file meanwhile, and
  /// SQLite does not need the index of the log.
  package init(
    _ path: String?, readOnly: Bool = false, belongsToOthers: Bool = false, isAlone: Bool = false,
    wait: Duration
  ) throws(StoreError) {
    if !belongsToOthers, let path, FileMode.isForAll(path) { throw .isForAll }
    var handle: OpaquePointer?
    let file = path.map { FileMode.resolved($0) }
    let isUnwritable = file.map { Self.isUnwritable($0) } ?? false
    let isFixed = isUnwritable && file.map { Self.usesLog($0) } ?? false
    let hasLog = file.map { FileMode.size(of: $0 + "-wal") > 0 } ?? false
    let isURI = isFixed && !hasLog
    let name = path.map { isURI ? Self.locator(ofFixed: $0) : Self.name(of: $0) } ?? Self.nameInMemory
    let mode = readOnly || isUnwritable ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
    let flags = mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | (isURI ? SQLITE_OPEN_URI : 0)
    let code = unsafe sqlite3_open_v2(name, &handle, flags, isFixed && hasLog ? "unix-none" : nil)
    guard code == SQLITE_OK, let handle = unsafe handle else {
      guard let handle = unsafe handle else { throw StoreError(code: code, message: "no memory") }
      let error = unsafe StoreError(code: code, on: handle)
      unsafe sqlite3_close_v2(handle)
      throw error
    }
    unsafe self.handle = handle
    if isFixed, let path { fixed = (path, FileStamp(of: path)) } else { fixed = nil }
    limitWait(to: wait)
    // In this mode SQLite keeps the index of the log in memory (sqlite.org/wal.html#noshm).
    if isFixed || isAlone { try run("PRAGMA locking_mode = EXCLUSIVE") }
  }

  deinit {
    prepared = [:]
    unsafe sqlite3_close_v2(handle)
  }

  /// Sets the longest wait for a lock.
  package func limitWait(to wait: Duration) {
    _ = unsafe sqlite3_busy_timeout(handle, Int32(clamping: wait.wholeMilliseconds))
  }

  /// Runs statements without values.
  package func run(_ sql: String) throws(StoreError) {
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code) }
  }

  /// A prepared statement from the cache, ready for its values; it must not be in use already.
  package func statement(_ sql: String) throws(StoreError) -> Statement {
    if let statement = prepared[sql] {
      statement.reset()
      return statement
    }
    // Some statements contain names from other programs, so their number is unlimited.
    if prepared.count >= 500 { prepared = [:] }
    let statement = try unsafe Statement(sql, on: handle)
    prepared[sql] = statement
    return statement
  }

  /// A prepared statement; `isLong` is ignored, because SQLite keeps one row in memory at a time.
  package func statement(_ sql: String, isLong: Bool) throws(StoreError) -> Statement { try statement(sql) }

  /// The version of the tables of the program with this mark, at most `known`; 0 for a file without tables.
  ///
  /// The mark is SQLite's `application_id`, the version its `user_version`.
  package func version(of application: Int64, known: Int) throws(StoreError) -> Int {
    // Read the id first: the maker sets both numbers at once, so the version is set if the id is.
    let maker = try integer("PRAGMA application_id") ?? 0
    let found = Int(try integer("PRAGMA user_version") ?? 0)
    guard maker == application else {
      let tables = try integer("SELECT count(*) FROM sqlite_schema") ?? 0
      if maker == 0, found == 0, tables == 0 { return 0 }
      // Another process may have finished creating the file between our queries.
      guard try integer("PRAGMA application_id") == application else { throw .notAStore }
      return try version(of: application, known: known)
    }
    guard found >= 1 else { throw .corrupt("its version is \(found)") }
    guard found <= known else { throw .newerSchema(found: found, known: known) }
    return found
  }

  /// The collation with which `=` compares the values of a table's column; nil without such a column.
  package func collation(of column: String, in table: String) -> String? {
    var name: UnsafePointer<CChar>?
    let code = unsafe sqlite3_table_column_metadata(
      handle, "main", table, column, nil, &name, nil, nil, nil)
    guard code == SQLITE_OK, let name = unsafe name else { return nil }
    return unsafe String(cString: name)
  }

  /// The number of rows that the last statement has changed.
  package var changes: Int { Int(unsafe sqlite3_changes64(handle)) }

  /// The number of rows that all statements have changed so far, with those of triggers and cascades.
  package var totalChanges: Int { Int(unsafe sqlite3_total_changes64(handle)) }

  /// A writer takes its lock at once, because waiting for it at the first write could end in a deadlock.
  package func begin(writing: Bool) throws(StoreError) { try run(writing ? "BEGIN IMMEDIATE" : "BEGIN") }

  package func commit() throws(StoreError) {
    try checkUnchanged()
    try run("COMMIT")
  }

  package func rollback() {
    // SQLite has rolled back after some failures already.
    if isInTransaction { try? run("ROLLBACK") }
  }

  package var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

  /// Whether all foreign keys are checked only at the end of the transaction, as if they were deferred.
  package func deferForeignKeys(_ isDeferred: Bool) throws(StoreError) {
    try run("PRAGMA defer_foreign_keys = \(isDeferred ? "ON" : "OFF")")
  }

  /// Whether the transaction cannot be committed, because rows refer to missing rows.
  package var lacksReferredRows: Bool {
    var (count, highest) = (Int32(0), Int32(0))
    unsafe sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &count, &highest, 0)
    return count > 0
  }

  /// Throws `busy` if another process has written to a file that is read without locks.
  package func checkUnchanged() throws(StoreError) {
    if let fixed, FileStamp(of: fixed.path) != fixed.stamp { throw .busy }
  }

  /// Copies a consistent state of the database into a file; `wait` is the longest wait for that file's lock.
  package func copy(to path: String, wait: Duration = .zero) throws(StoreError) {
    let target = try Database(path, wait: wait)
    guard let backup = unsafe sqlite3_backup_init(target.handle, "main", handle, "main") else {
      throw target.error(unsafe sqlite3_errcode(target.handle))
    }
    let code = unsafe sqlite3_backup_step(backup, -1)
    let end = unsafe sqlite3_backup_finish(backup)
    if code != SQLITE_DONE { throw target.error(code == SQLITE_OK ? end : code) }
    try checkUnchanged()
  }

  /// Adds triggers that block all writes, because triggers also apply to connections that are already open.
  package func fence() throws {
    try transaction {
      var tables: [String] = []
      try statement("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
        .forEachRow {
          tables.append($0.text(0))
        }
      for table in tables {
        for event in ["INSERT", "UPDATE", "DELETE"] {
          try run(
            "CREATE TRIGGER IF NOT EXISTS fence\(event)\(table) BEFORE \(event) ON \(table) "
              + "BEGIN SELECT RAISE(ABORT, '\(StoreError.fenced)'); END")
        }
      }
    }
  }

  /// Whether writes are blocked.
  package var isFenced: Bool {
    get throws(StoreError) {
      try integer("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'fence%'") ?? 0 > 0
    }
  }

  package func unfence() throws {
    try transaction {
      var triggers: [String] = []
      try statement("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'fence%'").forEachRow
      {
        triggers.append($0.text(0))
      }
      for trigger in triggers { try run("DROP TRIGGER \(trigger)") }
    }
  }

  /// Moves the whole log into the file; throws `busy` if a reader still needs a part of the log.
  package func emptyLog() throws(StoreError) {
    if try integer("PRAGMA wal_checkpoint(TRUNCATE)") != 0 { throw .busy }
  }

  // MARK: Limits

  package var longestKey: Int? { nil }

  package func limitCache(toKiB size: Int) throws(StoreError) { try run("PRAGMA cache_size = -\(size)") }

  package func limitSize(toBytes size: Int64?) throws(StoreError) {
    let page = try integer("PRAGMA page_size") ?? 4_096
    try run("PRAGMA max_page_count = \(size.map { max(1, $0 / page) } ?? 4_294_967_294)")
  }

  /// The size of the file without its log.
  package func size() throws(StoreError) -> Int64 {
    try (integer("PRAGMA page_size") ?? 0) * (integer("PRAGMA page_count") ?? 0)
  }

  package func checkPages(_ report: (String) -> Void) throws {
    try statement("PRAGMA integrity_check").forEachRow { row in
      let text = row.text(0)
      if text == "ok" { return }
      if Self.tellsOfReading(text) { throw StoreError.inputOutput("a page of the file cannot be read") }
      report(text)
    }
  }

  /// Whether a finding reports a page that could not be read, which is not damage.
  ///
  /// Such a finding contains `error code=` and one of the SQLITE_IOERR codes.
  private static func tellsOfReading(_ text: String) -> Bool {
    text.split(separator: "=").dropFirst().contains { rest in
      Int(rest.prefix { $0.isNumber }).map { $0 & 0xff == 10 } ?? false
    }
  }

  // MARK: Bytes

  /// Returns a consistent copy of the database as the bytes of a file.
  package func bytes() throws(StoreError) -> [UInt8] {
    var count: Int64 = 0
    guard let start = unsafe sqlite3_serialize(handle, "main", &count, 0) else {
      throw unsafe error(sqlite3_errcode(handle))
    }
    defer { unsafe sqlite3_free(start) }
    return unsafe Array(UnsafeBufferPointer(start: start, count: Int(count)))
  }

  /// A database in memory whose initial content is the bytes of a file.
  package convenience init(inMemory bytes: [UInt8]) throws(StoreError) {
    guard !bytes.isEmpty else { throw .notAStore }
    try self.init(Self.inMemory, wait: .zero)
    guard let copy = unsafe sqlite3_malloc64(UInt64(bytes.count)) else { throw error(SQLITE_NOMEM) }
    unsafe bytes.withUnsafeBytes { source in
      guard let start = source.baseAddress else { return }
      unsafe copy.copyMemory(from: start, byteCount: source.count)
    }
    let count = Int64(bytes.count)
    // SQLite owns the copy from here on, even if the call fails.
    let flags = UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE)
    let code = unsafe sqlite3_deserialize(
      handle, "main", copy.assumingMemoryBound(to: UInt8.self), count, count, flags)
    guard code == SQLITE_OK else { throw error(code) }
  }

  private func error(_ code: Int32) -> StoreError {
    unsafe StoreError(code: code, on: handle)
  }
}
