/// A database with the tables of a store: an SQLite database, or a household of a database server.
///
/// A database and its statements are confined to one thread. SQLite and PostgreSQL both accept its SQL:
/// placeholders are `?1`, and a boolean column alone is a condition. Only ``Database`` has the functions that
/// SQLite alone supports.
package protocol SQLDatabase: AnyObject {
  /// A prepared statement from the cache, ready for its values; it must not be in use already.
  ///
  /// With `isLong`, the statement may return more rows than fit into memory.
  func statement(_ sql: String, isLong: Bool) throws(StoreError) -> Statement

  /// The number of rows that the last statement has changed.
  var changes: Int { get throws(StoreError) }

  // MARK: Transactions

  /// Begins a transaction; a writer waits for its turn at once, not at its first write.
  func begin(writing: Bool) throws(StoreError)
  /// Stores everything since ``begin(writing:)``.
  func commit() throws(StoreError)
  /// Drops everything since ``begin(writing:)``.
  func rollback()

  /// Blocks all further writes: current transactions are stored first, and later transactions are refused.
  func fence() throws
  /// Allows writes again.
  func unfence() throws
  /// The maximum size of a key in bytes; nil without a limit.
  var longestKey: Int? { get }

  // MARK: Limits

  /// Sets the longest wait for a lock.
  func limitWait(to wait: Duration)
  /// Keeps at most this many KiB of the database in memory.
  func limitCache(toKiB size: Int) throws(StoreError)
  /// Limits the size of the database to this many bytes; a write that would need more throws `full`.
  func limitSize(toBytes size: Int64?) throws(StoreError)
  /// The size of the database in bytes; call it inside a transaction.
  func size() throws(StoreError) -> Int64

  /// Checks the storage beneath the rows for damage, and reports each finding as a sentence.
  func checkPages(_ report: (String) -> Void) throws
}

extension SQLDatabase {
  package func statement(_ sql: String) throws(StoreError) -> Statement {
    try statement(sql, isLong: false)
  }

  /// The first column of the first row; nil without a row.
  package func integer(_ sql: String) throws(StoreError) -> Int64? {
    try statement(sql).first { $0.integer(0) }
  }

  /// Runs a body as one transaction, which is rolled back if the body throws.
  package func transaction<Value>(writing: Bool = true, _ body: () throws -> Value) throws -> Value {
    try begin(writing: writing)
    do {
      let value = try body()
      try commit()
      return value
    } catch {
      rollback()
      throw error
    }
  }
}

/// The operations behind a ``Statement`` of a database other than SQLite.
///
/// Placeholders count from 1 and columns from 0. Values stay bound until other values replace them.
package protocol StatementDriver: AnyObject {
  func bind(_ place: Int32, _ number: Int64?)
  func bind(_ place: Int32, _ number: Double)
  func bind(_ place: Int32, text: Span<UInt8>)
  func bind(_ place: Int32, bytes: Span<UInt8>)

  /// Moves to the next row; false after the last one, when the statement can be used again.
  func step() throws(StoreError) -> Bool
  /// Runs a statement that does not return rows; a later statement of the same transaction may throw its error.
  func run() throws(StoreError)
  /// Ends a statement whose last row has not been read.
  func reset()

  func kind(_ column: Int32) -> Statement.Kind
  func integer(_ column: Int32) -> Int64
  func real(_ column: Int32) -> Double
  /// The value in the driver's memory, valid until the next step or reset; empty for null.
  @unsafe func buffer(_ column: Int32) -> UnsafeRawBufferPointer
}
