@testable import Store
import SyncCore
import TestSupport
import Testing

/// Compaction, pruning, quarantine and limits.
@Suite(.onEveryEngine) struct UpkeepTests {
  private let store: TestStore
  init() throws { store = try TestStore() }

  private func compact(_ days: Int = 90, now: Instant? = nil) throws -> Int {
    try store.store.write {
      try store.store.compact(
        retireAfter: .seconds(days * 86_400), now: now ?? store.now, drift: DriftGuard.default
      ).removed
    }
  }

  @Test func compactRemovesTombstonesThatEveryActivePeerHasPassed() throws {
    try store.put(TestStore.line(1, "a", 1), TestStore.delete(2, 1))
    let token = try store.token
    try store.put(TestStore.delete(3, 1))
    try store.acknowledge("phone", store.token)
    try store.acknowledge("tablet", token)
    #expect(try compact() == 1)
    #expect(try store.lines == [TestStore.line(1, "a", 1), TestStore.delete(3, 1)])
  }

  @Test func whereNoPeerIsKnownNothingIsRemoved() throws {
    try store.put(TestStore.delete(1, 1))
    #expect(try compact() == 0)
  }

  @Test func aPeerSilentForRetireAfterIsRetired() throws {
    try store.put(TestStore.delete(1, 1))
    try store.apply([], from: "phone")
    #expect(try compact() == 0)
    #expect(try compact(now: store.now.advanced(by: .seconds(90 * 86_400))) == 0)
    #expect(try compact(now: store.now.advanced(by: .seconds(90 * 86_400 + 1))) == 1)
  }

  /// Otherwise one contact while the clock was wrong would keep all tombstones.
  @Test func aContactUnderAClockThatWasAheadIsCorrectedByTheNext() throws {
    let now = store.now
    func seenAt(_ contact: Instant) throws -> String {
      store.now = contact
      try store.apply([], from: "phone")
      return try store.store.seenAt(store.peer("phone"))
    }
    store.store.time = { now.seconds }
    try store.put(TestStore.delete(1, 1))
    #expect(try seenAt(Instant("2099-01-01T00:00:00Z")!) == "2099-01-01T00:00:00.000Z")
    #expect(try seenAt(now) == now.description)
    let earlier = now.advanced(by: .seconds(-60))
    #expect(try seenAt(earlier) == now.description, "a clock may be a little ahead")
    #expect(try compact(now: now.advanced(by: .seconds(90 * 86_400 + 1))) == 1)
  }

  /// A device that has just been started may not know the time yet.
  @Test func aContactUnderAClockThatIsBehindRetiresNobody() throws {
    let now = store.now
    store.store.time = { now.seconds - 86_400 }
    try store.put(TestStore.delete(1, 1))
    try store.apply([], from: "phone")
    store.now = Instant("1970-01-01T00:00:10Z")!
    store.store.time = { 10 }
    // The second contact follows a change that was stored with the wrong time.
    for _ in 1...2 { try store.apply(TestStore.line(2, "b", 1), from: "phone") }
    #expect(try store.store.seenAt(store.peer("phone")) == now.description)
    #expect(try compact(now: now) == 0)
  }

  /// A client of a server that does not name its store is not a peer.
  @Test func tombstonesStayForReadersThatAreNotPeers() throws {
    func compact(daysLater days: Int64, keeping: Int64) throws -> Int {
      try store.store.write {
        try store.store.compact(
          retireAfter: .seconds(90 * 86_400), keepingFor: .seconds(keeping * 86_400),
          now: store.now.advanced(by: .seconds(days * 86_400)), drift: DriftGuard.default
        ).removed
      }
    }
    let now = store.now.seconds
    store.store.time = { now }
    try store.put(TestStore.delete(1, 1))
    try store.acknowledge("phone", store.token)
    #expect(try compact(daysLater: 0, keeping: 400) == 0)
    #expect(try compact(daysLater: 400, keeping: 400) == 0)
    #expect(try compact(daysLater: 401, keeping: 400) == 1)
    try store.put(TestStore.delete(2, 1))
    try store.acknowledge("phone", store.token)
    #expect(try compact(daysLater: 0, keeping: 0) == 1)
  }

