/// What has the tables of a store: an SQLite database, or a household of a database server.
///
/// It is confined to one thread, and so are its statements. What they say is understood by SQLite and by PostgreSQL:
/// places of values are `?1`, columns that only say yes or no are used as conditions by themselves, and what SQLite alone
/// knows is left to ``Database``.
package protocol StoreDatabase: AnyObject {
  /// A statement that is kept, ready for its values; it must not be in use already.
  ///
  /// One that `isLong` may have more rows than memory has room for.
  func statement(_ sql: String, isLong: Bool) throws(StoreError) -> Statement

  /// How many rows the last statement has changed.
  var changes: Int { get throws(StoreError) }

  // MARK: Transactions

  /// Begins a transaction; a writer waits for its turn at once, not at its first write.
  func begin(writing: Bool) throws(StoreError)
  /// Stores all that was done since ``begin(writing:)``.
  func commit() throws(StoreError)
  /// Drops all that was done since ``begin(writing:)``.
  func rollback()

  /// Lets nobody write any more: what is under way is stored before, and what comes later is refused.
  func fence() throws
  /// Lets everybody write again.
  func unfence() throws
  /// How many bytes a key may have; nil without a limit.
  var longestKey: Int? { get }

  // MARK: Limits

  /// Waits so long for a lock from here on.
  func limitWait(to wait: Duration)
  /// Keeps no more of it in memory than this many KiB.
  func limitCache(toKiB size: Int) throws(StoreError)
  /// Lets it grow to no more than this many bytes; what would need more is `full`.
  func limitSize(toBytes size: Int64?) throws(StoreError)
  /// The room that it takes, inside a transaction.
  func size() throws(StoreError) -> Int64

  /// Looks for damage below the rows, and hands over what is wrong, a sentence each.
  func checkPages(_ report: (String) -> Void) throws
}

extension StoreDatabase {
  package func statement(_ sql: String) throws(StoreError) -> Statement {
    try statement(sql, isLong: false)
  }

  /// The first column of the first row; nil without a row.
  package func integer(_ sql: String) throws(StoreError) -> Int64? {
    try statement(sql).first { $0.integer(0) }
  }

  /// Runs a body that reads or writes as one: all of it is stored, or nothing if it throws.
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

/// How a ``Statement`` of another database than SQLite does its work.
///
/// Places of values count from 1 and columns from 0. Values stay until others are bound in their place.
package protocol StatementDriver: AnyObject {
  func bind(_ place: Int32, _ number: Int64?)
  func bind(_ place: Int32, _ number: Double)
  func bind(_ place: Int32, text: Span<UInt8>)
  func bind(_ place: Int32, bytes: Span<UInt8>)

  /// Whether there is a row; after the last the statement can be used again.
  func step() throws(StoreError) -> Bool
  /// Runs a statement that has no rows; an error may be thrown by a later one of the same transaction.
  func run() throws(StoreError)
  /// Lets go of the row before the last has been seen.
  func reset()

  func kind(_ column: Int32) -> Statement.Kind
  func integer(_ column: Int32) -> Int64
  func real(_ column: Int32) -> Double
  /// The value where the driver keeps it, until the next step or reset; empty of null.
  @unsafe func buffer(_ column: Int32) -> UnsafeRawBufferPointer
}
