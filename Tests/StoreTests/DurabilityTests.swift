import CSQLite
import Foundation
@testable import Store
import SyncCore
import Synchronization
import SystemIO
import Testing

/// Transactions, several processes, damage, versions of the schema.
@Suite struct DurabilityTests {
  private let store: TestStore
  init() throws { store = try TestStore() }

  @Test func oneTransactionAnApply() throws {
    struct Interrupted: Error {}
    try store.put(TestStore.line(1, "a", 1))
    let token = try store.token
    #expect(throws: Interrupted.self) {
      try store.store.write {
        try store.take([TestStore.line(2, "b", 1)], from: "p")
        throw Interrupted()
      }
    }
    #expect(try store.lines == [TestStore.line(1, "a", 1)])
    #expect(try store.token == token)
    #expect(try store.store.peers() == [])
    #expect(try faults() == [])
  }

  /// Writers and a reader that follows them, each with its own connection.
  @Test func aReadersCursorNeverPassesARowThatBecomesVisibleLater() throws {
    let (path, shape, now) = (store.path, store.shape, store.now)
    let writers = 4, each = 50
    let running = Mutex(writers)
    let failures = Mutex<[String]>([])
    let threads = (0..<writers).map { writer in
      Thread {
        do {
          let store = try ChangeStore(path, creating: false, wait: .seconds(60))
          for number in 0..<each {
            let id = writer * each + number
            let line = Array("{\"id\":\(id)}".utf8)
            var (key, reader) = ([UInt8](), LineReader(shape))
            let change = try reader.read(line.span, key: &key)
            try store.write {
              var intake = try LocalIntake(store, shape, now: now)
              _ = try intake.put(key.span, line.span, change)
            }
          }
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
        running.withLock { $0 -= 1 }
      }
    }
    for thread in threads { thread.start() }
    var (token, seen, isLast) = (StoreToken?.none, Set<String>(), false)
    while !isLast {
      isLast = running.withLock { $0 == 0 }
      let (lines, end) = try store.since(token, limits: .init(lines: 7))
      seen.formUnion(lines)
      token = end.token
      if end.hasMore { isLast = false }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(seen.count == writers * each)
  }

  @Test func theLogIsWrittenAheadAndSynced() throws {
    let database = store.store.database
    #expect(try database.statement("PRAGMA journal_mode").first { $0.text(0) } == "wal")
    #expect(try database.integer("PRAGMA synchronous") == 2)
  }

  @Test func aWriterThatHoldsTheLockIsBusy() throws {
    let other = try ChangeStore(store.path, creating: false, wait: .milliseconds(10))
    try store.store.write {
      #expect(throws: StoreError.busy) { try other.write {} }
      return
    }
  }

  /// Two processes that learn types do not store them at the same time.
  @Test func typesAreLearntWhileTheStoreIsLocked() throws {
    let other = try ChangeStore(store.path, creating: false, wait: .milliseconds(10))
    var peer = PeerStore(store.store, RecordShape(), maximumDrift: nil) { [store] in store.now }
    var count = 0
    peer.learning = { _ in
      count += 1
      #expect(throws: StoreError.busy) { try other.write {} }
    }
    var page = ReceivedPage(lines: [], token: [9])
    page.equality = .packed(WireTypes())
    _ = try peer.apply(page, fromPeer: "phone")
    #expect(count == 1)
  }

  @Test func aFullDiskIsFullAndChangesNothing() throws {
    try store.put(TestStore.line(1, "a", 1))
    let pages = try #require(try store.store.database.integer("PRAGMA page_count"))
    try store.store.database.run("PRAGMA max_page_count = \(pages)")
    let long = TestStore.line(2, String(repeating: "x", count: 100_000), 1)
    #expect(throws: StoreError.full) { try store.put(long) }
    #expect(try store.lines == [TestStore.line(1, "a", 1)])
    #expect(try faults() == [])
  }

  @Test func aConnectionThatMayOnlyReadIsReadOnly() throws {
    let database = try Database(store.path, readOnly: true, wait: .zero)
    #expect(throws: StoreError.readOnly) { try database.run("DELETE FROM changes") }
  }

  @Test func aMissingFileIsMissing() throws {
    #expect(throws: StoreError.missing) {
      try ChangeStore(store.folder.appending(path: "none").path, creating: false, wait: .zero)
    }
  }

  @Test func anotherDatabaseAndAnotherFileAreNoStores() throws {
    let path = store.folder.appending(path: "other").path
    try Data("no database, but long enough to look at: \(String(repeating: "x", count: 200))".utf8)
      .write(to: URL(filePath: path))
    #expect(throws: StoreError.notAStore) { try ChangeStore(path, creating: true, wait: .zero) }
    try Data().write(to: URL(filePath: path))
    try Database(path, wait: .zero).run("CREATE TABLE t (x)")
    #expect(throws: StoreError.notAStore) { try ChangeStore(path, creating: true, wait: .zero) }
  }

  @Test func aLaterSchemaIsRefused() throws {
    try store.store.database.run("PRAGMA user_version = 99")
    #expect(throws: StoreError.newerSchema(found: 99, known: Schema.version)) { try store.opened() }
  }

  /// A process of the earlier version may have the store open while a later version converts it.
  @Test func aStoreThatALaterVersionConvertsMeanwhileIsRefused() throws {
    let other = try Database(store.store.path, wait: .zero)
    try store.put(TestStore.line(1, "a", 1))
    try other.run("PRAGMA user_version = 99")
    #expect(throws: StoreError.newerSchema(found: 99, known: Schema.version)) {
      try store.put(TestStore.line(2, "a", 1))
    }
    #expect(throws: StoreError.newerSchema(found: 99, known: Schema.version)) { try store.store.read {} }
  }

  @Test func resultCodesHaveNames() {
    let names: [(Int32, StoreError)] = [
      (SQLITE_BUSY, .busy), (SQLITE_BUSY | 2 << 8, .busy), (SQLITE_FULL, .full), (SQLITE_READONLY, .readOnly),
      (SQLITE_CORRUPT, .corrupt("m")), (SQLITE_NOTADB, .notAStore), (SQLITE_CANTOPEN, .cannotOpen("m")),
      (SQLITE_IOERR | 3 << 8, .inputOutput("m")), (SQLITE_TOOBIG, .tooLarge),
      (SQLITE_MISUSE, .other(code: 21, message: "m")),
    ]
    for (code, error) in names { #expect(StoreError(code: code, message: "m") == error) }
  }

  @Test func errnoTellsAFullDiskWhereSQLiteSaysNoMore() {
    let named = { (code: CInt, errno: CInt) in
      StoreError(code: code, message: "m", cause: SystemError(.write, "", code: errno))
    }
    #expect(named(SQLITE_IOERR | 19 << 8, ENOSPC) == .full)
    #expect(named(SQLITE_CANTOPEN, ENOSPC) == .full)
    #expect(named(SQLITE_CANTOPEN, EROFS) == .readOnly)
    #expect(named(SQLITE_IOERR, 0) == .inputOutput("m"))
    #expect(named(SQLITE_IOERR, EIO) != .inputOutput("m"))
  }

  // MARK: Schema

  /// The file can be read, so that its content can be put into a new one.
  @Test(arguments: 1..<Schema.first)
  func aStoreOfAnOlderVersionIsOnlyRead(version: Int) throws {
    try store.put(TestStore.line(1, "a", 1))
    try store.store.database.run("ALTER TABLE store DROP COLUMN rules; PRAGMA user_version = \(version)")
    for creating in [false, true] {
      #expect(throws: StoreError.olderSchema(found: version)) {
        try ChangeStore(store.path, creating: creating, wait: .zero)
      }
    }
    let older = try TestStore(ChangeStore(store.path, creating: false, wait: .zero, takingOlder: true))
    #expect(older.store.isOlder)
    #expect(try older.lines == [TestStore.line(1, "a", 1)])
  }

  /// A step that does not exist yet, like a step of a later version.
  private static let nextStep = "ALTER TABLE peers ADD COLUMN name TEXT"

  private func migrate(_ path: String, _ steps: [String]) throws {
    var random: any RandomNumberGenerator = SystemRandomNumberGenerator()
    try Schema.prepare(Database(path, wait: .zero), steps: steps, &random)
  }

  @Test func aStepIsTakenOnceAndKeepsWhatIsThere() throws {
    try store.put(TestStore.line(1, "a", 1))
    let (id, token, path) = (store.store.id, try store.token, store.path)
    for _ in 0..<2 { try migrate(path, Schema.steps + [Self.nextStep]) }
    let database = try Database(path, wait: .zero)
    #expect(try database.integer("PRAGMA user_version") == Int64(Schema.version + 1))
    #expect(try database.statement("SELECT id FROM store").first { $0.bytes(0) } == id)
    try database.run("UPDATE peers SET name = NULL; PRAGMA user_version = \(Schema.version)")
    #expect(try store.opened().currentToken() == token)
  }

  @Test func aStepThatFailsLeavesTheStoreAsItWas() throws {
    try store.put(TestStore.line(1, "a", 1))
    #expect(throws: StoreError.self) {
      try migrate(store.path, Schema.steps + [Self.nextStep, "ALTER TABLE nowhere ADD COLUMN x"])
    }
    #expect(try store.opened().database.integer("PRAGMA user_version") == Int64(Schema.version))
    try store.store.database.run("INSERT INTO peers (id, seenAt) VALUES ('p', '')")
    #expect(try store.lines == [TestStore.line(1, "a", 1)])
  }

  /// Existing stores were made with these exact statements.
  @Test func aStepThatWasReleasedIsNeverChanged() {
    let checksums = Schema.steps.map { step in
      var checksum = CRC32()
      let text = Array(step.utf8)
      checksum.add(text.span)
      return checksum.value
    }
    #expect(
      checksums == [
        0xB3EA_58B4, 0xF8FE_0635, 0x55B6_3525, 0xE757_5E73, 0xB0FC_4C4A, 0x5427_4B8E, 0xAF6D_1FC6,
        0x2DEB_DFAF, 0x1283_7446, 0x222C_FCD6, 0xC413_8060, 0x3354_A98B, 0x5F56_427A, 0x715C_5A90,
      ])
  }

  private func schema(of store: ChangeStore) throws -> [String] {
    var parts: [String] = []
    try store.database.statement("SELECT sql FROM sqlite_schema ORDER BY name").forEachRow {
      parts.append($0.text(0))
    }
    return parts
  }

  // MARK: Verify

  private func faults() throws -> [String] {
    var faults: [String] = []
    try store.store.verify(store.shape) { faults.append($0) }
    return faults
  }

  @Test(arguments: [
    "UPDATE changes SET line = replace(line, 'title', 'tutle')", "UPDATE changes SET sequence = 99",
    "UPDATE changes SET tombstone = 1", "UPDATE store SET live = 2", "UPDATE store SET tombstones = 1",
    "DELETE FROM commits", "UPDATE store SET sequence = 0",
    "UPDATE changes SET key = CAST(replace(key, '1', '2') AS BLOB)", "UPDATE quarantine SET line = 'x'",
  ])
  func verifyFindsWhatIsWrong(damage: String) throws {
    try store.put(TestStore.line(1, "a", 1))
    try store.store.write {
      let peer = try store.store.peer(seen: "phone", now: store.now)
      let line: [UInt8] = [1]
      try store.store.quarantine(line.span, key: nil, reason: "noKey", from: peer, now: store.now)
    }
    #expect(try faults() == [])
    try store.store.database.run(damage)
    #expect(try faults() != [])
  }

  /// `cksum`, zlib and this agree on "123456789" (the check value of CRC-32).
  @Test func theChecksumIsThatOfZlib() {
    var checksum = CRC32()
    checksum.add(Array("123456789".utf8).span)
    #expect(checksum.value == 0xCBF4_3926)
    var parts = CRC32()
    parts.add(Array("1234567".utf8).span)
    parts.add(Array("89".utf8).span)
    #expect(parts.value == 0xCBF4_3926)
  }
}