  @Test func aPeerThatIsForgottenIsNotWaitedForAndWhatCameFromItStays() throws {
    try store.apply(TestStore.line(1, "a", 1), from: "phon")
    let token = try store.token
    try store.put(TestStore.delete(2, 1))
    try store.acknowledge("tablet", store.token)
    #expect(try compact() == 0)
    let peer = try store.peer("phon")
    #expect(try store.store.write { try store.store.forget(peer) })
    #expect(try store.store.peers().map(\.id) == ["tablet"])
    #expect(try store.place(of: TestStore.line(1, "a", 1))?.origin == StoredRow.Place.forgotten)
    #expect(try compact() == 1)
    #expect(try store.store.standing(of: token) == .expired)
  }

  @Test func pruneDropsWithoutATombstoneAndRefusesOnApply() throws {
    try store.put(TestStore.line(1, "a", 1), TestStore.line(2, "b", 5))
    let before = Instant("2025-05-03T00:00:00Z")!
    #expect(try store.store.write { try store.store.prune("", before: before, store.shape) } == 1)
    #expect(try store.apply(TestStore.line(1, "a", 1), from: "phone").refused == 1)
    #expect(try store.lines == [TestStore.line(2, "b", 5)])
    #expect(try store.apply(TestStore.line(1, "a", 4), from: "phone").taken == 1)
  }

  /// They must still reach the peers, which would otherwise keep the record.
  @Test func pruneLeavesTombstones() throws {
    try store.put(TestStore.delete(1, 1), TestStore.line(2, "b", 1))
    #expect(try store.store.write { try store.store.prune("", before: store.now, store.shape) } == 1)
    #expect(try store.lines == [TestStore.delete(1, 1)])
    #expect(store.store.state.sequence == 2 && store.store.live == 0 && store.store.tombstones == 1)
  }

  /// A peer that has not pruned has the record, and may learn of the deletion through this store only.
  @Test func aDeletionIsNeverTooOld() throws {
    _ = try store.store.write { try store.store.prune("", before: store.now, store.shape) }
    let token = try store.token
    #expect(try store.apply(TestStore.delete(1, 1), from: "phone").taken == 1)
    #expect(try store.put(TestStore.delete(2, 1)) == [.stored])
    try store.apply(TestStore.delete(3, 1), from: "tablet")
    #expect(try store.since(token, for: "tablet").lines == [TestStore.delete(1, 1), TestStore.delete(2, 1)])
  }

  @Test func whatIsTooOldAndLosesIsAnswered() throws {
    try store.put(TestStore.delete(1, 2))
    let token = try store.token
    _ = try store.store.write { try store.store.prune("", before: store.now, store.shape) }
    #expect(try store.apply(TestStore.line(1, "a", 1), from: "phone").lost == 1)
    #expect(try store.since(token, for: "phone").lines == [TestStore.delete(1, 2)])
    #expect(try store.apply(TestStore.line(1, "a", 3), from: "phone").refused == 1)
    #expect(try store.lines == [TestStore.delete(1, 2)])
  }

  @Test func aLocalWriteOlderThanWhatWasPrunedIsRefusedAndSaid() throws {
    _ = try store.store.write { try store.store.prune("", before: store.now, store.shape) }
    #expect(try store.put(TestStore.line(1, "a", 1)) == [.refused])
    let intake = try store.record(TestStore.line(2, "b", 1))
    #expect(intake.counts.refused == 1)
    #expect(intake.unstored == [UnstoredChange(key: Array(#"["",{"id":2}]"#.utf8), outcome: .refused)])
    #expect(try store.lines == [])
  }

