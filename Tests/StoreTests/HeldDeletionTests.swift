import JSONLines
@testable import Store
import SyncCore
import TestSupport
import Testing

/// The limit of deletions applies to an answer, however many pages and sessions it takes.
@Suite(.onEveryEngine) struct HeldDeletionTests {
  private let store: TestStore

  init() throws {
    store = try TestStore()
    _ = try apply((1...6).map { TestStore.line($0, "a", 1) }, [1])
  }

  private func session(
    _ limit: DeleteLimit = .count(2), maximumDrift: Duration? = nil, isDryRun: Bool = false
  ) -> PeerStore {
    PeerStore(store.store, store.shape, limit: limit, maximumDrift: maximumDrift, isDryRun: isDryRun) {
      store.now
    }
  }

  private func page(
    _ lines: [String], _ token: [UInt8], hasMore: Bool = false, _ mode: ReceivedPage.Mode = .merge
  ) -> ReceivedPage {
    var page = ReceivedPage(lines: lines.flatMap { Array($0.utf8) + [10] }, token: token, mode: mode)
    page.hasMore = hasMore
    return page
  }

  /// A page in a separate session.
  @discardableResult
  private func apply(
    _ lines: [String], _ token: [UInt8], hasMore: Bool = false, _ limit: DeleteLimit = .count(2)
  ) throws -> ApplyAnswer {
    var peer = session(limit)
    return try peer.apply(page(lines, token, hasMore: hasMore), fromPeer: "phone")
  }

  private var checkpoint: [UInt8]? {
    get throws {
      var peer = session()
      return try peer.checkpoint(onPeer: "phone")
    }
  }
  private var held: Int { get throws { try store.store.heldCount(from: store.peer("phone")) } }
  private var faults: [String] {
    get throws {
      var faults: [String] = []
      try store.store.verify(store.shape) { faults.append($0) }
      return faults
    }
  }

  @Test func deletionsAreTakenWithTheLastPage() throws {
    var peer = session()
    let first = page([TestStore.delete(1, 2), TestStore.line(7, "b", 1)], [2], hasMore: true)
    #expect(try peer.apply(first, fromPeer: "phone") == .applied(quarantined: 0))
    #expect(try store.store.live == 7 && held == 1 && checkpoint == [2])
    let last = page([TestStore.delete(2, 2)], [3])
    #expect(try peer.apply(last, fromPeer: "phone") == .applied(quarantined: 0))
    #expect(try store.store.live == 5 && held == 0 && checkpoint == [3])
    #expect(peer.tally.received == 3)
    #expect(try faults == [])
  }

