@testable import Store
import SyncCore
import TestSupport
import Testing

/// `put` and `record`: the clocks of local changes.
@Suite(.onEveryEngine) struct LocalWriteTests {
  private let store: TestStore
  init() throws { store = try TestStore() }

  private func clock(_ line: String) throws -> Instant? {
    let row = try #require(try store.row(of: line))
    return try store.change(String(decoding: row.line, as: UTF8.self)).clock
  }

  @Test func whatApplyBroughtSinceTheLastRecordIsNoDifference() throws {
    try store.record(TestStore.line(1, "a", 1))
    try store.apply(TestStore.line(1, "b", 2), TestStore.line(2, "new", 2), from: "phone")
    let token = try store.token
    #expect(try store.record(TestStore.line(1, "a", 1)).counts == .init())
    #expect(try store.token == token)
  }

  /// Two processes: one writes a change into the app's file, the other one stores the next change meanwhile.
  @Test func whatWasWrittenBeforeTheNextChangeCameIsTheBaseline() throws {
    func written(_ line: String) throws -> ChangeStore.Arrival {
      .init(key: try store.key(line), line: Array(line.utf8), isTombstone: line.contains("deletedAt"))
    }
    let lines = [TestStore.line(1, "a", 1), TestStore.line(2, "a", 1)]
    try store.recordAll(lines)
    let first = [TestStore.line(1, "b", 2), TestStore.delete(2, 2)]
    try store.apply(first, from: "phone")
    let next = [TestStore.line(1, "c", 3), TestStore.line(2, "c", 3)]
    try store.apply(next, from: "phone")
    try store.store.write {
      try store.store.settle(written(first[0]), as: Array(first[0].utf8))
      try store.store.settle(written(first[1]), as: nil)
    }
    #expect(try store.record(first[0]).counts == .init())
    #expect(try store.lines == next)
  }

  @Test func whatDumpBaselineWroteIsTheBaseline() throws {
    try store.apply(TestStore.line(1, "a", 1), TestStore.line(2, "b", 1), from: "phone")
    try store.store.forEachLine(tombstones: false, isBaseline: true) { _, _ in
    } finish: {
    }
    #expect(try store.record(TestStore.line(1, "a", 1)).counts.deletions == 1)
  }

  @Test func withoutThatWhatApplyBroughtIsNotDeleted() throws {
    try store.apply(TestStore.line(1, "a", 1), from: "phone")
    #expect(try store.record().counts == .init())
  }

