import Foundation
import JSONLines
import PeerSync
import SyncCore
import TestSupport
import Testing

/// The store that an app keeps.
@Suite struct RecordStoreTests {
  private let folder: TemporaryFolder
  private let store: RecordStore
  private let now: Instant

  init() throws {
    folder = try TemporaryFolder()
    store = try RecordStore(folder.path("store.db"), entityName: "Task")
    now = try #require(Instant("2026-01-01T00:00:00Z"))
  }

  private func put(_ lines: String...) throws -> RecordStore.Counts {
    try store.put(Array(lines.map { $0 + "\n" }.joined().utf8), now: now)
  }

  private func records() throws -> String { String(decoding: try store.records(), as: UTF8.self) }

  @Test func recordsComeBackAsTheyWerePutIn() throws {
    let lines = [#"{"id":"1","title":"Milk"}"#, #"{"id":"2","title":"Bread"}"#]
    #expect(try put(lines[0], lines[1]).stored == 2)
    #expect(try put(lines[0]).same == 1)
    #expect(try records() == lines.map { $0 + "\n" }.joined())
  }

  @Test func deletionsAreChanges() throws {
    _ = try put(#"{"id":"1"}"#)
    let token = try store.changes().token
    let counts = try put(#"{"entityName":"Task","identity":{"id":"1"},"deletedAt":"2026-01-01T00:00:00Z"}"#)
    #expect(counts.deletions == 1)
    #expect(try records() == "")
    let changes = try store.changes(after: token)
    #expect(
      String(decoding: changes.lines, as: UTF8.self).contains(#""deletedAt":"2026-01-01T00:00:00.001Z""#))
    #expect(try store.changes(after: changes.token).lines.isEmpty)
  }

  @Test func aSnapshotTellsWhatIsGone() throws {
    try store.record(snapshot: Array("{\"id\":1}\n{\"id\":2}\n".utf8), now: now)
    #expect(try store.record(snapshot: Array("{\"id\":2,\"a\":0}\n".utf8), now: now).deletions == 1)
    #expect(try records() == "{\"id\":2,\"a\":0}\n")
    expectSyncError("line 1: the last line has no line feed", .unterminatedLine) {
      try store.record(snapshot: Array("{\"id\":2}".utf8))
    }
    expectSyncError("line 2: the same key as line 1", .duplicateKey) {
      try store.record(snapshot: Array("{\"id\":2}\n{\"id\":2.0}\n".utf8))
    }
  }

  @Test func whatASnapshotHasNeverHadStays() throws {
    _ = try put(#"{"id":1}"#, #"{"id":2}"#)
    let counts = try store.record(snapshot: Array("{\"id\":3}\n".utf8), now: now)
    #expect(counts.deletions == 0 && counts.stored == 1)
    #expect(try records() == "{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n")
    _ = try store.records(asSnapshot: true)
    #expect(try store.record(snapshot: Array("{\"id\":3}\n".utf8), now: now).deletions == 2)
  }

  @Test func aSnapshotHasTheRecordsOfTheEntity() throws {
    let note =
      #"{"entityName":"Note","identity":{"id":2},"modifiedAt":"2026-01-01T00:00:00.000Z","fields":{"id":2}}"#
    _ = try put(#"{"id":1}"#, note)
    #expect(try records().count { $0 == "\n" } == 2)
    let snapshot = try store.records(asSnapshot: true)
    #expect(String(decoding: snapshot, as: UTF8.self) == "{\"id\":1}\n")
    #expect(try store.record(snapshot: snapshot, now: now).stored == 0)
    #expect(try store.record(snapshot: Array("{\"id\":3}\n".utf8), now: now).deletions == 1)
    #expect(try String(decoding: store.records(of: "Note"), as: UTF8.self) == "{\"id\":2}\n")
  }

  @Test func whatIsNoRecordStoresNothing() throws {
    expectSyncError("line 2: no key: 'id' is missing", .noKey) {
      _ = try put(#"{"id":"1"}"#, #"{"title":"?"}"#)
    }
    #expect(!FileManager.default.fileExists(atPath: store.path))
    #expect(throws: SyncError.self) { try store.records() }
    let long = #"{"id":"2","text":"\#(String(repeating: "x", count: 9 << 20))"}"#
    expectSyncError("line 2: longer than 8323072 bytes, more than a store accepts", .lineTooLarge) {
      _ = try put(#"{"id":"1"}"#, long)
    }
    let deep =
      #"{"id":"2","text":\#(String(repeating: "[", count: 509) + String(repeating: "]", count: 509))}"#
    expectSyncError("line 1: nested deeper than 509 levels, more than a store accepts", .nestingTooDeep) {
      try store.record(snapshot: Array((deep + "\n").utf8))
    }
    #expect(!FileManager.default.fileExists(atPath: store.path))
    expectSyncError("/entity: not a string or an array of strings", .invalidProfile) {
      _ = try RecordStore("x", profile: #"{"entity":1}"#)
    }
  }

  @Test func aTokenOfAnotherStoreIsNoToken() throws {
    _ = try put(#"{"id":"1"}"#)
    let other = try RecordStore(folder.path("other.db"))
    try other.put(Array("{\"id\":\"1\"}\n".utf8))
    let token = try other.changes().token
    #expect(throws: SyncError.self) { try store.changes(after: token) }
    #expect(throws: SyncError.self) { try store.changes(after: "?") }
  }

  @Test func pagesAreReadOn() throws {
    _ = try put(#"{"id":"1"}"#, #"{"id":"2"}"#, #"{"id":"3"}"#)
    let first = try store.changes(limit: 2)
    #expect(first.hasMore)
    let second = try store.changes(after: first.token, limit: 2)
    #expect(!second.hasMore && second.lines.count { $0 == 10 } == 1)
  }
}
