import Bindings
import Foundation
import JSONLines
import Store
import SyncCore
import TestSupport
import Testing

/// What is written to the table of an app.
@Suite struct BoundTableTests {
  private let folder: TemporaryFolder
  private let store: ChangeStore
  private let app: Database
  private let now = Instant("2025-06-01T00:00:00Z")!
  private let bounds: WriteBounds

  init() throws {
    folder = try TemporaryFolder()
    store = try ChangeStore(folder.path("store.db"), creating: true, wait: .zero)
    let path = try folder.write("", to: "app.db")
    app = try Database(path, wait: .zero)
    try app.run("CREATE TABLE t (id INTEGER PRIMARY KEY, done INTEGER)")
    bounds = Self.bounds(at: now)
    let binding = Binding(entity: "t", source: path, table: "t")
    try store.write { try store.bind(binding) }
  }

  private static func bounds(at now: Instant) -> WriteBounds {
    WriteBounds(now: now, drift: DriftGuard(now: now, maximum: DriftGuard.default), maxDelete: .off)
  }

  private func exchange() throws -> BindingExchange {
    try BindingExchange(store.bindings()[0], wait: .zero)
  }

  /// Stores a change, and returns its key.
  @discardableResult private func put(_ text: String) throws -> [UInt8] {
    let bytes = Array(text.utf8)
    var (key, reader) = ([UInt8](), LineReader(RecordShape()))
    let change = try reader.read(bytes.span, key: &key)
    let ruled = try RuledStore(store, RuleChoice(RecordShape(), hasProfile: false, entityName: nil))
    _ = try ruled.put(bounds) { take in try take(key.span, bytes.span, change) }
    return key
  }

