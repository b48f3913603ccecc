import Bindings
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
}
