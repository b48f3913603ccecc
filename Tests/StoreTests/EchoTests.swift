@testable import Store
import SyncCore
import TestSupport
import Testing

/// Which peer a change is sent to, depending on its origin.
@Suite(.onEveryEngine) struct EchoTests {
  private let store: TestStore
  private let start: StoreToken
  private let a = TestStore.line(1, "a", 1)

  init() throws {
    store = try TestStore()
    try store.put(TestStore.line(9, "z", 1))
    start = try store.token
    try store.apply([], from: "tablet")
    try store.apply(a, from: "phone")
  }

  @Test func changesThatCameFromTheAskerAreLeftOut() throws {
    #expect(try store.since(start, for: "phone").lines == [])
  }

  @Test func onlyWhenItsRequestCarriesAValidToken() throws {
    #expect(try store.since(nil, for: "phone").lines.contains(a))
    let page = try store.since(nil, for: "phone", limits: .init(lines: 1)).end.token
    #expect(try store.since(page, for: "phone").lines == [a], "a page of a complete answer")
  }

  @Test func relayedChangesStillGoToThirdPeers() throws {
    #expect(try store.since(start, for: "tablet").lines == [a])
  }

  @Test func anEqualChangeAllotsNoSequence() throws {
    let token = try store.token
    #expect(try store.apply(a, from: "tablet").same == 1)
    #expect(try store.token == token)
  }

  @Test func overVersion1EqualAfterPackingAllotsNoSequence() throws {
    try store.put(#"{"id":5,"n":1.5,"on":true,"updatedAt":"2025-05-01T10:00:00.789Z"}"#)
    let token = try store.token
    let echo =
      #"{"entityName":"","identity":{"id":5},"fields":{"updatedAt":"2025-05-01T10:00:00.789Z","on":true,"n":1.5,"id":5},"#
      + #""modifiedAt":"2025-05-01T10:00:00Z"}"#
    #expect(try store.apply([echo], from: "tablet", equality: .packed(nil)).same == 1)
    #expect(try store.token == token)
    let other = echo.replacing("1.5", with: "2.5")
    #expect(try store.apply([other], from: "tablet", equality: .packed(nil)).lost == 1)
    #expect(try store.apply([echo], from: "tablet").lost == 1, "over version 2 it is another line")
  }

  /// The wire of version 1 truncates times, so that a line looks earlier than it was.
  @Test func whatWasRecordedInTheSameSecondStays() throws {
    let store = try TestStore(profile: Profile.chores)
    let done =
      #"{"entityName":"Occurrence","identity":{"id":"o"},"modifiedAt":"2025-05-02T09:00:00.700Z","fields":{"statusRaw":"skipped","completedAt":"2025-05-02T08:00:00.500Z","notes":"mmm"}}"#
    let event =
      #"{"entityName":"CompletionEvent","identity":{"id":"c"},"modifiedAt":"2025-05-02T09:00:00.700Z","fields":{"memberID":"ann"}}"#
    try store.put(done, event)
    let token = try store.token
    func cut(_ line: String) -> String { line.replacing(".700Z", with: "Z").replacing(".500Z", with: "Z") }
    let others = [
      cut(done).replacing("mmm", with: "zzz"), cut(done).replacing("skipped", with: "completed"),
      // Written into it an hour later: the truncated time is the time of the line.
      cut(done).replacing("T09", with: "T10").replacing("mmm", with: "zzz"),
      cut(event).replacing("ann", with: "ben"),
    ]
    for other in others {
      #expect(try store.apply([other], from: "phone", equality: .packed(nil)).lost == 1, "\(other)")
    }
    #expect(try store.lines == [event, done])
    #expect(try store.since(token, for: "phone").lines.sorted() == [event, done], "they go out again")
    // A second earlier it was the earlier line, and version 2 truncates no time.
    let earlier = cut(event).replacing("09:00:00", with: "08:59:59").replacing("ann", with: "ben")
    #expect(try store.apply([earlier], from: "phone", equality: .packed(nil)).taken == 1)
    #expect(try store.apply([cut(done)], from: "phone").taken == 1)
  }

  /// However long it was in quarantine.
  @Test(arguments: [ChangeEquality.packed(nil), .bytes])
  func whatWasCutIsTriedAgainAsCut(equality: ChangeEquality) throws {
    let store = try TestStore(profile: Profile.chores)
    let event =
      #"{"entityName":"CompletionEvent","identity":{"id":"c"},"modifiedAt":"2025-05-02T09:00:00.700Z","fields":{"memberID":"ann"}}"#
    try store.put(event)
    let other = event.replacing(".700Z", with: "Z").replacing("ann", with: "ben")
    let released = try store.store.write {
      var intake = try PeerIntake(
        store.store, from: store.store.peer(seen: "phone", now: store.now), store.shape, equality: equality)
      let bytes = Array(other.utf8)
      try intake.keepAside(bytes.span, try store.key(other), "clockAhead", until: nil, store.now)
      return try store.store.retryQuarantine(store.shape, nil, .all).released
    }
    #expect(released == 1)
    #expect(try store.lines == [equality.isCut ? event : other])
  }

  @Test func aLosingChangeGivesTheStoredWinnerANegativeOriginAndANewSequence() throws {
    let sequence = try #require(try store.place(of: a)).sequence
    #expect(
      try store.apply(TestStore.line(1, "older", 1).replacing("05-01", with: "04-01"), from: "phone").lost
        == 1)
    let row = try #require(try store.place(of: a))
    #expect(try row.origin == -store.peer("phone").number)
    #expect(row.sequence > sequence)
    #expect(try store.since(start, for: "phone").lines == [a])
  }