  /// A run may end after the commit of the table, and before that of the store.
  @Test(arguments: ["", "UPDATE t SET done = 5", "UPDATE t SET note = 'mine'"])
  func aChangeOfAnInterruptedRunIsNoEdit(edit: String) throws {
    try app.run("ALTER TABLE t ADD COLUMN note TEXT")
    _ = try exchange().record(in: store, bounds)
    let key = try put(
      #"{"entityName":"t","identity":{"id":1},"modifiedAt":"2025-05-01T00:00:00Z","#
        + #""fields":{"id":1,"done":"00712","extra":"kept"}}"#)
    let stored = try store.line(of: key.span)?.line
    try app.run("INSERT INTO t (id, done) VALUES (1, '00712'); \(edit)")
    let counts = try exchange().record(in: store, bounds).intake.counts
    #expect(counts.stored == (edit.isEmpty ? 0 : 1))
    if edit.isEmpty {
      #expect(try store.line(of: key.span)?.line == stored)
      #expect(try store.bindings()[0].hidden == ["extra"])
      #expect(try store.read { try store.arrivals(for: store.bindings()[0]).arrivals }.isEmpty)
      // Now an edit keeps what the table cannot have.
      try app.run("UPDATE t SET note = 'mine'")
      _ = try exchange().record(in: store, bounds)
      let line = try #require(try store.line(of: key.span)?.line)
      let fields = try JSONValue(parsing: line.span)["fields"]
      #expect(["done", "extra", "note"].map { fields?[$0] } == ["00712", "kept", "mine"])
    }
  }

  /// Otherwise the next run would record the written row, whose `done` is 1 instead of true, as an edit.
  @Test func nothingIsWrittenWhileTheStoreIsBusy() throws {
    let first = try exchange()
    _ = try first.record(in: store, bounds)
    try put(
      #"{"entityName":"t","identity":{"id":1},"modifiedAt":"2025-05-01T00:00:00Z","#
        + #""fields":{"id":1,"done":true}}"#)
    let other = try Database(folder.path("store.db"), wait: .zero)
    try other.begin(writing: true)
    #expect(throws: StoreError.self) { try first.deliver(from: store, bounds) }
    other.rollback()
    #expect(try app.integer("SELECT count(*) FROM t") == 0)
    #expect(try exchange().record(in: store, bounds).intake.counts.stored == 0)
    #expect(try exchange().deliver(from: store, bounds).written == 1)
    #expect(try app.integer("SELECT done FROM t") == 1)
    #expect(try exchange().record(in: store, bounds).intake.counts.stored == 0)
  }

  /// Row `b` is edited before the next run has corrected its clock.
  @Test func correctedClocksAreWritten() throws {
    try app.run(
      "CREATE TABLE u (code TEXT PRIMARY KEY, n INTEGER, updated_at TEXT); INSERT INTO u VALUES "
        + "('a', 1, '2025-06-01T02:00:00Z'), ('b', 1, '2025-06-01T02:00:00Z')")
    let source = try store.bindings()[0].source
    try store.write { try store.bind(Binding(entity: "u", source: source, table: "u")) }
    func exchange() throws -> BindingExchange { try BindingExchange(store.bindings()[1], wait: .zero) }
    let ahead = Self.bounds(at: now.advanced(by: .seconds(7200)))
    #expect(try exchange().record(in: store, ahead).intake.counts.stored == 2)
    try store.write { try store.reclock(store.changes(ahead: now), to: now) }
    try app.run("UPDATE u SET n = 2, updated_at = '2025-06-01T00:00:01Z' WHERE code = 'b'")
    #expect(try exchange().record(in: store, bounds).intake.counts.stored == 1)
    #expect(try exchange().deliver(from: store, bounds).written == 1)
    #expect(
      try app.integer(
        "SELECT count(*) FROM u WHERE updated_at = '2025-06-01T00:00:0' || (n - 1) || 'Z'") == 2)
    #expect(try exchange().record(in: store, bounds).intake.counts.stored == 0)
  }

  /// An app may add rows to two tables in one transaction, after only one of the tables has been read.
  @Test func tablesThatShareAConnectionAreReadInOneState() throws {
    try app.run("PRAGMA journal_mode = WAL; CREATE TABLE u (id INTEGER PRIMARY KEY)")
    let bindings = ["t", "u"].map { Binding(entity: $0, source: folder.path("app.db"), table: $0) }
    try store.write { try store.bind(bindings[1]) }
    func record(_ binding: Binding, sharing other: BindingExchange?) throws -> Int {
      let exchange = try BindingExchange(binding, sharing: other, wait: .zero)
      return try exchange.record(in: store, bounds).intake.counts.stored
    }
    let held = try BindingExchange(bindings[0], wait: .zero)
    try held.holdState()
    #expect(try record(bindings[0], sharing: held) == 0)
    try app.run("BEGIN; INSERT INTO t VALUES (1, 0); INSERT INTO u VALUES (1); COMMIT")
    #expect(try record(bindings[1], sharing: held) == 0)
    for binding in bindings { #expect(try record(binding, sharing: nil) == 1) }
  }

  /// Otherwise a cascade could delete rows of the other table on all devices.
  @Test func tablesAreOfOneDatabaseByAnyPath() throws {
    try app.run(
      "CREATE TABLE p (id TEXT PRIMARY KEY); CREATE TABLE c (id TEXT PRIMARY KEY, p TEXT REFERENCES p "
        + "ON DELETE CASCADE); INSERT INTO p VALUES ('p1'); INSERT INTO c VALUES ('c1', 'p1')")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link.db"), withDestinationPath: folder.path("app.db"))
    let bindings = [
      Binding(entity: "p", source: folder.path("app.db"), table: "p"),
      Binding(entity: "c", source: folder.path("link.db"), table: "c"),
    ]
    for binding in bindings {
      try store.write { try store.bind(binding) }
      _ = try BindingExchange(binding, wait: .zero).record(in: store, bounds)
    }
    try put(#"{"entityName":"p","identity":{"id":"p1"},"deletedAt":"2025-06-01T00:00:01Z"}"#)
    let exchange = try BindingExchange(bindings[0], besides: bindings, wait: .zero)
    #expect(try exchange.deliver(from: store, bounds).refused.count == 1)
    #expect(try app.integer("SELECT count(*) FROM c") == 1)
  }

  /// A run that must ask about other tables first does not store a deletion.
  @Test func deletionsAreFoundBeforeTheyAreStored() throws {
    try app.run("INSERT INTO t VALUES (1, 0), (2, 0)")
    #expect(try exchange().record(in: store, bounds, keepsAll: true).intake.counts.stored == 2)
    try app.run("DELETE FROM t WHERE id = 2")
    #expect(throws: BindingExchange.FoundDeletions.self) {
      try exchange().record(in: store, bounds, keepsAll: true)
    }
    #expect(try exchange().record(in: store, bounds).intake.counts.deletions == 1)
  }

  /// A row that is deleted while a run waits for the app is deleted when the run has read that.
  @Test func deletionIsMadeWhenItIsFound() throws {
    var time = now
    func later() -> WriteBounds {
      time = time.advanced(by: .seconds(1))
      return Self.bounds(at: time)
    }
    for day in 1...2 {
      let key = try put(
        #"{"entityName":"t","identity":{"id":1},"modifiedAt":"2025-05-0\#(day)T00:00:00Z","#
          + #""fields":{"id":1,"done":\#(day)}}"#)
      if day == 2 { try app.run("DELETE FROM t") }
      _ = try exchange().deliver(from: store, later())
      let line = try store.read { try store.revisedLine(of: key.span)?.line } ?? []
      let change = #"{"entityName":"t","identity":{"id":1},"deletedAt":"\#(time)"}"#
      #expect((String(decoding: line, as: UTF8.self) == change) == (day == 2))
    }
    #expect(time > now.advanced(by: .seconds(2)))
  }

  /// An older copy of a table, or an edit of a file with an earlier clock, comes after the source was read.
  @Test(arguments: [true, false]) func earlierClocksAreCountedBeforeChangesAreWritten(isTable: Bool) throws {
    let record = #"{"id":"a","n":2,"updatedAt":"2025-05-02T00:00:00Z"}"#
    var binding = Binding(entity: "u", source: try folder.write(record + "\n", to: "u.jsonl"))
    if isTable {
      try app.run(
        "CREATE TABLE u (id TEXT PRIMARY KEY, n INTEGER, updatedAt TEXT);"
          + "INSERT INTO u VALUES ('a', 2, '2025-05-02T00:00:00Z')")
      binding = Binding(entity: "u", source: folder.path("app.db"), table: "u")
    }
    try store.write { try store.bind(binding) }
    func exchange() throws -> BindingExchange {
      try BindingExchange(store.bindings().filter { $0.entity == "u" }[0], wait: .zero)
    }
    #expect(try exchange().record(in: store, bounds).intake.counts.stored == 1)
    try put(
      #"{"entityName":"u","identity":{"id":"b"},"modifiedAt":"2025-05-03T00:00:00Z","#
        + #""fields":{"id":"b","n":1,"updatedAt":"2025-05-03T00:00:00Z"}}"#)
    if isTable {
      try app.run("UPDATE u SET n = 1, updatedAt = '2025-05-01T00:00:00Z'")
    } else {
      try folder.write(#"{"id":"a","n":1,"updatedAt":"2025-05-01T00:00:00Z"}"# + "\n", to: "u.jsonl")
    }
    let outcome = try exchange().deliver(from: store, bounds)
    #expect(outcome.outdated == (isTable ? 1 : 0))
    #expect(outcome.setBack == (isTable ? 0 : 1))
    if isTable { #expect(try app.integer("SELECT count(*) FROM u WHERE id = 'b' OR n = 2") == 2) }
  }

  /// The first of three rows is refused, and a trigger moves the second to another table.
  @Test func aRowThatATriggerRemovesDoesNotCountWhileAnEarlierOneIsRefused() throws {
    try app.run(
      "CREATE TABLE u (id TEXT PRIMARY KEY, above TEXT REFERENCES u); CREATE TABLE moved (id TEXT);"
        + "CREATE TRIGGER moving AFTER INSERT ON u WHEN new.id = 'b' BEGIN "
        + "INSERT INTO moved VALUES (new.id); DELETE FROM u WHERE id = new.id; END")
    let binding = Binding(entity: "u", source: folder.path("app.db"), table: "u")
    try store.write { try store.bind(binding) }
    func exchange() throws -> BindingExchange {
      try BindingExchange(store.bindings().filter { $0.entity == "u" }[0], wait: .zero)
    }
    _ = try exchange().record(in: store, bounds)
    for (id, above) in [("a", #""x""#), ("b", "null")] {
      try put(
        #"{"entityName":"u","identity":{"id":"\#(id)"},"modifiedAt":"2025-05-01T00:00:00Z","#
          + #""fields":{"id":"\#(id)","above":\#(above)}}"#)
    }
    for _ in 0..<2 {
      let outcome = try exchange().deliver(from: store, bounds)
      #expect(outcome.refused.count == 1)
      #expect(outcome.written == 0)
    }
    #expect(try app.integer("SELECT count(*) FROM moved") == 0)
    try app.run("INSERT INTO u VALUES ('x', NULL)")
    _ = try exchange().record(in: store, bounds)
    #expect(try exchange().deliver(from: store, bounds).written == 2)
    #expect(try app.integer("SELECT count(*) FROM moved") == 1)
    #expect(try exchange().deliver(from: store, bounds).written == 0)
  }

  // MARK: Tables together

  /// Table `a` refers to the circle, `d` is referred to by it, and `e` refers only to itself.
  @Test func onlyTablesInACircleAreWrittenTogether() throws {
    try app.run(
      "CREATE TABLE a (id TEXT PRIMARY KEY, b TEXT REFERENCES B); CREATE TABLE b (id TEXT PRIMARY KEY, "
        + "c TEXT REFERENCES c); CREATE TABLE c (id TEXT PRIMARY KEY, b TEXT REFERENCES B, "
        + "d TEXT REFERENCES d); CREATE TABLE d (id TEXT PRIMARY KEY); "
        + "CREATE TABLE e (id TEXT PRIMARY KEY, e TEXT REFERENCES e)")
    var exchanges: [BindingExchange] = []
    for name in ["a", "b", "c", "d", "e"] {
      let binding = Binding(entity: name, source: folder.path("app.db"), table: name)
      exchanges.append(try BindingExchange(binding, sharing: exchanges.first, wait: .zero))
    }
    #expect(try BindingExchange.inCircles(exchanges).map(\.binding.entity) == ["b", "c"])
    #expect(try BindingExchange.inCircles([exchanges[0], exchanges[1], exchanges[4]]).isEmpty)
  }

  /// Makes and binds two tables whose rows may refer to each other, and reads them.
  private func exchangesOfTwoTables(_ more: String = "") throws -> [BindingExchange] {
    try app.run(
      "CREATE TABLE p (id TEXT PRIMARY KEY, code TEXT UNIQUE, above TEXT REFERENCES p, q TEXT REFERENCES q);"
        + "CREATE TABLE q (id TEXT PRIMARY KEY, p TEXT REFERENCES p, code TEXT REFERENCES p (code), "
        + "updatedAt TEXT); \(more)")
    for name in ["p", "q"] {
      let binding = Binding(entity: name, source: folder.path("app.db"), table: name)
      try store.write { try store.bind(binding) }
      _ = try BindingExchange(binding, wait: .zero).record(in: store, bounds)
    }
    let bindings = try store.bindings().filter { $0.entity != "t" }
    let first = try BindingExchange(bindings[0], besides: bindings, wait: .zero)
    return [first, try BindingExchange(bindings[1], besides: bindings, sharing: first, wait: .zero)]
  }

  /// Stores two new rows that refer to each other.
  private func putCircle() throws {
    for (name, other) in [("p", "q"), ("q", "p")] {
      try put(
        #"{"entityName":"\#(name)","identity":{"id":"\#(name)0"},"modifiedAt":"2025-05-01T00:00:00Z","#
          + #""fields":{"id":"\#(name)0","\#(other)":"\#(other)0"}}"#)
    }
  }

  private func writtenTogether(_ exchanges: [BindingExchange]) throws -> [Int] {
    try BindingExchange.deliver(together: exchanges, from: store, bounds).map(\.written)
  }

  /// The last row of the chain refers to a missing row.
  @Test func aLongChainThatLacksARowDoesNotBlockACircle() throws {
    let exchanges = try exchangesOfTwoTables()
    try putCircle()
    for number in 1...100 {
      try put(
        #"{"entityName":"p","identity":{"id":"c\#(number)"},"modifiedAt":"2025-05-01T00:00:00Z","#
          + #""fields":{"id":"c\#(number)","above":"c\#(number + 1)"}}"#)
    }
    #expect(try writtenTogether(exchanges) == [1, 1])
    #expect(try app.integer("SELECT count(*) FROM p") == 1)
  }

  /// A row refers to the code of row `u`, and not to its key.
  @Test(arguments: [
    #""modifiedAt":"2025-06-01T00:00:01Z","fields":{"id":"u","code":"d","above":null,"q":null}"#,
    #""deletedAt":"2025-06-01T00:00:01Z""#,
  ])
  func aValueThatIsReferredToDoesNotBlockACircle(change: String) throws {
    let exchanges = try exchangesOfTwoTables(
      "INSERT INTO p (id, code) VALUES ('u', 'c'); INSERT INTO q (id, code) VALUES ('v', 'c')")
    try putCircle()
    try put(#"{"entityName":"p","identity":{"id":"u"},\#(change)}"#)
    #expect(try writtenTogether(exchanges) == [1, 1])
    #expect(try app.integer("SELECT count(*) FROM p WHERE code = 'c' OR q = 'q0'") == 2)
  }

  /// A trigger makes a clock that cannot be read.
  @Test func aRowThatCannotBeReadAgainNamesItsDatabase() throws {
    let exchanges = try exchangesOfTwoTables(
      "CREATE TRIGGER dated AFTER INSERT ON q BEGIN UPDATE q SET updatedAt = 'soon' WHERE id = new.id; END")
    try putCircle()
    let error = #expect(throws: Diagnostic.self) { try writtenTogether(exchanges) }
    #expect(error?.code == .invalidClock)
    #expect(error?.file == folder.path("app.db"))
    #expect(try app.integer("SELECT count(*) FROM p") == 0)
  }

  /// The app adds bytes after the tables were read.
  @Test func anErrorOfALaterTableNamesThatTable() throws {
    let exchanges = try exchangesOfTwoTables()
    try putCircle()
    try app.run("INSERT INTO q (id, p) VALUES ('x', x'00')")
    let error = #expect(throws: Diagnostic.self) { try writtenTogether(exchanges) }
    #expect(error?.hint?.contains("--table q --base64 p") == true)
  }
}
