@testable import Store
import SyncCore
import TestSupport
import Testing

/// Wrong clocks, which are found without reading the store, and corrected; and the floors of `compact`.
@Suite(.onEveryEngine) struct AheadTests {
  private let store: TestStore

  init() throws { store = try TestStore() }

  private func ahead(of latest: String = "2025-06-01T00:05:00Z") throws -> [AheadChange] {
    try store.store.read { try store.store.changes(ahead: Instant(latest)!) }
  }

  private func record(_ id: Int, _ time: String) -> String { #"{"id":\#(id),"updatedAt":"\#(time)"}"# }

  private let wrong = "2031-01-01T00:00:00Z"

  @Test func changesWithLaterClocksAreFoundInWhateverCommitTheyAre() throws {
    try store.put(record(1, "2025-05-01T00:00:00Z"), record(2, wrong))
    try store.put(record(3, "2025-06-01T00:05:00Z"))
    try store.apply(record(4, wrong), from: "phone")
    #expect(try ahead().map(\.name) == [#"["",{"id":2}]"#, #"["",{"id":4}]"#])
    try store.store.write {
      let key = try store.key(record(2, wrong))
      try store.store.resend(key.span)
    }
    #expect(try ahead().map(\.name) == [#"["",{"id":4}]"#, #"["",{"id":2}]"#], "it has another commit")
    try store.apply(
      #"{"entityName":"","identity":{"id":4},"deletedAt":"2032-01-01T00:00:00Z"}"#, from: "phone")
    #expect(try ahead(of: "2031-06-01T00:00:00Z").count == 1)
  }

  /// A server has as many, as each change comes in a separate commit.
  ///
  /// The limit only ends a run that would take minutes.
  @Test(.endsHangs) func manyCommitsAreNotLookedAtForEachChange() throws {
    guard TestEngine.isFile else { return }
    let count = 100_000
    let numbers = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))"
    try store.store.database.run(
      "\(numbers) INSERT INTO commits (sequence, mark, latest) SELECT i, i, 0 FROM n;"
        + "\(numbers) INSERT INTO changes SELECT i, 0, 0, 0, 0, CAST(i AS BLOB), x'' FROM n")
    #expect(try ahead().isEmpty)
  }

  @Test func itIsKnownWhoHasThem() throws {
    try store.put(record(1, wrong))
    try store.apply(record(2, wrong), from: "phone")
    try store.store.write { _ = try store.store.peer(seen: "tablet", now: store.now) }
    #expect(try ahead().map { $0.holders.map(\.id) } == [[], ["phone"]])
    try store.acknowledge("tablet", store.token)
    #expect(try ahead().map { $0.holders.map(\.id) } == [["tablet"], ["phone", "tablet"]])
  }

