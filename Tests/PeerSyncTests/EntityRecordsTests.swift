import Foundation
import PeerSync
import StoreSync
import SyncCore
import TestSupport
import Testing

/// An app's own store, synced with ours by the engine.
@Suite struct EntityRecordsTests {
  struct Note: Syncable, Equatable {
    var id: String
    var title = ""
    var createdAt = Date(timeIntervalSince1970: 1_767_225_600)
    var updatedAt = Date(timeIntervalSince1970: 1_767_225_600.123)
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func store(_ name: String = "store.db") throws -> RecordStore {
    try RecordStore(folder.path(name))
  }

  @Test func itKeepsThePromisesOfARemoteStore() async throws {
    let conformance = StoreConformance(samples: ["a", "b", "c"].map { Note(id: $0) })
    #expect(try await conformance.findings(of: EntityRecords<Note>(store(), entity: "Note")) == [])
  }

  @Test func theProfileOfTheStoreCounts() async throws {
    let id = "6f1b2c3d-0000-4000-8000-000000000001"
    let profile = #"{"entities":{"Note":{"identity":"uuid"}}}"#
    let store = try RecordStore(folder.path("store.db"), profile: profile)
    let records = EntityRecords<Note>(store, entity: "Note")
    try await records.upsert(Note(id: id, title: "one"))
    #expect(try records.get([id.uppercased()]).count == 1)
  }

  /// JSON does not have the number of one record.
  @Test func aRecordThatCannotBeEncodedFailsAlone() async throws {
    let local = MemoryLocalStore<Reading>()
    for (id, value) in [("1", Double.nan), ("2", 1)] { try await local.upsert(Reading(id: id, value: value)) }
    let engine = try SyncEngine(local: local, remote: EntityRecords(store(), entity: "Reading"))
    let result = try await engine.sync()
    #expect(result.pushed == 1 && result.failures.keys.sorted() == ["1"])
  }

  @Test func anEncoderMayPrintSeveralLines() async throws {
    let records = try EntityRecords<Note>(
      store(), entity: "Note",
      encode: { note in
        let encoder = JSONEncoder()
        encoder.outputFormatting = .prettyPrinted
        return try encoder.encode(note)
      })
    try await records.upsert(Note(id: "1", title: "one\ntwo/three"))
    #expect(try records.get(["1"])["1"]?.version.entity?.title == "one\ntwo/three")
  }

  @Test func whatIsNotAnObjectFailsAlone() async throws {
    let local = MemoryLocalStore<Note>()
    for id in ["1", "2", "3"] { try await local.upsert(Note(id: id)) }
    let outputs = ["1": "[]", "2": "{"]
    let records = try EntityRecords<Note>(
      store(), entity: "Note",
      encode: { try outputs[$0.id].map { Data($0.utf8) } ?? JSONEncoder().encode($0) })
    let result = try await SyncEngine(local: local, remote: records).sync()
    #expect(result.pushed == 1 && result.failures.keys.sorted() == ["1", "2"])
  }

  @Test func anIdThatTheRulesDoNotAcceptFailsAlone() async throws {
    let profile = #"{"entities":{"Note":{"identity":"date"}}}"#
    let store = try RecordStore(folder.path("store.db"), profile: profile)
    let local = MemoryLocalStore<Note>()
    for id in ["2026-01-01T00:00:00Z", "x"] { try await local.upsert(Note(id: id)) }
    let engine = SyncEngine(local: local, remote: EntityRecords<Note>(store, entity: "Note"))
    let result = try await engine.sync()
    #expect(result.pushed == 1 && result.failures.keys.sorted() == ["x"])
  }

  @Test func aRecordWithAWrongClockFailsAlone() async throws {
    let local = MemoryLocalStore<Reading>()
    let times = ["1": Date().addingTimeInterval(86_400), "2": Date(timeIntervalSince1970: .nan), "3": Date()]
    for (id, time) in times { try await local.upsert(Reading(id: id, value: 1, updatedAt: time)) }
    let engine = try SyncEngine(local: local, remote: EntityRecords(store(), entity: "Reading"))
    let result = try await engine.sync()
    #expect(result.pushed == 1 && result.failures.keys.sorted() == ["1", "2"])
  }

