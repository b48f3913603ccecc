package import SyncCore
import SystemIO

/// The newest change of every key, its sender, and the order in which the changes arrived.
///
/// A store is in a database, and is confined to one thread. Every change has its own sequence, higher than
/// all earlier sequences; replacing a change drops its sequence. All writes run inside `write`, which is one
/// transaction. A transaction is stored completely or rolled back, even if the process is killed.
package final class ChangeStore {
  package let path: String
  package let id: StoreToken.StoreID
  /// Whether an earlier version wrote the store, so that it is read-only.
  package let isOlder: Bool
  let database: any SQLDatabase
  /// The state of the current transaction, or of the last one.
  package internal(set) var state = State()
  /// A time in seconds since 1970 that is not before any clock that the current transaction has stored.
  var latestClock = Int64.min
  /// The clock of this device, in seconds since 1970, for the arrival times of changes.
  package var time: () -> Int64 = { SystemClock.wallTime().seconds }
  /// The time to keep changes that lost a conflict; nil drops them at once.
  package var conflictAge: Duration? = Conflicts.defaultAge
  /// Whether the current transaction has kept changes that lost a conflict.
  var hasNewConflicts = false
  /// The rules that were read last, as text and parsed, because each page of a session needs them.
  var lastRules: (text: [UInt8], shape: RecordShape)?
  /// The source of the store's id and of the marks of commits.
  private var random: any RandomNumberGenerator

  /// The values that exist once in a store; two stores with different contents practically never have the
  /// same values.
  package struct State: Equatable, Sendable {
    /// The highest sequence given to a change.
    var sequence: Int64 = 0
    /// The highest sequence of a tombstone that has been removed.
    var compacted: Int64 = 0
    var live = 0
    var tombstones = 0
    /// The mark of the last commit; it differs if a database has lost its last commits and received others.
    package var mark: Int64 = 0
    /// The highest number given to a line in quarantine; nil in a transaction that has not needed it yet.
    var quarantined: Int64?
  }

  /// Opens a store, or makes it with `creating`; `wait` is the longest wait for a lock.
  ///
  /// A store that is `onlyRead` is opened even if the disk is full; then no other process can use it
  /// meanwhile. With `takingOlder`, it is only read and may have been written by an earlier version.
  package convenience init(
    _ path: String, creating: Bool, wait: Duration, onlyRead: Bool = false, takingOlder: Bool = false,
    random: any RandomNumberGenerator = SystemRandomNumberGenerator()
  ) throws {
    guard FileMode.isFile(path) else {
      let reason = "a store must be a file with a name"
      throw creating ? StoreError.cannotOpen(reason) : .notReadable(reason)
    }
    // Check before and after opening, because a move may begin in between.
    try Self.requireNotMoving(path)
    if creating { try Database.create(path) }
    try Self.requireNotMoving(path)
    try Database.require(path)
    let database = try Self.opened(path, creating: creating, onlyRead: onlyRead || takingOlder, wait)
    var random = random
    var isOlder = false
    do {
      try Self.prepare(database, creating: creating, &random)
    } catch StoreError.olderSchema where takingOlder {
      isOlder = true
    }
    try self.init(path, on: database, isOlder: isOlder, random)
  }

  private static func opened(
    _ path: String, creating: Bool, onlyRead: Bool, _ wait: Duration
  ) throws(StoreError) -> Database {
    do throws(StoreError) {
      return try onlyRead ? Database.forReading(path, wait: wait) : Database(path, wait: wait)
    } catch {
      guard case .cannotOpen(let reason) = error, !creating else { throw error }
      throw .notReadable(reason)
    }
  }

  /// A new store in memory, without a file.
  package convenience init(inMemory random: any RandomNumberGenerator) throws {
    let database = try Database(Database.inMemory, wait: .zero)
    var random = random
    try Self.prepare(database, creating: true, &random)
    try self.init(Database.nameInMemory, on: database, random)
  }

  /// A store in memory that begins as a copy of another store, with its `bytes`.
  package convenience init(restoring bytes: [UInt8], random: any RandomNumberGenerator) throws {
    let database = try Database(inMemory: bytes)
    var random = random
    try Self.prepare(database, creating: false, &random)
    try self.init(Database.nameInMemory, on: database, random)
  }

  /// A store whose tables exist; `path` is its name for people.
  package init(
    _ path: String, on database: any SQLDatabase, isOlder: Bool = false,
    _ random: any RandomNumberGenerator = SystemRandomNumberGenerator()
  ) throws {
    (self.path, self.database, self.random, self.isOlder) = (path, database, random, isOlder)
    guard let id = try database.statement("SELECT id FROM store").first({ $0.bytes(0) }) else {
      // The household may have been removed from the database, or moved.
      throw database is Database ? StoreError.corrupt("the table 'store' is empty") : .missing
    }
    self.id = id
    try load()
  }

  private static func prepare(
    _ database: Database, creating: Bool, _ random: inout any RandomNumberGenerator
  ) throws {
    if try database.version(of: Schema.applicationID, known: Schema.version) == 0 {
      // The store does not exist yet, or its maker was killed halfway; then a writer completes it.
      guard creating else { throw StoreError.missing }
      // Rows of a few hundred bytes are also stored in the inner pages of the tree, where larger pages help.
      try database.run("PRAGMA page_size = 8192; PRAGMA journal_mode = WAL")
    }
    // With FULL, written data survives a loss of power.
    try database.run(
      "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cell_size_check = ON; PRAGMA cache_size = -65536"
    )
    try Schema.prepare(database, &random)
  }

  /// The id for peers, in the form of a UUID.
  package private(set) lazy var publicID = UUIDText(random: Array(id)).description

  // MARK: Transactions

  /// Runs a body and stores its changes as one commit; if it throws, they are rolled back.
  package func write<Value>(_ body: () throws -> Value) throws -> Value {
    try database.transaction {
      try load()
      let before = state
      latestClock = .min
      hasNewConflicts = false
      do {
        let value = try body()
        if hasNewConflicts { try trimConflicts() }
        if state != before { try save(since: before) }
        return value
      } catch {
        state = before
        throw error
      }
    }
  }

  /// Works like ``write(_:)``; with `isDryRun` the changes are rolled back.
  package func write<Value>(isDryRun: Bool, _ body: () throws -> Value) throws -> Value {
    guard isDryRun else { return try write(body) }
    var found: Value?
    do {
      return try write {
        found = try body()
        throw TrialEnd()
      }
    } catch let end as TrialEnd {
      guard let found else { throw end }
      return found
    }
  }

  private struct TrialEnd: Error {}

  /// Runs a body that sees one consistent state of the store.
  package func read<Value>(_ body: () throws -> Value) throws -> Value {
    try database.transaction(writing: false) {
      try load()
      return try body()
    }
  }

  private func load() throws {
    try checkSchema()
    let row = try database.statement(
      "SELECT sequence, compacted, live, tombstones, "
        + "coalesce((SELECT mark FROM commits ORDER BY sequence DESC LIMIT 1), 0) FROM store")
    let found = try row.first { row in
      State(
        sequence: row.integer(0), compacted: row.integer(1), live: Int(row.integer(2)),
        tombstones: Int(row.integer(3)), mark: row.integer(4))
    }
    guard let found else { throw StoreError.missing }
    let numbers = [found.sequence, found.compacted, Int64(found.live), Int64(found.tombstones)]
    guard numbers.allSatisfy((0...Self.largestNumber).contains) else {
      throw StoreError.corrupt("an impossible number in the table 'store'")
    }
    state = found
  }

  /// Throws `newerSchema` if a later version has converted the store since it was opened.
  private func checkSchema() throws(StoreError) {
    guard let database = database as? Database else { return }
    let found = Int(try database.integer("PRAGMA user_version") ?? 0)
    if found > Schema.version { throw .newerSchema(found: found, known: Schema.version) }
  }

  /// The largest accepted number: larger than any real count, and small enough not to overflow.
  private static let largestNumber: Int64 = 1 << 53

  private func save(since before: State) throws {
    try database.statement("UPDATE store SET sequence = ?1, compacted = ?2, live = ?3, tombstones = ?4")
      .bind(1, state.sequence).bind(2, state.compacted).bind(3, Int64(state.live))
      .bind(4, Int64(state.tombstones)).run()
    if let number = state.quarantined {
      try database.statement("UPDATE store SET quarantined = ?1").bind(1, number).run()
    }
    guard state.sequence > before.sequence else { return }
    state.mark = Int64(bitPattern: random.next())
    try database.statement("INSERT INTO commits (sequence, mark, latest, at) VALUES (?1, ?2, ?3, ?4)")
      .bind(1, state.sequence).bind(2, state.mark)
      .bind(3, latestClock == .min ? nil : latestClock).bind(4, time()).run()
  }

  /// 64 random bits; two marks are practically never equal.
  func nextMark() -> UInt64 { random.next() }

  /// The next number of a line in quarantine.
  ///
  /// It is stored at the end of the transaction: PostgreSQL keeps every version of an updated row until then, and
  /// reads them all for the next update.
  func nextQuarantineNumber() throws(StoreError) -> Int64 {
    if state.quarantined == nil {
      state.quarantined = try database.integer("SELECT quarantined FROM store")
    }
    let number = (state.quarantined ?? 0) + 1
    state.quarantined = number
    return number
  }

  /// The next sequence; readers see it only after the transaction has ended.
  func nextSequence() -> Int64 {
    state.sequence += 1
    return state.sequence
  }
}
