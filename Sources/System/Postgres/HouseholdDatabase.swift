package import Store
import SystemIO

/// The tables of one household's store in a PostgreSQL database.
///
/// Every transaction names the household, and row-level security lets it read and write only rows of that
/// household. A transaction that writes first locks the household's row. So commits of one household happen
/// in order, and commits of different households in parallel.
package final class HouseholdDatabase: SQLDatabase {
  /// The number of the household, which is in all its rows.
  package let number: Int64
  private let name: String
  private let connection: PostgresConnection
  private let generation: Int
  private var prepared: [String: Statement] = [:]
  /// Whether a transaction of this household is under way; its connection may have been lost.
  private(set) var isInside = false
  private var cursors = 0
  /// The result of the last statement; nil until its answer was read.
  private var lastChanges: Int?

  /// Whether this process is moving the household, and so can use it while it is fenced.
  private let isMover: Bool

  private let sizes: HouseholdSizes
  /// The maximum size of the household.
  private var limit: Int64?
  /// The size when the transaction began, if the household has a limit.
  private var sizeBefore: HouseholdSizes.Size?

  init(
    _ number: Int64, named name: String, on connection: PostgresConnection, isMover: Bool = false,
    sizes: HouseholdSizes = HouseholdSizes()
  ) {
    (self.number, self.name, self.connection) = (number, name, connection)
    (self.isMover, self.sizes) = (isMover, sizes)
    generation = connection.generation
  }

  /// Throws if the connection was made again: it may be to another server, and that server may lack data that
  /// was read here.
  private func requireSameConnection() throws(StoreError) {
    try connection.refresh()
    if connection.generation != generation { throw .unavailable("the connection was lost and reopened") }
  }

  package func statement(_ sql: String, isLong: Bool) throws(StoreError) -> Statement {
    if let statement = prepared[sql] {
      statement.reset()
      return statement
    }
    if prepared.count >= 500 { prepared = [:] }
    let statement = Statement(PostgresStatement(sql, on: self, isLong: isLong))
    prepared[sql] = statement
    return statement
  }

  // MARK: Transactions

  private func opening(_ mode: String) -> [String] {
    [
      "BEGIN ISOLATION LEVEL \(mode)",
      PostgresSchema.settings(of: number, named: name, wait: connection.wait, isMover: isMover),
    ]
  }

  package func begin(writing: Bool) throws(StoreError) {
    try requireSameConnection()
    // Each statement after the lock sees all data committed before the lock was granted.
    connection.begin(
      writing
        ? opening("READ COMMITTED") + ["SELECT 1 FROM store FOR UPDATE"]
        : opening("REPEATABLE READ READ ONLY"))
    isInside = true
    guard writing, let limit else { return }
    do throws(StoreError) {
      sizeBefore = try size(notOver: limit, sizes.size(of: number, generation: generation))
    } catch {
      rollback()
      throw error
    }
  }

  /// Assigns the connection's open transaction to this household, which that transaction has made.
  func enter() throws(StoreError) {
    try connection.sendInside(PostgresSchema.settings(of: number, wait: connection.wait))
    isInside = true
  }

  package func commit() throws(StoreError) {
    let size = try sizeInLimit()
    try connection.commit()
    (isInside, sizeBefore) = (false, nil)
    if let size { sizes.note(size, of: number) }
  }

  package func rollback() {
    connection.rollback()
    (isInside, sizeBefore) = (false, nil)
  }

  // MARK: Statements

  func send(_ sql: String, _ values: PostgresValues.Packed) throws(StoreError) {
    try connection.sendInside(sql, values)
  }

  /// Sends a statement and waits for its answer.
  func answer(_ sql: String, _ values: PostgresValues.Packed) throws(StoreError) -> PostgresResult? {
    guard isInside else {
      try requireSameConnection()
      return try connection.runAlone(opening("READ COMMITTED"), sql, values)
    }
    try connection.sendInside(sql, values)
    return try connection.finish()
  }

  /// Sends a statement; its answer is checked later.
  func run(_ sql: String, _ values: PostgresValues.Packed) throws(StoreError) {
    lastChanges = nil
    if isInside {
      try connection.sendInside(sql, values)
    } else {
      try requireSameConnection()
      lastChanges = try connection.runAlone(opening("READ COMMITTED"), sql, values)?.changes ?? 0
    }
  }

  package var changes: Int {
    get throws(StoreError) {
      if let lastChanges { return lastChanges }
      let found = try connection.finish()?.changes ?? 0
      lastChanges = found
      return found
    }
  }

  func nextCursor() -> String {
    cursors += 1
    return "rows\(cursors)"
  }

  func close(_ cursor: String) {
    // Ignore errors: the end of the transaction, or an error in it, closes the cursor too.
    if isInside { try? connection.sendInside("CLOSE \(cursor)") }
  }

  /// Blocks further writes: transactions that wait for the lock of the household's row no longer find that
  /// row.
  package func fence() throws { try setFence(true) }
  package func unfence() throws { try setFence(false) }

  private func setFence(_ isFenced: Bool) throws {
    try transaction { try statement("UPDATE store SET fenced = \(isFenced)").run() }
  }

  // MARK: Limits

  /// The maximum size of a key in bytes: an entry of an index has at most 2,704 bytes, including its other
  /// columns and the header.
  ///
  /// PostgreSQL accepts longer entries if they can be compressed, which cannot be predicted.
  package var longestKey: Int? { Self.longestKey }
  package static let longestKey = 2_600

  package func limitWait(to wait: Duration) { connection.wait = wait }
  package func limitCache(toKiB size: Int) {}
  package func limitSize(toBytes size: Int64?) { limit = size }

  package func size() throws(StoreError) -> Int64 { try size(since: nil)?.bytes ?? 0 }

  /// The previously known size plus the rows added since then; nil if the household does not exist, or lacks
  /// the commit up to which the size is known.
  private func size(since known: HouseholdSizes.Size?) throws(StoreError) -> HouseholdSizes.Size? {
    try statement(
      """
      SELECT sequence, (
        SELECT coalesce(CAST(sum(length(key) + length(line)) AS BIGINT), 0) FROM changes WHERE sequence > ?1), (
        SELECT coalesce(CAST(sum(size) AS BIGINT), 0) FROM quarantine), (
        SELECT coalesce(CAST(sum(length(key)) AS BIGINT), 0) FROM seen) + (
        SELECT coalesce(CAST(sum(length(key) + length(line)) AS BIGINT), 0) FROM held), (
        SELECT coalesce(max(mark), 0) FROM commits WHERE sequence = store.sequence), (
        SELECT coalesce(max(mark), 0) FROM commits WHERE sequence = ?1) FROM store
      """
    ).bind(1, known?.sequence ?? -1).first { row -> HouseholdSizes.Size? in
      if let known, known.mark != row.integer(5) { return nil }
      return HouseholdSizes.Size(
        sequence: row.integer(0), mark: row.integer(4), changes: (known?.changes ?? 0) + row.integer(1),
        quarantined: row.integer(2), noted: row.integer(3))
    } ?? nil
  }

  /// The size; counted exactly if it is unknown or may exceed `limit`.
  private func size(
    notOver limit: Int64, _ known: HouseholdSizes.Size?
  ) throws(StoreError) -> HouseholdSizes.Size? {
    if let known, let size = try size(since: known), size.bytes <= limit {
      return size
    }
    return try size(since: nil)
  }

  /// The new size; throws `quotaReached` if the transaction makes a household above its limit larger.
  private func sizeInLimit() throws(StoreError) -> HouseholdSizes.Size? {
    guard let limit, let sizeBefore, let size = try size(notOver: limit, sizeBefore) else { return nil }
    if size.bytes > limit, size.bytes > sizeBefore.bytes { throw .quotaReached }
    return size
  }

  /// Does not check anything: a PostgreSQL server has its own tools, such as pg_amcheck.
  package func checkPages(_ report: (String) -> Void) {}
}
