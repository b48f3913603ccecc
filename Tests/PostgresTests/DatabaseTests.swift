import Foundation
import JSONLines
@testable import Postgres
@testable import Store
import SyncCore
import Synchronization
import SystemIO
import TestSupport
import Testing

/// The creation of tables, the order of commits, and servers that fail and recover.
@Suite(.enabled(if: PostgresCluster.isTried, "PostgreSQL is not installed")) struct DatabaseTests {
  @Test func statementsAreTranslated() {
    let text = PostgresText(
      "UPDATE q INDEXED BY byPeer SET a = ?1 WHERE b IS NOT ?2 AND c IS NOT NULL ON CONFLICT (peer, key) DO NOTHING"
    )
    #expect(
      text.sql
        == "UPDATE q SET a = $1 WHERE b IS DISTINCT FROM $2 AND c IS NOT NULL ON CONFLICT (store, peer, key) DO NOTHING"
    )
    #expect(text.values == 2 && !text.isQuery)
  }

  @Test func severalMakeTheTablesAtOnce() throws {
    let database = try TestDatabase()
    let calls = (0..<6).map { _ in BackgroundCall { try database.households().names() } }
    for call in calls {
      while call.outcome == nil { SystemClock.sleep(.milliseconds(5)) }
      #expect(try call.outcome?.get() == [])
    }
  }

  @Test func laterTablesAreRefused() throws {
    let database = try TestDatabase()
    _ = try database.households()
    _ = try database.connection().runAlone(
      ["BEGIN", PostgresSchema.settings(of: nil, wait: .seconds(1))],
      "INSERT INTO version (number) VALUES (99)",
      .init())
    #expect(throws: StoreError.newerSchema(found: 99, known: PostgresSchema.version)) {
      try database.households()
    }
  }

  /// A copy knows every column of both schemas.
  @Test func copiesHaveAllColumns() throws {
    let database = try TestDatabase()
    _ = try database.households()
    let found = try database.connection().runAlone(
      ["BEGIN", PostgresSchema.settings(of: nil, wait: .seconds(1))],
      "SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = 'peersync' "
        + "AND column_name NOT IN ('store', 'fenced') AND table_name NOT IN ('version', 'households', 'store')",
      .init())
    let columns = Set((0..<(found?.count ?? 0)).map { found?.text($0, 0) ?? "" })
    #expect(
      columns
        == Set(StoreCopy.tables.flatMap { table in table.columns.map { "\(table.name).\($0)".lowercased() } })
    )
    let file = try ChangeStore(inMemory: SystemRandomNumberGenerator())
    var inFile: Set<String> = []
    try file.database.statement(
      "SELECT m.name || '.' || c.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'"
    ).forEachRow { inFile.insert($0.text(0).lowercased()) }
    #expect(inFile.filter { !$0.hasPrefix("store.") && !$0.hasPrefix("sqlite_") } == columns)
  }

  /// A follower that continues from its token misses no changes of parallel writers.
  @Test func commitsAreInOrder() throws {
    let database = try TestDatabase()
    try database.add("home")
    let (writers, each) = (6, 40)
    let calls = (0..<writers).map { writer in
      BackgroundCall {
        let store = try database.households().store("home")
        for number in 0..<each { try store.put([TestDatabase.line(writer * 1_000 + number)]) }
      }
    }
    let store = try database.households().store("home")
    var (token, seen): (StoreToken?, Set<String>) = (nil, [])
    var isOver = false
    while !isOver {
      isOver = calls.allSatisfy { $0.outcome != nil }
      let (lines, next) = try store.told(after: token)
      seen.formUnion(lines)
      token = next
    }
    for call in calls { try call.outcome?.get() }
    #expect(seen.count == writers * each)
  }

  /// A transaction of one household does not wait for that of another.
  @Test func householdsAreSideBySide() throws {
    let database = try TestDatabase()
    try database.add("one", "two")
    let (one, two) = (try database.households().store("one"), try database.households().store("two"))
    let again = try database.households()
    again.connection.wait = .milliseconds(50)
    let other = try again.store("one")
    try one.write {
      try two.put([TestDatabase.line(1)])
      // Its own household is locked; a reader does not wait.
      #expect(throws: StoreError.busy) { try other.put([TestDatabase.line(2)]) }
      #expect(try other.told(after: nil).lines.isEmpty)
    }
  }

  /// As a server checks whether another one has stored something.
  @Test func sequencesAreOfWhoIsAskedFor() throws {
    let database = try TestDatabase()
    try database.add("one", "two", "three", "null")
    let households = try database.households()
    try households.store("two").put([TestDatabase.line(1)])
    let found = try households.sequences(of: ["one", "two", "none", "null"])
    #expect(found == ["one": 0, "two": 1, "null": 0])
    try households.rename("two", to: "two.moving", isFenced: true)
    #expect(try households.sequences(of: ["one", "two"]) == ["one": 0])
    #expect(try households.sequences(of: []) == [:])
  }

  /// The connection leaves a server that has become a standby.
  @Test func aStandbyIsNotAReadOnlyStore() {
    #expect(StoreError(state: "25006", message: "x") == .unavailable("x"))
    #expect(StoreError(state: "42501", message: "x") == .denied("x"))
  }

  @Test func aTransactionThatThrowsLeavesNothing() throws {
    struct Ending: Error {}
    let database = try TestDatabase()
    try database.add("home")
    let store = try database.households().store("home")
    try store.put([TestDatabase.line(1)])
    #expect(throws: Ending.self) {
      try store.write {
        _ = try store.addPush("p", "{}")
        throw Ending()
      }
    }
    #expect(try store.lastPushes(1).all == 0 && store.told(after: nil).lines.count == 1)
  }

  /// Longer than any entry of an index can be.
  @Test func longLinesAreKeptAside() throws {
    let database = try TestDatabase()
    try database.add("home")
    let store = try database.households().store("home")
    let line = Array(#"{"title":"\#((0..<20_000).map { _ in "\(Int.random(in: 0...9))" }.joined())"}"#.utf8)
    try store.write {
      let peer = try store.peer(seen: "phone", now: .epoch)
      var room = try store.quarantineRoom(of: peer, RecordShape())
      for _ in 0..<2 {
        _ = try store.quarantine(
          line.span, isCut: false, key: nil, reason: "noKey", until: nil, in: &room, now: .epoch)
      }
    }
    #expect(try store.quarantineCount() == 1)
  }

  /// A quota includes the quarantine, and what is noted beyond the size of all records.
  @Test func aQuotaCountsWhatIsKeptAside() throws {
    let database = try TestDatabase()
    try database.add("home")
    let store = try database.households().store("home")
    try store.put((0..<20).map { TestDatabase.line($0) })
    try store.limitSize(toBytes: 10_000)
    func note(_ count: Int) throws {
      try store.write {
        let peer = try store.peer(seen: "phone", now: .epoch)
        for number in 0..<count {
          let key = Array("key \(number) \(String(repeating: "x", count: 40))".utf8)
          try store.noteSeen(key.span, from: peer)
          try store.hold(key.span, key.span, from: peer)
        }
      }
    }
    #expect(throws: StoreError.quotaReached) { try note(200) }
    try note(20)
    let line = Array(#"{"title":"\#(String(repeating: "x", count: 20_000))"}"#.utf8)
    #expect(throws: StoreError.quotaReached) {
      try store.write {
        var room = try store.quarantineRoom(of: store.peer(seen: "phone", now: .epoch), RecordShape())
        _ = try store.quarantine(
          line.span, isCut: false, key: nil, reason: "noKey", until: nil, in: &room, now: .epoch)
      }
    }
    try store.put([TestDatabase.line(20)])
  }

  @Test func rowsComeAFewAtATime() throws {
    let database = try TestDatabase()
    try database.add("home")
    let store = try database.households().store("home")
    try store.put((0..<3_000).map { TestDatabase.line($0) })
    #expect(try store.told(after: nil).lines.count == 3_000)
    var token: StoreToken?
    var count = 0
    while true {
      let end = try store.changes(after: token, limits: .init(lines: 700)) { _ in count += 1 }
      token = end.token
      if !end.hasMore { break }
    }
    #expect(count == 3_000)
  }

  /// Acknowledged changes remain after the server was killed, and connections are restored.
  @Test func killedServersLoseNothing() throws {
    let cluster = try PostgresCluster(["fsync=on"])
    let database = try TestDatabase(in: cluster)
    try database.add("home")
    let acknowledged = Mutex(Set<Int>())
    let isOver = Atomic(false)
    let calls = (0..<3).map { writer in
      BackgroundCall {
        var (number, households): (Int, PostgresHouseholds?) = (0, nil)
        while !isOver.load(ordering: .relaxed) {
          number += 1
          let id = writer * 100_000 + number
          do {
            let open = try households ?? database.households()
            households = open
            try open.store("home").put([TestDatabase.line(id)])
            acknowledged.withLock { _ = $0.insert(id) }
          } catch StoreError.unavailable {
            SystemClock.sleep(.milliseconds(10))
          }
        }
      }
    }
    for _ in 0..<(Tries.isSoak ? 50 : 3) {
      // Each time at least one change must be there to lose.
      let before = acknowledged.withLock { $0.count }
      while acknowledged.withLock({ $0.count }) == before, calls.contains(where: { $0.outcome == nil }) {
        SystemClock.sleep(.milliseconds(5))
      }
      SystemClock.sleep(.milliseconds(Int.random(in: 50...400)))
      try cluster.control("stop", "-m", "immediate")
      try cluster.control("start")
    }
    isOver.store(true, ordering: .relaxed)
    for call in calls {
      while call.outcome == nil { SystemClock.sleep(.milliseconds(5)) }
      try call.outcome?.get()
    }
    let store = try database.households().store("home")
    let lines = try Set(store.told(after: nil).lines)
    let lost = acknowledged.withLock { $0 }.filter { !lines.contains(TestDatabase.line($0)) }
    #expect(lost.isEmpty && acknowledged.withLock { $0.count } >= 3)
    var faults: [String] = []
    try store.verify(RecordShape()) { faults.append($0) }
    #expect(faults == [])
  }

  // MARK: URLs

  @Test func urlsHaveNoSecrets() throws {
    #expect(throws: Diagnostic.self) { try PostgresAddress("postgresql://ann:secret@db.example/x") }
    #expect(throws: Diagnostic.self) { try PostgresAddress("postgresql://db.example/x?password=secret") }
    #expect(throws: Diagnostic.self) { try PostgresAddress("postgresql://db.example/x?nonsense=1") }
    #expect(try PostgresAddress("postgresql://db.example/x").text == "postgresql://db.example/x")
  }

  /// No server can show a certificate here.
  @Test func otherMachinesHaveToShowACertificate() throws {
    #expect(try PostgresAddress("postgresql://db.example/x").encryption == "verify-full")
    #expect(try PostgresAddress("postgresql://db.example/x?sslmode=require").encryption == "require")
    #expect(try PostgresAddress("postgresql://localhost/x").encryption == nil)
    #expect(try PostgresAddress("postgresql://db.example,localhost/x").encryption == "verify-full")
    #expect(try PostgresAddress("postgresql:///x?host=/run/postgresql").encryption == nil)
    #expect(try PostgresAddress("postgresql://localhost/x?hostaddr=10.9.9.9").encryption == "verify-full")
    #expect(try PostgresAddress("postgresql://db.example/x?hostaddr=127.0.0.1").encryption == nil)
    #expect(try PostgresAddress("postgresql://db.example/x?hostaddr=").encryption == "verify-full")
    #expect(try PostgresAddress("postgresql://127.db.example/x").encryption == "verify-full")
    #expect(try PostgresAddress("postgresql://db.example/x?sslmode=").encryption == "verify-full")
    #expect(throws: Diagnostic.self) { try PostgresAddress("postgresql://db.example/x?requires%73l=0") }
  }

  /// Each of these has a part of a password.
  @Test(arguments: [
    "postgresql://ann:SEK%ZZRET@db/x", "postgresql://ann:SEK/RET@db/x", "postgresql://ann:5/SEK@db/x",
    "postgresql://ann:SEKRET@db/x", "postgresql://ann:SEK@RET@db/x", "postgresql://ann:SEK?RET@db/x",
    "postgresql://db/x?password=SEK&%ZZ", "postgresql://ann:SEK#RET@db/x", "postgresql://ann:[SEK@db/x",
  ])
  func passwordsAreNotPrinted(_ url: String) throws {
    let error = #expect(throws: Diagnostic.self) { try PostgresAddress(url) }
    #expect(error.map { !"\($0.text) \($0.hint ?? "")".contains("SEK") } ?? false, "\(error?.text ?? "")")
    #expect(error.map { !$0.text.contains("RET") } ?? false)
  }
}