  /// The peer has acknowledged the change with the wrong clock, but has it in quarantine.
  @Test func aDeletionThatLosesAgainstAWrongClockIsKept() throws {
    var peer = session(maximumDrift: DriftGuard.default)
    _ = try peer.apply(page([TestStore.delete(1, 2)], [2], hasMore: true), fromPeer: "phone")
    try store.put(#"{"id":1,"title":"wrong","updatedAt":"2031-01-01T00:00:00Z"}"#)
    try store.acknowledge("phone", store.token)
    _ = try peer.apply(page([], [3]), fromPeer: "phone")
    let kept = try store.store.read { try store.store.conflicts().map(\.line) }
    #expect(kept == [Array(TestStore.delete(1, 2).utf8)])
  }

  /// A peer could send endless tombstones of one record.
  @Test func ofARecordOneDeletionIsHeldTheWinner() throws {
    for day in [3, 5, 4] { try apply([TestStore.delete(1, day)], [2], hasMore: true) }
    let rows = try store.store.database.integer("SELECT count(*) FROM held")
    #expect(rows == 1)
    try apply([], [3])
    #expect(try store.lines.first == TestStore.delete(1, 5))
  }

  @Test func anAnswerThatIsRefusedHasDeletedNothing() throws {
    var peer = session()
    for id in 1...3 {
      _ = try peer.apply(page([TestStore.delete(id, 2)], [UInt8(10 + id)], hasMore: true), fromPeer: "phone")
    }
    let last = page([TestStore.delete(4, 2), TestStore.line(8, "b", 1)], [14])
    #expect(try peer.apply(last, fromPeer: "phone") == .refused)
    #expect(peer.refusal == .tooManyDeletions(count: 4, live: 6))
    #expect(try store.lines.count == 6 && store.lines.allSatisfy { !$0.contains("deletedAt") })
    #expect(try checkpoint == [13])
  }

  @Test func tryingAgainDoesNotGetPastTheLimit() throws {
    for id in 1...3 { try apply([TestStore.delete(id, 2)], [UInt8(10 + id)], hasMore: true) }
    for _ in 1...3 { #expect(try apply([], [14]) == .refused) }
    #expect(try apply([], [14], .count(3)) == .applied(quarantined: 0))
    #expect(try store.lines.count { $0.contains("deletedAt") } == 3)
    #expect(try held == 0 && checkpoint == [14])
    // The count starts again with the next answer.
    #expect(try apply([TestStore.delete(4, 2), TestStore.delete(5, 2)], [15]) == .applied(quarantined: 0))
  }

  /// Records that the answer itself brings do not allow more deletions.
  @Test func theShareIsOfWhatWasThereBefore() throws {
    try apply((10...40).map { TestStore.line($0, "a", 1) }, [2], hasMore: true, .percent(50))
    let deletions = (1...4).map { TestStore.delete($0, 2) }
    #expect(try apply(deletions, [3], .percent(50)) == .refused)
    #expect(try apply(Array(deletions.prefix(3)), [3], .percent(50)) == .applied(quarantined: 0))
    #expect(try apply([TestStore.delete(4, 2)], [4], .percent(3)) == .applied(quarantined: 0))
  }

  @Test func aPageThatComesTwiceCountsOnce() throws {
    for _ in 1...3 { try apply([TestStore.delete(1, 2), TestStore.delete(2, 2)], [2], hasMore: true) }
    #expect(try apply([], [3]) == .applied(quarantined: 0))
    #expect(store.store.live == 4)
  }

  @Test func whatIsWrittenMeanwhileWinsAsEver() throws {
    try apply([TestStore.delete(1, 2), TestStore.delete(2, 2)], [2], hasMore: true)
    try store.put(TestStore.line(1, "later", 3))
    try apply([TestStore.line(2, "again", 4)], [3])
    #expect(store.store.live == 6)
    let lines = try store.lines
    #expect(lines.contains { $0.contains("later") } && lines.contains { $0.contains("again") })
  }

  @Test func withoutALimitNothingIsHeld() throws {
    try apply([TestStore.delete(1, 2)], [2], hasMore: true, .off)
    #expect(try store.store.live == 5 && held == 0)
  }

  /// A restored peer may not have its own deletion any more.
  @Test func whatIsDisownedGoesBackToThePeer() throws {
    try apply([TestStore.delete(1, 2)], [2], hasMore: true)
    let token = try store.token
    var peer = session()
    try peer.disownChanges(fromPeer: "phone")
    try apply([TestStore.delete(2, 2)], [3])
    let sent = try store.since(token, for: "phone").lines.filter { $0.contains("deletedAt") }
    #expect(sent == [TestStore.delete(1, 2)])
  }

  @Test func aResyncHoldsToo() throws {
    var peer = session(.count(1))
    let first = page(
      [TestStore.delete(1, 2), TestStore.delete(2, 2)], [2], hasMore: true, .resync(facts: ResyncFacts()))
    #expect(try peer.apply(first, fromPeer: "phone") == .applied(quarantined: 0))
    let last = page((3...6).map { TestStore.line($0, "a", 1) }, [3], .resyncEnd(facts: nil))
    #expect(try peer.apply(last, fromPeer: "phone") == .refused)
    #expect(store.store.live == 6)
  }

  @Test func aPeerThatIsForgottenTakesWhatIsHeldAlong() throws {
    try apply([TestStore.delete(1, 2)], [2], hasMore: true)
    let peer = try store.peer("phone")
    #expect(try store.store.write { try store.store.forget(peer) })
    try apply([], [3])
    #expect(try store.store.live == 6 && held == 0)
  }

  @Test func damageOfWhatIsHeldIsSeen() throws {
    try apply([TestStore.delete(1, 2)], [2], hasMore: true)
    try store.store.database.statement("UPDATE held SET line = ?1").bind(
      1, Array(TestStore.delete(1, 3).utf8)
    ).run()
    #expect(try faults.count == 1)
    #expect(throws: StoreError.self) { try apply([], [3]) }
  }

  // MARK: Trials

  @Test func aTrialCountsAllPagesAndStoresNothing() throws {
    var peer = session(isDryRun: true)
    let before = try store.rows()
    let first = page([TestStore.delete(1, 2), TestStore.line(7, "b", 1)], [2], hasMore: true)
    #expect(try peer.apply(first, fromPeer: "tablet") == .applied(quarantined: 0))
    #expect(peer.refusal == nil)
    let last = page([TestStore.delete(2, 2), TestStore.delete(3, 2), TestStore.line(4, "a", 1)], [3])
    #expect(try peer.apply(last, fromPeer: "tablet") == .applied(quarantined: 0))
    #expect(peer.tally.received == 4)
    #expect(peer.refusal == .tooManyDeletions(count: 3, live: 6))
    #expect(try store.rows() == before)
  }

  @Test func aTrialCountsWhatACompleteAnswerLacks() throws {
    let held = try store.token
    try store.acknowledge("phone", held)
    var peer = session(isDryRun: true)
    peer.comparesRecords = true
    let before = try store.rows()
    let facts = ResyncFacts(heldToken: held.bytes, quarantinedKeys: [#"["",{"id":3}]"#])
    let first = page([TestStore.line(1, "b", 2)], [2], hasMore: true, .resync(facts: facts))
    #expect(try peer.apply(first, fromPeer: "phone") == .applied(quarantined: 0))
    #expect(peer.refusal == nil)
    let last = page([TestStore.line(2, "a", 1)], [3], .resyncEnd(facts: nil))
    #expect(try peer.apply(last, fromPeer: "phone") == .applied(quarantined: 0))
    #expect(peer.tally.received == 4, "a change of 1, and the deletions of 4, 5 and 6")
    #expect(peer.tally.differences.isTaken.count == 4)
    #expect(peer.refusal == .tooManyDeletions(count: 3, live: 6))
    #expect(try store.rows() == before)
  }

  // MARK: What was sent

  @Test func whatIsAcknowledgedWasSent() throws {
    var peer = session()
    func page(after since: [UInt8]?) throws -> [UInt8] {
      let answer = try peer.page(PageRequest(since: since, limit: 1), forPeer: "tablet")
      guard case .page(let page) = answer else { return [] }
      return page.token
    }
    let first = try page(after: nil)
    #expect(peer.tally.sent == 0)
    let second = try page(after: first)
    try peer.acknowledge(second, byPeer: "tablet")
    #expect(peer.tally.sent == 2)
    // After a new start, unacknowledged deletions are not counted twice.
    _ = try page(after: second)
    let again = try page(after: second)
    try peer.acknowledge(again, byPeer: "tablet")
    #expect(peer.tally.sent == 3)
  }
}