  @Test func pruneLeavesOtherEntities() throws {
    try store.put(#"{"id":1,"entity":"A","updatedAt":0}"#, #"{"id":1,"entity":"AB","updatedAt":0}"#)
    _ = try store.store.write { try store.store.prune("A", before: store.now, store.shape) }
    #expect(try store.lines.map { $0.prefix(18) } == [#"{"entityName":"AB""#])
  }

  /// Otherwise the next complete answer would delete them for all devices.
  @Test func theDocumentsOfPrunedRecordsStayInTheirCollection() throws {
    let lines = [TestStore.line(1, "a", 1), TestStore.line(2, "b", 1)]
    try store.apply(lines[0], from: "tasks")
    let peer = try store.peer("tasks")
    let documents = try lines.map { line in
      KnownDocument(
        id: line, key: try store.key(line), updated: "2025-05-01T00:00:00Z", clock: nil, noted: "")
    }
    try store.store.write { for document in documents { try store.store.note(document, of: peer) } }
    #expect(try store.store.forgottenDocuments(of: peer) == [documents[1]])
    #expect(try store.store.write { try store.store.prune("", before: store.now, store.shape) } == 1)
    #expect(try store.store.forgottenDocuments(of: peer) == [])
  }

  @Test func theDefaultMaxDeleteIsTheLargerOf100AndAFifthOfTheLiveRecords() throws {
    #expect(DeleteLimit.default.allows(100, of: 0) && !DeleteLimit.default.allows(101, of: 0))
    #expect(DeleteLimit.default.allows(200, of: 1_000) && !DeleteLimit.default.allows(201, of: 1_000))
    #expect(DeleteLimit.percent(50).allows(1, of: 2) && !DeleteLimit.percent(50).allows(2, of: 2))
  }

  @Test func moreThanMaxDeleteAppliesNothing() throws {
    try store.put(TestStore.line(1, "a", 1), TestStore.line(2, "b", 1))
    let lines = try store.lines
    #expect(throws: StoreError.tooManyDeletions(count: 2, live: 2)) {
      try store.apply(
        [TestStore.line(3, "c", 1), TestStore.delete(1, 2), TestStore.delete(2, 2)], from: "p",
        limit: .count(1))
    }
    #expect(try store.lines == lines)
    try store.record(TestStore.line(1, "a", 1), TestStore.line(2, "b", 1))
    #expect(throws: StoreError.tooManyDeletions(count: 2, live: 2)) { try store.record(limit: .percent(99)) }
    #expect(try store.lines == lines)
  }

  // MARK: Quarantine

  private func setAside(_ line: String, _ reason: String) throws {
    try store.store.write {
      let peer = try store.store.peer(seen: "phone", now: store.now)
      let (bytes, key) = (Array(line.utf8), try? store.key(line))
      try store.store.quarantine(bytes.span, key: key, reason: reason, from: peer, now: store.now)
    }
  }

  private func retry(_ drift: DriftGuard?, only number: Int64? = nil) throws -> Int {
    try store.store.write {
      try store.store.retryQuarantine(store.shape, drift, number.map { .number($0) } ?? .due).released
    }
  }

