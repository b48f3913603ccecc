import JSONLines
@testable import Store
import SyncCore
import TestSupport
import Testing

/// The operations that a dialogue needs from a store, with the real one.
@Suite(.onEveryEngine) struct PeerStoreTests {
  private let store: TestStore
  private var peer: PeerStore
  private let token: [UInt8] = [9]

  init() throws {
    let store = try TestStore()
    self.store = store
    peer = Self.peer(store)
  }

  private static func peer(_ store: TestStore, limit: DeleteLimit = .default) -> PeerStore {
    PeerStore(store.store, store.shape, limit: limit, maximumDrift: .seconds(300)) { store.now }
  }

  private func page(
    _ lines: [String], token: [UInt8] = [9], _ mode: ReceivedPage.Mode = .merge
  ) -> ReceivedPage {
    ReceivedPage(lines: lines.flatMap { Array($0.utf8) + [10] }, token: token, mode: mode)
  }

  private func lines(_ answer: PageAnswer) -> [String] {
    guard case .page(let page) = answer else { return ["\(answer)"] }
    return String(decoding: page.lines, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  // MARK: Asking

  /// Two sessions with one peer have begun at one checkpoint; the older answer comes later.
  @Test mutating func aCheckpointIsNotMovedBack() throws {
    var other = Self.peer(store)
    #expect(try peer.checkpoint(onPeer: "phone") == nil && other.checkpoint(onPeer: "phone") == nil)
    _ = try peer.apply(page([TestStore.line(1, "a", 1)], token: [20]), fromPeer: "phone")
    var older = page([], token: [10])
    older.hasMore = true
    _ = try other.apply(older, fromPeer: "phone")
    #expect(try other.checkpoint(onPeer: "phone") == [20])
    _ = try other.apply(page([], token: [11]), fromPeer: "phone")
    #expect(try peer.checkpoint(onPeer: "phone") == [20])
    // The next turn begins at the checkpoint, and moves it.
    #expect(try other.checkpoint(onPeer: "phone") == [20])
    _ = try other.apply(page([], token: [21]), fromPeer: "phone")
    #expect(try peer.checkpoint(onPeer: "phone") == [21])
    // A server does not read the checkpoint of a client first.
    var request = Self.peer(store)
    _ = try request.apply(page([], token: [30]), fromPeer: "phone")
    #expect(try peer.checkpoint(onPeer: "phone") == [30])
  }

  /// The peer has acknowledged the change with the wrong clock, but has it in quarantine.
  @Test mutating func anEditThatLosesAgainstAWrongClockIsKept() throws {
    try store.put(
      #"{"id":1,"title":"wrong","updatedAt":"2031-01-01T00:00:00Z"}"#,
      #"{"id":2,"title":"right","updatedAt":"2025-05-09T00:00:00Z"}"#)
    try store.acknowledge("phone", store.token)
    _ = try peer.apply(page([TestStore.line(1, "a", 2), TestStore.line(2, "b", 2)]), fromPeer: "phone")
    let kept = try store.store.read { try store.store.conflicts().map(\.line) }
    #expect(kept == [Array(TestStore.line(1, "a", 2).utf8)])
  }

  @Test mutating func aPageAndItsCheckpointAreOneTransaction() throws {
    #expect(try peer.checkpoint(onPeer: "phone") == nil)
    #expect(try peer.apply(page([TestStore.line(1, "a", 1)]), fromPeer: "phone") == .applied(quarantined: 0))
    #expect(try peer.checkpoint(onPeer: "phone") == token)
    peer = Self.peer(store, limit: .count(0))
    let refused = page([TestStore.line(3, "c", 1), TestStore.delete(1, 2)], token: [10])
    #expect(try peer.apply(refused, fromPeer: "phone") == .refused)
    #expect(try peer.checkpoint(onPeer: "phone") == token)
    #expect(try store.lines == [TestStore.line(1, "a", 1)])
  }

  @Test mutating func anEmptyTokenMovesNoCheckpoint() throws {
    _ = try peer.apply(page([]), fromPeer: "phone")
    _ = try peer.apply(page([TestStore.line(1, "a", 1)], token: []), fromPeer: "phone")
    #expect(try peer.checkpoint(onPeer: "phone") == token)
  }

  /// A UUID may have upper-case or lower-case letters: it is one peer, with one checkpoint.
  @Test mutating func anIdInOtherLettersIsThatOfTheSamePeer() throws {
    let id = "6f2c9a4e-0000-4000-8000-00000000000a"
    _ = try peer.apply(page([TestStore.line(1, "a", 1)]), fromPeer: id)
    #expect(try peer.checkpoint(onPeer: id.uppercased()) == token)
    _ = try peer.apply(page([TestStore.line(2, "b", 1)], token: [10]), fromPeer: id.uppercased())
    #expect(try peer.checkpoint(onPeer: id) == [10])
    #expect(try store.store.peers().map(\.id) == [id])
    #expect(try store.store.knownPeer("6F2C9A4E").id == id)
  }

  /// A person may type the beginning of an id; two peers whose ids begin alike are different.
  @Test mutating func noPeerIsTakenForAnother() throws {
    _ = try peer.apply(page([TestStore.line(1, "a", 1)]), fromPeer: "phone-of-sam")
    #expect(try peer.checkpoint(onPeer: "phone") == nil)
    #expect(try peer.checkpoint(onPeer: "phone-of-sa") == nil)
  }

  @Test mutating func whatIsNoChangeIsKeptAsideAndTheRestGoesOn() throws {
    var received = page([#"{"x":1}"#, TestStore.line(1, "a", 1), TestStore.line(2, "b", 1)])
    received.unusable = [UnusableEntry(text: Array("{}".utf8), code: .unknownTag)]
    #expect(try peer.apply(received, fromPeer: "phone") == .applied(quarantined: 2))
    #expect(try store.lines.count == 2)
    #expect(try store.store.quarantined().map(\.reason) == ["noKey", "unknownTag"])
  }

  /// It has the members of a change line, but is not one.
  @Test mutating func anEntryOfTheOldWireIsNeverTakenForAChange() throws {
    let entry =
      #"{"entityName":"E","identity":{"key":"id","value":{"type":"uuid"}},"fields":{},"modifiedAt":"2025-05-01T00:00:00Z"}"#
    var received = page([])
    received.unusable = [UnusableEntry(text: Array(entry.utf8), code: .unknownTag)]
    #expect(try peer.apply(received, fromPeer: "phone") == .applied(quarantined: 1))
    peer = Self.peer(store)
    _ = try peer.apply(page([], token: [10]), fromPeer: "phone")
    #expect(try store.lines == [])
    let kept = try store.store.quarantined().map { String(decoding: $0.line, as: UTF8.self) }
    #expect(kept == ["{\"wireEntry\":\(entry)}"])
  }

  /// Stored changes must fit into a message again.
  @Test mutating func whatIsTooMuchForAStoreIsKeptAside() throws {
    func nested(_ id: Int, _ levels: Int) -> String {
      let arrays = String(repeating: "[", count: levels - 2) + String(repeating: "]", count: levels - 2)
      return
        #"{"entityName":"","identity":{"id":\#(id)},"modifiedAt":"2025-05-01T00:00:00Z","fields":{"a":\#(arrays)}}"#
    }
    let long = TestStore.line(3, String(repeating: "x", count: StorableLine.longest), 1)
    let received = page([nested(1, 510), nested(2, 511), long, TestStore.line(4, "d", 1)])
    #expect(try peer.apply(received, fromPeer: "phone") == .applied(quarantined: 2))
    #expect(try store.store.quarantined().map(\.reason) == ["nestingTooDeep", "lineTooLarge"])
    #expect(try store.lines == [nested(1, 510), TestStore.line(4, "d", 1)])
    let released = try store.store.write {
      try store.store.retryQuarantine(store.shape, nil).released
    }
    #expect(released == 0)
  }

  // MARK: Resync

  private mutating func resync(_ pages: [[String]], facts: ResyncFacts) throws {
    for (index, lines) in pages.enumerated() {
      let facts = index == 0 ? facts : nil
      let mode: ReceivedPage.Mode =
        index == pages.count - 1 ? .resyncEnd(facts: facts) : .resync(facts: facts)
      _ = try peer.apply(page(lines, token: [UInt8(20 + index)], mode), fromPeer: "phone")
    }
  }

  @Test mutating func aResyncRemovesWhatNoPageHas() throws {
    _ = try peer.apply(page((1...4).map { TestStore.line($0, "a", 1) }), fromPeer: "phone")
    let held = try store.token
    try peer.acknowledge(held.bytes, byPeer: "phone")
    try store.put(TestStore.line(9, "own", 1))
    let facts = ResyncFacts(heldToken: held.bytes, quarantinedKeys: [#"["",{"id":2}]"#])
    try resync([[TestStore.line(1, "a", 1)], [TestStore.line(3, "a", 1)]], facts: facts)
    let live = try store.lines.filter { !$0.contains("deletedAt") }
    #expect(live.count == 4, "1 and 3 are there, 2 is in quarantine, 9 is our own")
    #expect(peer.tally.received == 5, "the deletion of 4 counts too")
    #expect(try peer.checkpoint(onPeer: "phone") == [21])
  }

  /// Longer than a key of a database can be.
  @Test mutating func aResyncPassesOverLongKeysInQuarantine() throws {
    try store.put(TestStore.line(1, "a", 1))
    let long = (0..<20_000).map { _ in "\(Int.random(in: 0...9))" }.joined()
    let facts = ResyncFacts(heldToken: [], quarantinedKeys: [long, "short"])
    let answer = try peer.apply(page([], .resyncEnd(facts: facts)), fromPeer: "phone")
    guard case .applied = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(try store.lines.count == 1)
  }

  /// Records that are absent there may have been dropped for their age, or refused.
  @Test mutating func aStoreThatHasPrunedHoldsNothingForWhoRemovesWhatIsAbsent() throws {
    let request = PageRequest(since: nil, limit: nil, isResync: true)
    _ = try peer.apply(page([TestStore.line(1, "a", 1)]), fromPeer: "phone")
    #expect(try resyncFacts(request)?.heldToken == token)
    _ = try store.store.write { try store.store.prune("", before: store.now, store.shape) }
    #expect(try resyncFacts(request)?.heldToken == [])
  }

  @Test mutating func soDoesAStoreThatHasMoreInQuarantineThanAMessageCanName() throws {
    let request = PageRequest(since: nil, limit: nil, isResync: true)
    _ = try peer.apply(page([TestStore.line(1, "a", 1)]), fromPeer: "phone")
    func quarantine(_ count: Int) throws {
      try store.store.write {
        for id in 0..<count {
          let key = Array("[\"\",{\"id\":\"\(id)\(String(repeating: "x", count: 60_000))\"}]".utf8)
          let peer = try store.peer("phone")
          try store.store.quarantine(key.span, key: key, reason: "clockAhead", from: peer, now: store.now)
        }
      }
    }
    try quarantine(17)
    #expect(try resyncFacts(request)?.quarantinedKeys.count == 17)
    try quarantine(18)
    #expect(try resyncFacts(request) == ResyncFacts())
  }

  /// The peer has read changes that this store does not know any more, and has forgotten deletions since.
  @Test mutating func aStoreThatWasRestoredSaysWhatItKeeps() throws {
    _ = try peer.apply(page((1...3).map { TestStore.line($0, "a", 1) }), fromPeer: "phone")
    let other = try TestStore()
    try other.put(TestStore.line(1, "a", 1))
    let foreign = try other.token.bytes
    try resync([[TestStore.line(1, "a", 1)], []], facts: ResyncFacts(heldToken: foreign))
    #expect(peer.tally.keptAfterRestore == 2)
    #expect(try store.lines.count == 3)
  }

  private mutating func resyncFacts(_ request: PageRequest) throws -> ResyncFacts? {
    guard case .page(let page) = try peer.page(request, forPeer: "phone") else { return nil }
    return page.resync
  }

  /// A tombstone that leaves quarantine deletes as a new one does.
  ///
  /// Too many of them stay there, and do not block the changes of other peers.
  @Test mutating func whatLeavesQuarantineCountsTowardsTheLimit() throws {
    peer = Self.peer(store, limit: .count(1))
    try store.put(TestStore.line(1, "a", 1), TestStore.line(2, "b", 1))
    store.now = Instant("2025-05-01T00:00:00Z")!
    _ = try peer.apply(page([TestStore.delete(1, 9)]), fromPeer: "phone")
    _ = try peer.apply(page([TestStore.delete(2, 9)]), fromPeer: "tablet")
    store.now = Instant("2025-06-01T00:00:00Z")!
    peer = Self.peer(store, limit: .count(1))
    let other = page([TestStore.line(3, "c", 1)], token: [10])
    #expect(try peer.apply(other, fromPeer: "laptop") == .applied(quarantined: 0))
    #expect(try store.store.live == 3 && store.store.quarantineCount() == 2)
    peer = Self.peer(store, limit: .count(2))
    let empty = page([], token: [11])
    #expect(try peer.apply(empty, fromPeer: "laptop") == .applied(quarantined: 0, isIdle: true))
    #expect(try store.store.live == 1 && store.store.quarantineCount() == 0)
  }

  /// The deletions of one peer must not use up what is allowed to another.
  @Test mutating func deletionsInQuarantineComeAfterThePeersOwn() throws {
    for id in 1...3 { try store.put(TestStore.line(id, "a", 1)) }
    store.now = Instant("2025-05-01T00:00:00Z")!
    _ = try peer.apply(page([TestStore.delete(1, 9), TestStore.delete(2, 9)]), fromPeer: "phone")
    store.now = Instant("2025-06-01T00:00:00Z")!
    peer = Self.peer(store, limit: .count(2))
    let own = page([TestStore.delete(3, 9)], token: [10])
    #expect(try peer.apply(own, fromPeer: "tablet") == .applied(quarantined: 0))
    #expect(try store.store.live == 2 && store.store.quarantineCount() == 2)
    let empty = page([], token: [11])
    #expect(try peer.apply(empty, fromPeer: "tablet") == .applied(quarantined: 0, isIdle: true))
    #expect(try store.store.live == 0 && store.store.quarantineCount() == 0)
    #expect(peer.tally.received == 3)
  }

  @Test mutating func aResyncMovesTheCheckpointWithItsLastPageOnly() throws {
    _ = try peer.apply(page([TestStore.line(1, "a", 1)]), fromPeer: "phone")
    let first = ReceivedPage.Mode.resync(facts: ResyncFacts())
    _ = try peer.apply(page([TestStore.line(1, "a", 1)], token: [20], first), fromPeer: "phone")
    #expect(try peer.checkpoint(onPeer: "phone") == token)
  }

  // MARK: Answering

  @Test mutating func aTokenThatIsNoneIsForeign() throws {
    try store.put(TestStore.line(1, "a", 1))
    #expect(try peer.page(PageRequest(since: [1, 2, 3], limit: nil), forPeer: "phone") == .tokenForeign)
    let other = try TestStore()
    let token = try other.token.bytes
    #expect(try peer.page(PageRequest(since: token, limit: nil), forPeer: "phone") == .tokenForeign)
  }

  @Test mutating func aPageHasALineAtLeastAndEndsAtTheLimit() throws {
    for id in 1...3 { try store.put(TestStore.line(id, "a", 1)) }
    var since: [UInt8]?
    var pages: [[String]] = []
    var remaining: [Int] = []
    repeat {
      let answer = try peer.page(PageRequest(since: since, limit: 1), forPeer: "phone")
      guard case .page(let page) = answer else { break }
      pages.append(lines(answer))
      remaining.append(page.remaining)
      since = page.hasMore ? page.token : nil
    } while since != nil
    #expect(pages.map(\.count) == [1, 1, 1])
    #expect(remaining == [2, 1, 0])
  }

  @Test mutating func theRestOfAnAnswerIsKnownBetweenPages() throws {
    var page = ReceivedPage(lines: Array(TestStore.line(1, "a", 1).utf8) + [10], token: [1])
    (page.hasMore, page.remaining) = (true, 41)
    _ = try peer.apply(page, fromPeer: "phone")
    #expect((peer.tally.moved, peer.tally.left) == (1, 41))
    page.token = [2]
    page.hasMore = false
    _ = try peer.apply(page, fromPeer: "phone")
    #expect((peer.tally.moved, peer.tally.left) == (2, 0))
  }

  @Test mutating func anAckOfAnotherStoreIsPassedOver() throws {
    try store.put(TestStore.line(1, "a", 1))
    let own = try store.token
    try peer.acknowledge(own.bytes, byPeer: "phone")
    let other = try TestStore()
    try other.put(TestStore.line(1, "a", 1))
    let foreign = try other.token.bytes
    try peer.acknowledge(foreign, byPeer: "phone")
    #expect(try store.store.acknowledged(by: store.peer("phone")) == own.sequence)
  }

  @Test mutating func aChangeIsOneSinceTheLastPage() throws {
    try store.put(TestStore.line(1, "a", 1))
    _ = try peer.page(PageRequest(since: nil, limit: nil), forPeer: "phone")
    #expect(try !peer.hasChanged())
    try store.put(TestStore.line(2, "b", 1))
    #expect(try peer.hasChanged())
  }
}