  /// It also stays a change of another device, about which a command is told.
  @Test func aWinnerThatCameFromAPeerGoesToEveryPeer() throws {
    let (number, winner) = (try store.store.currentToken().sequence, TestStore.line(7, "new", 2))
    try store.apply(winner, from: "tablet")
    #expect(try store.apply([TestStore.line(7, "older", 1)], from: "phone").lost == 1)
    var told: [String] = []
    try store.store.forEachArrival(after: number, fromOthers: true) { entry in
      told.append(String(decoding: entry.line, as: UTF8.self))
      #expect(entry.peer == "tablet")
    }
    #expect(told == [winner])
    for name in ["phone", "tablet"] { #expect(try store.since(start, for: name).lines.contains(winner)) }
    let tablet = try store.peer("tablet")
    #expect(try store.store.write { try store.store.forget(tablet) })
    #expect(try store.place(of: winner)?.origin == StoredRow.Place.forgotten)
  }

  /// A command that failed gets the change again, also after its sender was removed.
  @Test(arguments: [true, false]) func aChangeOfAForgottenPeerStaysAChangeOfOthers(isSentToAll: Bool) throws {
    let (number, change) = (try store.store.currentToken().sequence, TestStore.line(7, "new", 2))
    try store.apply(change, from: "watch")
    if isSentToAll { try store.apply([TestStore.line(7, "older", 1)], from: "phone") }
    let watch = try store.peer("watch")
    #expect(try store.store.write { try store.store.forget(watch) })
    var told: [String] = []
    try store.store.forEachArrival(after: number, fromOthers: true) { entry in
      told.append(String(decoding: entry.line, as: UTF8.self))
      #expect(entry.peer == nil)
    }
    #expect(told == [change])
    // The number belongs to another peer now, which lacks the change.
    try store.apply(TestStore.line(8, "other", 1), from: "clock")
    #expect(try store.peer("clock").number == watch.number)
    for name in ["clock", "tablet", "phone"] {
      #expect(try store.since(start, for: name).lines.contains(change))
    }
  }

  /// The number of no peer must not be an origin.
  @Test func aRemoteThatIsNotKnownLacksWhatGoesToEveryPeer() throws {
    let store = try TestStore()
    try store.apply(TestStore.line(7, "new", 2), from: "tablet")
    try store.apply(TestStore.line(7, "older", 1), from: "phone")
    var states: [RecordState] = []
    try store.store.forEachState(for: nil, Differences()) { _, state, _ in states.append(state) }
    #expect(states == [.pendingPush])
  }

  @Test func whereThatPeerHasAckedTheWinnerItGoesOutAgain() throws {
    let token = try store.token
    try store.acknowledge("phone", token)
    try store.apply(TestStore.line(1, "older", 1).replacing("05-01", with: "04-01"), from: "phone")
    #expect(try store.since(token, for: "phone").lines == [a])
  }

  /// The ack may have been lost, and the peer's token may be later.
  @Test func itGoesOutAgainWhoeverHasAckedIt() throws {
    let token = try store.token
    try store.acknowledge("tablet", token)
    try store.apply(TestStore.line(1, "older", 1).replacing("05-01", with: "04-01"), from: "phone")
    #expect(try store.since(token, for: "phone").lines == [a])
  }

  /// Over version 1 absent fields keep their value, and null clears a field.
  @Test(arguments: [
    #"{"entityName":"","identity":{"id":"1"},"modifiedAt":"2025-05-01T00:00:00Z","fields":{"title":"a","tags":["x"],"note":"n"}}"#,
    #"{"id":"1","title":"a","tags":["x"],"note":"n","updatedAt":"2025-05-01T00:00:00Z"}"#,
  ])
  func anEditKeepsWhatTheWireHasCut(_ own: String) throws {
    let store = try TestStore()
    try store.apply([own], from: "laptop")
    let edit =
      #"{"entityName":"","identity":{"id":"1"},"modifiedAt":"2025-05-02T00:00:00Z","version":1,"fields":{"title":"b","note":null}}"#
    try store.apply([edit], from: "phone", equality: .packed(nil))
    let line = try #require(try store.lines.first)
    #expect(line.hasPrefix(edit.dropLast(2)))
    #expect(line.contains(#","tags":["x"]"#))
    #expect(!line.contains(#""note":"n""#))
    #expect(try store.apply([edit], from: "phone", equality: .packed(nil)).taken == 0)
    // Version 2 sends complete lines.
    let whole = edit.replacing("05-02", with: "05-03")
    try store.apply([whole], from: "phone")
    #expect(try store.lines == [whole])
  }
}