  private struct Reading: Syncable {
    var id: String
    var value: Double
    var createdAt = Date(timeIntervalSince1970: 0)
    var updatedAt = Date(timeIntervalSince1970: 10)
  }

  @Test func recordsOfOthersAndMembersThatAreNotKnownAreLeftAlone() async throws {
    let store = try store()
    let note =
      #"{"entityName":"Note","identity":{"id":"1"},"modifiedAt":"2026-01-01T00:00:01Z","fields":{"id":"1","title":"a","createdAt":0,"updatedAt":0,"color":"red"}}"#
    try store.put(Array((note + "\n" + #"{"entity":"Task","id":"1"}"# + "\n").utf8))
    let engine = SyncEngine(local: MemoryLocalStore<Note>(), remote: EntityRecords(store, entity: "Note"))
    #expect(try await engine.sync().pulled == 1)
    let pulled = try await engine.getAll()
    #expect(pulled.map(\.title) == ["a"])
    #expect(pulled[0].updatedAt == Date(timeIntervalSince1970: 1_767_225_601), "the clock of the line counts")
  }

  @Test func theRulesDecideWhatIsDeletedAndWhen() async throws {
    let store = try store()
    func note(_ id: String, _ members: String) -> String {
      #"{"entityName":"Note","identity":{"id":"\#(id)"}"#
        + members
        .replacing("FIELDS", with: #""fields":{"id":"\#(id)","title":"a","createdAt":0,"updatedAt":0"#) + "}"
    }
    let lines = [
      #"{"entity":"Note","id":"1","title":"a","createdAt":0,"updatedAt":0,"deletedAt":"2026-02-01T00:00:00Z"}"#,
      note("2", #","deletedAt":null,"modifiedAt":"2026-01-01T00:00:02Z",FIELDS}"#),
      note("3", #","modified_at":1767225603,FIELDS}"#),
      note("4", #",FIELDS,"deletedAt":"2026-01-01T00:00:04Z"}"#),
    ]
    try store.put(Array((lines.joined(separator: "\n") + "\n").utf8))
    let records = EntityRecords<Note>(store, entity: "Note")
    let all = try records.get(["1", "2", "3", "4"])
    #expect(all.filter { $0.value.version.entity == nil }.keys.sorted() == ["1", "4"])
    #expect(all["4"]?.version.time == Date(timeIntervalSince1970: 1_767_225_604))
    let engine = SyncEngine(local: MemoryLocalStore<Note>(), remote: records)
    _ = try await engine.sync()
    #expect(
      try await engine.getAll().map(\.updatedAt.timeIntervalSince1970) == [1_767_225_602, 1_767_225_603])
  }

  @Test func aRecordThatCannotBeReadStopsOnlyItself() async throws {
    let store = try store()
    let (local, records) = (MemoryLocalStore<Note>(), EntityRecords<Note>(store, entity: "Note"))
    let engine = SyncEngine(local: local, remote: records)
    for id in ["1", "2"] { try await engine.upsert(Note(id: id, title: "old")) }
    _ = try await engine.sync()
    let later = [
      #"{"entity":"Note","id":"1","title":{"text":"new form"},"createdAt":0,"updatedAt":"2026-01-02T00:00:00Z"}"#,
      #"{"entity":"Note","id":3,"title":"a number","createdAt":0,"updatedAt":"2026-01-02T00:00:00Z"}"#,
      #"{"entity":"Note","id":"4","title":"new","createdAt":0,"updatedAt":0}"#,
    ]
    try store.put(Array((later.joined(separator: "\n") + "\n").utf8))
    let result = try await engine.sync()
    #expect(result.pulled == 1)
    #expect(result.unreadable.map(\.id) == ["1", nil])
    #expect(try await engine.sync().unreadable.isEmpty, "the cursor is after them")
    #expect(try await engine.getAll().map(\.title) == ["old", "old", "new"])

    // An edit of such a record is refused, and does not stop the others.
    for id in ["1", "2"] { try await engine.upsert(Note(id: id, title: "edited")) }
    let pushed = try await engine.sync()
    #expect(pushed.pushed == 1 && pushed.failures.keys.sorted() == ["1"])
    await #expect(throws: UnreadableRecord<Note>.self) { try await records.upsert(Note(id: "1")) }

    // Compared with the complete store, it is not missing.
    let first = try #require(local.get(["1"])["1"])
    #expect(local.apply([.init(first.version, .synced, replacing: first.edit)], cursor: [0]).isEmpty)
    #expect(try await engine.sync().unreadable.count == 2)
    #expect(local.getAll().map(\.id) == ["1", "2", "4"])
  }

  @Test func twoAppsMeetByWayOfTheStore() async throws {
    let store = try store()
    let engines = (0..<2).map { _ in
      SyncEngine(local: MemoryLocalStore<Note>(), remote: EntityRecords(store, entity: "Note"))
    }
    try await engines[0].upsert(Note(id: "1", title: "one"))
    try await engines[1].upsert(Note(id: "2", title: "two"))
    for engine in engines + engines { _ = try await engine.sync() }
    try await engines[0].delete("2", at: Date(timeIntervalSince1970: 1_767_225_700))
    for engine in engines { _ = try await engine.sync() }
    for engine in engines { #expect(try await engine.getAll().map(\.title) == ["one"]) }
    #expect(try await engines[0].sync().pushed == 0)
  }

  /// The store is replaced by an empty one, and then by a copy from before the last edit.
  @Test func aStoreThatLostItsRecordsGetsThemAgain() async throws {
    let local = MemoryLocalStore<Note>()
    func sync(with store: RecordStore, _ mode: SyncMode = .twoWay) async throws -> SyncResult<Note> {
      let records = EntityRecords<Note>(store, entity: "Note")
      return try await SyncEngine(local: local, remote: records, mode: mode, maxDelete: .count(0)).sync()
    }
    let old = try store("old.db")
    for id in ["1", "2"] { try await local.upsert(Note(id: id)) }
    #expect(try await sync(with: old).pushed == 2)

    let replaced = try store("new.db")
    #expect(try await sync(with: replaced, .pullOnly).pulled == 0)
    #expect(local.syncedIDs().sorted() == ["1", "2"], "a copy for reading keeps its records")
    #expect(local.apply([], cursor: [0]).isEmpty)
    let result = try await sync(with: replaced)
    #expect(result.pushed == 2 && result.pulled == 0)
    #expect(local.getAll().map(\.id) == ["1", "2"] && local.getPendingPush(limit: .max).isEmpty)
    #expect(try EntityRecords<Note>(replaced, entity: "Note").getAll().records.count == 2)

    try await local.upsert(Note(id: "3"))
    #expect(try await sync(with: replaced).pushed == 1)
    let again = try await sync(with: old)
    #expect(again.pushed == 1 && again.pulled == 0)
    #expect(local.getAll().map(\.id) == ["1", "2", "3"])
  }

  @Test func aWriteToARecordThatAPeerHasChangedIsRefused() async throws {
    let records = EntityRecords<Note>(try store(), entity: "Note")
    try await records.upsert(Note(id: "1"))
    let seen = try #require(try records.get(["1"])["1"])
    try await records.upsert(
      Note(id: "1", title: "other", updatedAt: Date(timeIntervalSince1970: 1_767_225_900)))
    let outcome = try records.write([.init(.live(Note(id: "1", title: "mine")), replacing: seen.revision)])[
      "1"]
    guard case .changed = outcome else {
      Issue.record("\(String(describing: outcome))")
      return
    }
  }
}
