@testable import Store
import SyncCore
import TestSupport
import Testing

/// After `tokenForeign` and after `tokenExpired`.
@Suite(.onEveryEngine) struct ResyncTests {
  private let store: TestStore
  init() throws { store = try TestStore() }

  @Test func afterTokenForeignTheOriginOfWhatCameFromThatPeerIsClearedAndItGetsANewSequence() throws {
    try store.apply(TestStore.line(1, "a", 1), from: "phone")
    try store.apply(TestStore.line(2, "b", 1), from: "tablet")
    let token = try store.token
    try store.store.write { try store.store.resend(to: store.peer("phone")) }
    #expect(try store.since(token, for: "phone").lines == [TestStore.line(1, "a", 1)])
    #expect(try store.lines.count == 2)
  }

  /// Two records of the peer; its complete answer has one of them.
  private func replace(
    seen: [Int] = [1], acknowledged: StoreToken?, theirs: StoreToken?, limit: DeleteLimit = .off,
    in store: TestStore
  ) throws -> Int {
    if let acknowledged { try store.acknowledge("phone", acknowledged) }
    return try store.store.write {
      let peer = try store.store.peer(seen: "phone", now: store.now)
      try store.store.beginReplacement(from: peer)
      for id in seen { try store.noteSeen(TestStore.line(id, "", 1), from: peer) }
      return try store.store.finishReplacement(from: peer, theirs: theirs, store.shape, limit)
    }
  }

  private func filled() throws -> StoreToken {
    try store.apply(TestStore.line(1, "a", 1), TestStore.line(2, "b", 1), from: "phone")
    return try store.token
  }

  @Test func whatIsAbsentAndWasThereIsRemovedByATombstoneAMillisecondLater() throws {
    let token = try filled()
    #expect(try replace(acknowledged: token, theirs: token, in: store) == 1)
    let lines = try store.lines
    #expect(lines[1] == #"{"entityName":"","identity":{"id":2},"deletedAt":"2025-05-01T00:00:00.001Z"}"#)
  }

  @Test func whatIsQuarantinedThereStays() throws {
    let token = try filled()
    #expect(try replace(seen: [1, 2], acknowledged: token, theirs: token, in: store) == 0)
  }

  @Test func whatIsAboveTheirCheckpointOrOurLastAckStays() throws {
    let before = try store.token
    let token = try filled()
    #expect(try replace(acknowledged: token, theirs: before, in: store) == 0)
    #expect(try replace(acknowledged: token, theirs: nil, in: store) == 0)
    #expect(try replace(acknowledged: before, theirs: token, in: store) == 0)
    #expect(try store.lines.count == 2)
  }

  @Test func whereTheRuleRefusesTheTombstoneTheRecordStaysAndIsSentAgain() throws {
    let store = try TestStore(profile: #"{"entities":{"*":{"rule":"append-only"}}}"#)
    try store.apply(TestStore.line(1, "a", 1), TestStore.line(2, "b", 1), from: "phone")
    let token = try store.token
    #expect(try replace(acknowledged: token, theirs: token, limit: .count(0), in: store) == 0)
    #expect(try store.lines.count == 2)
    #expect(try store.since(token, for: "phone").lines == [TestStore.line(2, "b", 1)])
  }

  @Test func removalStaysWithinMaxDelete() throws {
    let token = try filled()
    #expect(throws: StoreError.tooManyDeletions(count: 1, live: 2)) {
      try replace(acknowledged: token, theirs: token, limit: .count(0), in: store)
    }
    #expect(try store.lines.count == 2)
  }

  @Test func seenKeysAreSpooledInTheStore() throws {
    let token = try filled()
    try store.acknowledge("phone", token)
    let peer = try store.peer("phone")
    try store.store.write {
      try store.store.beginReplacement(from: peer)
      try store.noteSeen(TestStore.line(1, "", 1), from: peer)
    }
    // Another process takes the last page.
    let later = try store.opened()
    let removed = try later.write {
      try later.finishReplacement(from: peer, theirs: token, store.shape, .off)
    }
    #expect(removed == 1)
    #expect(try store.lines[0] == TestStore.line(1, "a", 1))
  }

  @Test func aPageOfAReplacementNotesItsKeysThoseInQuarantineToo() throws {
    let token = try filled()
    try store.acknowledge("phone", token)
    let page = Array("\(TestStore.line(1, "a", 1))\n\(TestStore.line(2, "b", 9))\n".utf8)
    let removed = try store.store.write {
      let peer = try store.peer("phone")
      try store.store.beginReplacement(from: peer)
      let drift = DriftGuard(now: Instant("2025-05-08T00:00:00Z")!, maximum: .zero)
      var intake = try PeerIntake(store.store, from: peer, store.shape, drift: drift)
      try intake.apply(page: page.span, now: store.now, notingSeen: true)
      return try store.store.finishReplacement(from: peer, theirs: token, store.shape, .off)
    }
    #expect(removed == 0)
  }

  @Test func anInterruptedResyncStartsAgain() throws {
    let token = try filled()
    let peer = try store.peer("phone")
    try store.store.write { try store.noteSeen(TestStore.line(2, "", 1), from: peer) }
    #expect(
      try replace(acknowledged: token, theirs: token, in: store) == 1, "what was seen then does not count")
  }

  /// Neither in the peer's next request nor in its place.
  @Test func whatIsAbsentAndStaysIsSentAgain() throws {
    let before = try store.token
    try store.put(TestStore.line(3, "c", 1))
    let token = try filled()
    // The peer has read everything, but its ack was lost.
    #expect(try replace(acknowledged: before, theirs: token, in: store) == 0)
    #expect(
      try store.since(token, for: "phone").lines == [TestStore.line(3, "c", 1), TestStore.line(2, "b", 1)])
  }

  /// A store that has pruned does not report how far it has read, and would not ask for records that it has
  /// deleted and forgotten.
  @Test func whatIsAbsentIsSentAgainToWhoDoesNotSayHowFarItHasRead() throws {
    try store.put(TestStore.line(3, "c", 1))
    let token = try filled()
    #expect(try replace(seen: [1, 2], acknowledged: token, theirs: nil, in: store) == 0)
    #expect(try store.since(token, for: "phone").lines == [TestStore.line(3, "c", 1)])
  }

  @Test func aReplacementEndsWhereAnotherBegins() throws {
    try store.store.write {
      let peer = try store.store.peer(seen: "phone", now: store.now)
      let first = try store.store.beginReplacement(from: peer)
      #expect(try store.store.isUnderWay(first, from: peer))
      let second = try store.store.beginReplacement(from: peer)
      #expect(try !store.store.isUnderWay(first, from: peer))
      #expect(try store.store.isUnderWay(second, from: peer))
      _ = try store.store.finishReplacement(from: peer, theirs: nil, store.shape, .off)
      #expect(try !store.store.isUnderWay(second, from: peer))
    }
  }
}
