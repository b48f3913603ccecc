@testable import Store
import SyncCore
import TestSupport
import Testing

/// The work of `apply`, `put` and `record` in one transaction.
@Suite(.onEveryEngine) struct RuledStoreTests {
  private let store: TestStore
  init() throws { store = try TestStore() }

  private func ruled() throws -> RuledStore {
    try RuledStore(store.store, RuleChoice(RecordShape(), hasProfile: false, entityName: nil))
  }

  private func bounds(_ limit: DeleteLimit = .off) -> WriteBounds {
    let drift = DriftGuard(now: store.now, maximum: DriftGuard.default)
    return WriteBounds(now: store.now, drift: drift, maxDelete: limit)
  }

  private func lines(_ texts: String...) -> RuledStore.Lines {
    { take in
      for line in try texts.map(store.read) { try take(line.key.span, line.bytes.span, line.change) }
    }
  }

  private func batch() -> PeerBatch {
    var batch = PeerBatch(from: "phone")
    batch.checkpoint = Array(#"{"newTokenData":"dG9rZW4="}"#.utf8)
    return batch
  }

  @Test func whatCannotBeAppliedIsKeptAsideUntilItCan() throws {
    var batch = batch()
    let ahead = Array(TestStore.line(2, "b", 1).replacing("2025", with: "2035").utf8)
    let (isKept, isTooLong) = (
      batch.setAside(ahead.span, .clockAhead), !batch.setAside(ahead.span, .excess(.length(1)))
    )
    #expect(isKept && isTooLong)
    let applied = try ruled().apply(batch, bounds(), lines(TestStore.line(1, "a", 1)))
    #expect(applied.counts.taken == 1 && applied.counts.quarantined == 1)
    #expect(applied.released == 0 && applied.quarantined == 1)
    #expect(try store.store.checkpoint(store.peer("phone"), .outgoing) == "dG9rZW4=")
    store.now = Instant("2036-01-01T00:00:00Z")!
    let later = try ruled().apply(PeerBatch(from: "phone"), bounds(), lines())
    #expect(later.released == 1 && later.quarantined == 0)
    #expect(try store.lines.count == 2)
  }

  @Test func aBatchThatDeletesTooMuchChangesNothing() throws {
    _ = try ruled().put(bounds(), lines(TestStore.line(1, "a", 1)))
    #expect(throws: StoreError.self) {
      try ruled().apply(batch(), bounds(.count(0)), lines(TestStore.delete(1, 9)))
    }
    #expect(try store.lines == [TestStore.line(1, "a", 1)])
    #expect(try store.store.knownPeer(orNil: "phone") == nil)
  }

  @Test func deletionsInQuarantineDoNotBlockAnotherPeer() throws {
    _ = try ruled().put(bounds(), lines(TestStore.line(1, "a", 1), TestStore.line(2, "b", 1)))
    var ahead = batch()
    let deletion = Array(TestStore.delete(1, 9).replacing("2025", with: "2035").utf8)
    let isKept = ahead.setAside(deletion.span, .clockAhead)
    #expect(isKept)
    _ = try ruled().apply(ahead, bounds(), lines())
    store.now = Instant("2036-01-01T00:00:00Z")!
    let tablet = PeerBatch(from: "tablet")
    let applied = try ruled().apply(tablet, bounds(.count(1)), lines(TestStore.delete(2, 9)))
    #expect(applied.counts.deletions == 1 && applied.released == 0 && applied.quarantined == 1)
    let later = try ruled().apply(tablet, bounds(.count(1)), lines())
    #expect(later.released == 1 && later.quarantined == 0)
    #expect(store.store.live == 0)
  }

  @Test func anEmptySnapshotOfSeveralEntitiesIsRefused() throws {
    let other = TestStore.line(1, "b", 1).replacing(#""entityName":"""#, with: #""entityName":"Task""#)
    let recorded = try ruled().record(
      bounds(), entity: nil, withholdingDeletions: false, lines(TestStore.line(1, "a", 1), other))
    #expect(recorded.counts.stored == 2 && recorded.unstored.isEmpty)
    #expect(throws: StoreError.self) {
      try ruled().record(bounds(), entity: nil, withholdingDeletions: false, lines())
    }
    #expect(try store.lines.count == 2)
  }
}