  @Test func aDumpThatFailsIsNoBaseline() throws {
    struct Failed: Error {}
    try store.apply(TestStore.line(1, "a", 1), from: "phone")
    #expect(throws: Failed.self) {
      try store.store.forEachLine(tombstones: false, isBaseline: true) { _, _ in
      } finish: {
        throw Failed()
      }
    }
    #expect(try store.record().counts == .init())
  }

  @Test func anEditsClockIsItsOwnWhereThatIsLater() throws {
    try store.record(TestStore.line(1, "a", 1))
    try store.record(TestStore.line(1, "b", 2))
    #expect(try store.lines == [TestStore.line(1, "b", 2)])
  }

  @Test func anEditsClockIsElseThatOfTheBaselineAndAMillisecond() throws {
    try store.record(TestStore.line(1, "a", 5))
    try store.record(TestStore.line(1, "b", 5))
    #expect(try clock(TestStore.line(1, "", 1)) == Instant("2025-05-05T00:00:00.001Z"))
    try store.record(TestStore.line(1, "c", 5))
    #expect(try clock(TestStore.line(1, "", 1)) == Instant("2025-05-05T00:00:00.002Z"), "of what was stored")
    #expect(try store.record(TestStore.line(1, "c", 5)).counts == .init())
  }

  @Test func aDeletionsClockIsNow() throws {
    try store.record(TestStore.line(1, "a", 1))
    try store.record()
    #expect(try clock(TestStore.line(1, "", 1)) == store.now)
  }

  @Test func whereAChangeWasAppliedSinceADeletionsClockIsThatOfTheBaselineAndAMillisecond() throws {
    try store.record(TestStore.line(1, "a", 1), TestStore.line(2, "a", 5))
    try store.apply(TestStore.line(1, "b", 2), from: "phone")
    let intake = try store.record(TestStore.line(2, "a", 5))
    #expect(intake.unstored.map(\.outcome) == [.conflict])
    #expect(try store.lines == [TestStore.line(1, "b", 2), TestStore.line(2, "a", 5)])
  }

  @Test func anEditThatLosesIsAConflictAndNotStored() throws {
    try store.record(TestStore.line(1, "a", 1))
    try store.apply(TestStore.line(1, "b", 5), from: "phone")
    let intake = try store.record(TestStore.line(1, "c", 2))
    #expect(intake.unstored == [UnstoredChange(key: Array("[\"\",{\"id\":1}]".utf8), outcome: .conflict)])
    #expect(try store.lines == [TestStore.line(1, "b", 5)])
    #expect(try store.record(TestStore.line(1, "c", 2)).unstored.isEmpty, "said once")
  }

  @Test func aRecordThatComesBackWinsOverItsDeletion() throws {
    try store.record(TestStore.line(1, "a", 1))
    try store.record()
    try store.record(TestStore.line(1, "a", 1))
    #expect(try clock(TestStore.line(1, "", 1)) == store.now.advanced(by: .milliseconds(1)))
    #expect(try store.row(of: TestStore.line(1, "", 1))?.isTombstone == false)
  }

  @Test func aDeletionThatCameFromAPeerIsNotTakenBackByTheNextRecord() throws {
    try store.record(TestStore.line(1, "a", 1))
    try store.apply(TestStore.delete(1, 2), from: "phone")
    try store.acknowledge("phone", store.token)
    try store.store.write {
      _ = try store.store.compact(retireAfter: .seconds(1), now: store.now, drift: DriftGuard.default)
    }
    #expect(try store.record(TestStore.line(1, "a", 1)).counts == .init())
    #expect(try store.lines == [TestStore.delete(1, 2)])
  }

  @Test func aSnapshotSpelledOtherwiseIsNoDifference() throws {
    try store.record(TestStore.line(1, "a", 1))
    let spelled = "{\"updatedAt\":\"2025-05-01T00:00:00Z\", \"title\":\"\\u0061\",\"id\":1}"
    #expect(try store.record(spelled).counts == .init())
  }

  @Test func putTakesItsOwnClockOrNowOrThatOfTheStoredChangeAndAMillisecond() throws {
    try store.put("{\"id\":1}")
    #expect(try clock("{\"id\":1}") == store.now)
    try store.put("{\"id\":1,\"n\":2}")
    #expect(try clock("{\"id\":1}") == store.now.advanced(by: .milliseconds(1)))
    try store.put("{\"id\":1,\"n\":3,\"updatedAt\":\"2025-07-01T00:00:00Z\"}")
    #expect(try clock("{\"id\":1}") == Instant("2025-07-01T00:00:00Z"))
  }

  @Test func anEditWithoutAClockIsOfNow() throws {
    try store.record(#"{"id":1}"#)
    store.now = Instant("2025-06-02T00:00:00Z")!
    try store.record(#"{"id":1,"n":2}"#)
    #expect(try clock(#"{"id":1}"#) == store.now, "later than an edit of yesterday elsewhere")
    store.now = Instant("2025-05-02T00:00:00Z")!
    try store.record(#"{"id":1,"n":3}"#)
    #expect(try clock(#"{"id":1}"#) == Instant("2025-06-02T00:00:00.001Z"), "the clock was put back")
  }

  @Test func aNewChangeLineWithoutAClockIsOfNow() throws {
    let lines = ["", #""modifiedAt":null,"#].enumerated().map {
      #"{"entityName":"","identity":{"id":\#($0)},\#($1)"fields":{}}"#
    }
    #expect(try store.recordAll(lines).counts.stored == 2)
    for line in lines { #expect(try clock(line) == store.now) }
    store.now = Instant("2025-06-02T00:00:00Z")!
    #expect(try store.recordAll(lines).counts == .init(), "the app has it without one still")
  }

  @Test func aPutThatItsRuleMakesLoseIsAConflict() throws {
    let store = try TestStore(profile: #"{"entities":{"*":{"rule":"append-only"}}}"#)
    #expect(try store.put(TestStore.line(1, "a", 1), TestStore.line(1, "b", 2)) == [.stored, .conflict])
    #expect(try store.lines == [TestStore.line(1, "a", 1)])
  }
}