  @Test func aClockIsBroughtBackInTheRecordTooAndTheBaselineStays() throws {
    try store.record(record(1, wrong), record(2, "2025-05-01T00:00:00Z"), #"{"id":3}"#)
    let before = try store.token
    try store.store.write {
      try store.store.reclock(store.store.changes(ahead: store.now), to: store.now)
    }
    #expect(
      try store.lines[0] == #"{"entityName":"","identity":{"id":1},"modifiedAt":"2025-06-01T00:00:00.000Z","#
        + #""fields":{"id":1,"updatedAt":"2025-06-01T00:00:00Z"}}"#)
    #expect(try ahead(of: "2025-06-01T00:00:00Z").isEmpty)
    #expect(try store.since(before).lines.count == 1)
    let same = try store.record(record(1, wrong), record(2, "2025-05-01T00:00:00Z"), #"{"id":3}"#)
    #expect(same.counts.stored == 0, "what the app has is what it had")
    let edit = #"{"id":1,"title":"b","updatedAt":"2025-05-31T00:00:00Z"}"#
    #expect(try store.record(edit, record(2, "2025-05-01T00:00:00Z"), #"{"id":3}"#).counts.stored == 1)
    #expect(try ahead(of: "2025-06-01T00:00:01Z").isEmpty, "an edit does not follow the wrong clock")
  }

  /// The app has read only the version before the one with the wrong clock.
  @Test(arguments: ["2025-05-01T00:00:00Z", "2030-01-01T00:00:00Z"])
  func aDeletionDoesNotWinOverAVersionThatTheAppHasNotRead(time: String) throws {
    try store.record(record(1, time), #"{"id":2}"#)
    try store.put(record(1, wrong))
    try store.store.write {
      try store.store.reclock(store.store.changes(ahead: store.now), to: store.now)
    }
    try store.record(#"{"id":2}"#)
    #expect(try ahead(of: "2025-06-01T00:00:00Z").isEmpty)
    #expect(store.store.live == 2)
  }

  @Test func fieldsThatAreNoRecordStayAsTheyAre() throws {
    try store.put(
      #"{"entityName":"T","identity":{"id":1},"modifiedAt":"2031-01-01T00:00:00Z","fields":{"n":1}}"#)
    try store.store.write {
      try store.store.reclock(store.store.changes(ahead: store.now), to: store.now)
    }
    #expect(
      try store.lines
        == [
          #"{"entityName":"T","identity":{"id":1},"modifiedAt":"2025-06-01T00:00:00.000Z","fields":{"n":1}}"#
        ])
  }

  @Test func aDeletionIsBroughtBackToo() throws {
    try store.put(#"{"entityName":"T","identity":{"id":1},"deletedAt":"2031-01-01T00:00:00Z"}"#)
    try store.store.write {
      try store.store.reclock(store.store.changes(ahead: store.now), to: store.now)
    }
    #expect(
      try store.lines == [#"{"entityName":"T","identity":{"id":1},"deletedAt":"2025-06-01T00:00:00.000Z"}"#])
  }

  // MARK: Floors

  /// A phone two minutes ahead has deleted record 1; all peers know this, and here the tombstone is removed.
  private func compactDeletion(of id: Int = 1, at time: String = "2025-06-01T00:02:00Z") throws -> [[UInt8]] {
    try store.apply(
      #"{"entityName":"","identity":{"id":\#(id)},"deletedAt":"\#(time)"}"#, from: "phone")
    try store.acknowledge("phone", store.token)
    return try store.store.write {
      try store.store.compact(retireAfter: .seconds(1), now: store.now, drift: DriftGuard.default).ahead
    }
  }

  private func clock(_ id: Int) throws -> Instant? {
    var reader = ChangeReader(store.shape)
    let key = try store.key(record(id, wrong))
    return try store.store.line(of: key.span).flatMap { reader.change($0.line.span).clock }
  }

  @Test func aWriteAfterCompactionWinsOverTheDeletionThatIsForgottenHere() throws {
    #expect(try compactDeletion().isEmpty)
    store.now = Instant("2025-06-01T00:01:00Z")!
    let floor = Instant("2025-06-01T00:02:00.001Z")
    try store.put(#"{"id":1}"#)
    #expect(try clock(1) == floor)
    try store.record(record(1, "2025-06-01T00:00:30Z"), #"{"id":2}"#)
    #expect(try clock(2) == floor)
    try store.put(record(3, "2024-01-01T00:00:00Z"), record(4, "2025-06-01T00:03:00Z"))
    #expect(try clock(3) == Instant("2024-01-01T00:00:00Z"), "it is older than the deletion")
    #expect(try clock(4) == Instant("2025-06-01T00:03:00Z"))
  }

  @Test func aChangeLineWithoutAClockWinsOverItToo() throws {
    _ = try compactDeletion()
    store.now = Instant("2025-06-01T00:01:00Z")!
    try store.record(#"{"entityName":"","identity":{"id":1},"fields":{}}"#)
    #expect(try clock(1) == Instant("2025-06-01T00:02:00.001Z"))
  }

  @Test func aFloorIsOfItsEntityAndIsNotLowered() throws {
    _ = try compactDeletion()
    _ = try compactDeletion(of: 9, at: "2025-06-01T00:01:00Z")
    try store.put(#"{"id":1}"#, #"{"id":1,"entity":"Other"}"#)
    #expect(try clock(1) == Instant("2025-06-01T00:02:00.001Z"))
    #expect(try store.lines.last?.contains(#""modifiedAt":"2025-06-01T00:00:00.000Z""#) == true)
  }

  @Test func aDeletionTooFarAheadRaisesNoFloorAndIsTold() throws {
    let ahead = try compactDeletion(at: wrong)
    #expect(ahead == [Array(#"["",{"id":1}]"#.utf8)])
    try store.put(#"{"id":1}"#)
    #expect(try clock(1) == store.now)
  }
}
