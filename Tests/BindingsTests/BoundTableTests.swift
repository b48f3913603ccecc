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
