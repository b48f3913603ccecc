@testable import Bindings
@testable import Store
import SyncCore
import TestSupport
import Testing

/// What a run that is killed while it reads a source leaves for the next run.
@Suite struct KilledReadingTests {
  private let folder: TemporaryFolder
  private let store: ChangeStore

  init() throws {
    folder = try TemporaryFolder()
    store = try ChangeStore(folder.path("store.db"), creating: true, wait: .zero)
  }

  /// Otherwise the lost edit would be in its file for ever, because it is the last version that was read.
  @Test func anEditThatLosesIsStoredOnlyTogetherWithItsReturn() throws {
    let path = try folder.write("{\"id\":\"1\",\"title\":\"first\"}\n", to: "t.jsonl")
    let binding = Binding(entity: "t", source: path)
    let rules = Array(#"{"entities":{"*":{"rule":"append-only"}}}"#.utf8)
    var shape = RecordShape()
    shape.profile = try Profile(parsing: rules.span)
    try store.write {
      try store.setRules(shape)
      try store.bind(binding)
    }
    let now = Instant("2025-06-01T00:00:00Z")!
    let bounds = WriteBounds(now: now, drift: DriftGuard(now: now, maximum: nil), maxDelete: .off)
    func record() throws -> Int {
      let exchange = try BindingExchange(binding, wait: .zero)
      return try exchange.record(in: store, bounds).intake.counts.conflicts
    }
    #expect(try record() == 0)
    try store.write {
      try store.noteWritten(binding, upTo: store.arrivals(for: binding).last, butFor: [])
    }
    try folder.write("{\"id\":\"1\",\"title\":\"second\"}\n", to: "t.jsonl")
    try run(
      "CREATE TEMP TRIGGER killed BEFORE UPDATE OF written ON bindings "
        + "BEGIN SELECT RAISE(ABORT, 'killed'); END")
    #expect(throws: StoreError.self) { try record() }
    try run("DROP TRIGGER killed")
    #expect(try record() == 1)
    let arrivals = try store.read { try store.arrivals(for: binding).arrivals }
    #expect(arrivals.count == 1)
  }

  private func run(_ sql: String) throws { try store.database.statement(sql).run() }
}