  @Test func aChangeThatCannotBeAppliedIsKeptAsideWithItsReasonOnce() throws {
    try setAside(TestStore.line(1, "a", 9), "clockAhead")
    try setAside(TestStore.line(1, "a", 9), "clockAhead")
    try setAside(#"{"title":1}"#, "noKey")
    #expect(try store.store.quarantined().map(\.reason) == ["clockAhead", "noKey"])
    #expect(try store.store.quarantinedKeys(upTo: 100) == [store.key(TestStore.line(1, "", 1))])
    #expect(try store.lines == [])
  }

  @Test func theRestOfAPageIsApplied() throws {
    let ahead = TestStore.line(2, "b", 9)
    let page = [TestStore.line(1, "a", 1), ahead, #"{"title":1}"#, TestStore.line(3, "c", 1)]
    let counts = try store.store.write {
      let drift = DriftGuard(now: Instant("2025-05-08T00:00:00Z")!, maximum: .zero)
      var intake = try PeerIntake(
        store.store, from: store.store.peer(seen: "p", now: store.now), store.shape, drift: drift)
      let text = Array(page.map { $0 + "\n" }.joined().utf8)
      try intake.apply(page: text.span, now: store.now)
      return intake.counts
    }
    #expect(counts.taken == 2 && counts.quarantined == 2)
    #expect(try store.lines == [page[0], page[3]])
    #expect(
      try store.store.quarantined().map { String(decoding: $0.line, as: UTF8.self) } == [ahead, page[2]])
  }

  @Test func retryAppliesWhatCanBeAppliedByNow() throws {
    try setAside(TestStore.line(1, "a", 9), "clockAhead")
    let drift = { (text: String) in DriftGuard(now: Instant(text)!, maximum: .zero) }
    #expect(try retry(drift("2025-05-08T00:00:00Z")) == 0)
    #expect(try retry(drift("2025-05-09T00:00:00Z")) == 1)
    #expect(try store.store.quarantineCount() == 0)
  }

  /// The peer has acknowledged the change with the wrong clock, but has it in quarantine.
  @Test func aRetriedLineThatLosesAgainstAWrongClockIsKept() throws {
    try store.put(#"{"id":1,"title":"wrong","updatedAt":"2031-01-01T00:00:00Z"}"#)
    try store.acknowledge("phone", store.token)
    try setAside(TestStore.line(1, "a", 9), "clockAhead")
    #expect(try retry(DriftGuard(now: Instant("2025-05-09T00:00:00Z")!, maximum: .zero)) == 1)
    let kept = try store.store.read { try store.store.conflicts().map(\.line) }
    #expect(kept == [Array(TestStore.line(1, "a", 9).utf8)])
  }

  @Test func whatRetryDeletesIsCountedOverAllPeers() throws {
    try store.put(TestStore.line(1, "a", 1), TestStore.line(2, "b", 1))
    for (id, peer) in [(1, "phone"), (2, "tablet")] {
      try store.store.write {
        let peer = try store.store.peer(seen: peer, now: store.now)
        let (line, key) = (Array(TestStore.delete(id, 9).utf8), try store.key(TestStore.delete(id, 9)))
        try store.store.quarantine(line.span, key: key, reason: "clockAhead", from: peer, now: store.now)
      }
    }
    let retried = try store.store.write { try store.store.retryQuarantine(store.shape, nil) }
    #expect(retried == (2, 2, 2))
  }

  /// The peer may have been restored meanwhile.
  @Test func whatLeavesQuarantineIsSentToThePeerThatItCameFromToo() throws {
    let token = try store.token
    try setAside(TestStore.line(1, "a", 9), "clockAhead")
    #expect(try retry(nil) == 1)
    #expect(try store.since(token, for: "phone").lines == [TestStore.line(1, "a", 9)])
  }

  @Test func compactKeepsTheTombstonesOfKeysInQuarantine() throws {
    try store.put(TestStore.delete(1, 1), TestStore.delete(2, 1))
    try setAside(TestStore.line(1, "a", 1), "clockAhead")
    try store.acknowledge("phone", store.token)
    #expect(try compact() == 1)
    #expect(try store.lines == [TestStore.delete(1, 1)])
    #expect(try retry(nil) == 1)
    #expect(try store.lines == [TestStore.delete(1, 1)])
    #expect(try compact() == 0)
    try store.acknowledge("phone", store.token)
    #expect(try compact() == 1)
  }

  @Test func acceptBelievesTheClockAndDropForgetsTheChange() throws {
    try setAside(TestStore.line(1, "a", 9), "clockAhead")
    try setAside(TestStore.line(2, "b", 9), "clockAhead")
    try setAside(#"{"title":1}"#, "noKey")
    #expect(try retry(nil, only: 2) == 1)
    #expect(try store.lines == [TestStore.line(2, "b", 9)])
    #expect(try retry(nil, only: 3) == 0, "it has no key whoever accepts it")
    #expect(try store.store.write { try store.store.dropQuarantined(1) })
    #expect(try !store.store.write { try store.store.dropQuarantined(1) })
    #expect(try store.store.quarantined().map(\.number) == [3])
  }
}
