import JSONLines
@testable import Store
import SyncCore
import TestSupport
import Testing

/// A store keeps its rules, and takes over those of a peer if it has none.
@Suite(.onEveryEngine) struct StoreRulesTests {
  private let store: TestStore

  init() throws { store = try TestStore() }

  private func session() throws -> PeerStore {
    PeerStore(store.store, try store.store.rules(), maximumDrift: nil) { store.now }
  }

  private func page(_ lines: String..., rules: RecordShape? = nil) -> ReceivedPage {
    var page = ReceivedPage(lines: lines.flatMap { Array($0.utf8) + [10] }, token: [9])
    page.rules = rules
    return page
  }

  @Test func aStoreWithoutRulesTakesThoseOfItsFirstPage() throws {
    #expect(try store.store.rules() == nil)
    var session = try session()
    _ = try session.apply(page(TestStore.line(1, "a", 1), rules: .chores), fromPeer: "phone")
    #expect(session.tally.hasAdoptedRules)
    #expect(try store.store.rules()?.rules == RecordShape.chores.rules)
    _ = try session.apply(page(TestStore.line(2, "b", 1), rules: .chores), fromPeer: "phone")
    #expect(try store.lines.count == 2)
  }

  /// Both are stored, or neither is.
  @Test func aPageThatIsRefusedSettlesNothing() throws {
    var session = PeerStore(store.store, RecordShape(), limit: .count(-1), maximumDrift: nil) { store.now }
    #expect(try session.apply(page(TestStore.line(1, "a", 1), rules: .chores), fromPeer: "phone") == .refused)
    #expect(try store.store.rules() == nil)
    #expect(!session.tally.hasAdoptedRules)
  }

  @Test func anEmptyAnswerSettlesNothing() throws {
    var session = try session()
    _ = try session.apply(page(), fromPeer: "phone")
    #expect(try store.store.rules() == nil)
  }

  /// Between two sides without rules a session may last until one of them gets rules.
  @Test func rulesThatComeMeanwhileAreGivenToWhoHasNone() throws {
    var session = try session()
    var request = PageRequest(since: nil, limit: nil)
    request.wantsRules = true
    let empty = try given(&session, request)
    #expect(empty.rules == nil && empty.lines.isEmpty)
    try store.put(TestStore.line(1, "a", 1))
    try store.store.write { try store.store.setRules(.chores) }
    let page = try given(&session, request)
    #expect(page.rules == RecordShape.chores.rules && !page.lines.isEmpty)
    request.wantsRules = false
    #expect(try session.page(request, forPeer: "phone") == .busy, "nobody has compared the rules")
  }

  private func given(_ session: inout PeerStore, _ request: PageRequest) throws -> StorePage {
    let answer = try session.page(request, forPeer: "phone")
    guard case .page(let page) = answer else { throw NoPage() }
    return page
  }

  private struct NoPage: Error {}

  @Test func rulesThatChangeEndASession() throws {
    var session = PeerStore(store.store, RecordShape(), maximumDrift: nil) { store.now }
    try store.store.write { try store.store.setRules(.chores) }
    #expect(try session.apply(page(TestStore.line(1, "a", 1)), fromPeer: "phone") == .busy)
    #expect(try session.page(PageRequest(since: nil, limit: nil), forPeer: "phone") == .busy)
    #expect(try store.lines.isEmpty)
  }

  @Test func plainRecordsOfAPeerAreKeptAside() throws {
    var session = try session()
    let record = page(TestStore.record(1, "a", 1))
    #expect(try session.apply(record, fromPeer: "phone") == .applied(quarantined: 1))
    #expect(try store.lines.isEmpty)
  }

  /// Neither other rules nor a retry make it a change: its members have the meaning of the peer's rules,
  /// which are unknown here.
  @Test func aPlainRecordOfAPeerIsLetInByANumberOnly() throws {
    var session = try session()
    _ = try session.apply(page(TestStore.record(1, "a", 1)), fromPeer: "phone")
    let number = try #require(try store.store.quarantined().first?.number)
    for scope in [QuarantineRetry.due, .all] {
      let retried = try store.store.write { try store.store.retryQuarantine(.chores, nil, scope) }
      #expect(retried.released == 0)
    }
    #expect(
      try store.store.write { try store.store.retryQuarantine(.chores, nil, .number(number)) }.released == 1)
  }

  // MARK: Changing

  @Test func recordsThatMergeByAnotherRuleGoOutAgain() throws {
    let event = #"{"entityName":"CompletionEvent","identity":{"id":"c"},"modifiedAt":null,"fields":{}}"#
    try store.apply([TestStore.line(1, "a", 1), event], from: "phone")
    let before = try store.place(of: TestStore.line(1, "a", 1))?.sequence
    #expect(try store.store.write { try store.store.changeRules(.chores) } == 1)
    #expect(try store.place(of: event)?.origin == -store.peer("phone").number)
    #expect(try store.place(of: TestStore.line(1, "a", 1))?.sequence == before)
  }

  @Test func rulesThatGiveOtherKeysAreRefused() throws {
    let line =
      #"{"entityName":"Task","identity":{"id":"6F2C9A4E-0000-4000-8000-000000000001"},"modifiedAt":null,"fields":{}}"#
    try store.apply(line, from: "phone")
    var shape = RecordShape()
    shape.profile = try Profile(parsing: Array(#"{"entities":{"Task":{"identity":"uuid"}}}"#.utf8).span)
    #expect(throws: StoreError.keysDiffer(entity: "Task")) {
      try store.store.write { try store.store.changeRules(shape) }
    }
    #expect(try store.store.rules() == nil)
  }

  @Test func entitiesAreThoseOfTheKeys() throws {
    let named = { (entity: String, id: Int) in
      #"{"entityName":"\#(entity)","identity":{"id":\#(id)},"modifiedAt":null}"#
    }
    try store.apply(
      [named("", 1), named("B", 1), named("B", 2), named("A,", 3), named(#"q\""#, 1)], from: "p")
    #expect(try store.store.entities() == ["", "A,", "B", "q\""])
    #expect(try store.store.entities(upTo: 2) == ["", "A,"])
  }

  // MARK: First contact

  private func given(
    _ session: inout PeerStore, since: [UInt8]? = nil, acked: [UInt8]?, isResync: Bool = false
  ) throws -> Int {
    var request = PageRequest(since: since, limit: 300, isResync: isResync, acked: acked)
    var (answer, count) = (try session.page(request, forPeer: "phone"), 0)
    while case .page(let page) = answer {
      count += page.lines.count { $0 == 10 }
      guard page.hasMore else { break }
      (request.since, request.isResync) = (page.token, false)
      answer = try session.page(request, forPeer: "phone")
    }
    return count
  }

  /// On every page of the answer, not only on the first.
  @Test func whatHasJustComeFromTheAskerIsNotSentBack() throws {
    try store.put(TestStore.line(0, "own", 1))
    try store.store.write { try store.store.setRules(RecordShape()) }
    var session = try session()
    let lines = (1...9).map { TestStore.line($0, "a", 1) }
    _ = try session.apply(
      ReceivedPage(lines: lines.flatMap { Array($0.utf8) + [10] }, token: [9]), fromPeer: "phone")
    try store.put(TestStore.line(10, "own", 1), TestStore.line(11, "own", 1))
    #expect(try given(&session, acked: [9]) == 3)
    #expect(try given(&session, acked: nil) == 12)
    #expect(try given(&session, acked: [8]) == 12, "the requester was restored")
    #expect(try given(&session, acked: []) == 12)
  }

  /// Its token is older than the changes that it has lost, so all of these come after it.
  @Test func anAskerThatWasRestoredGetsItsOwnChangesBack() throws {
    try store.put(TestStore.line(0, "own", 1))
    try store.store.write { try store.store.setRules(RecordShape()) }
    let before = try store.store.currentToken().bytes
    var session = try session()
    let lost = TestStore.line(1, "a", 1)
    _ = try session.apply(ReceivedPage(lines: Array(lost.utf8) + [10], token: [9]), fromPeer: "phone")
    #expect(try given(&session, since: before, acked: [9]) == 0)
    #expect(try given(&session, since: before, acked: [8]) == 1)
    #expect(try given(&session, since: before, acked: nil) == 1)
  }

  /// The requester may have lost the changes after the checkpoint.
  @Test func nothingIsLeftOutWhileTheAskerIsReadAnew() throws {
    try store.store.write { try store.store.setRules(RecordShape()) }
    var session = try session()
    _ = try session.apply(page(TestStore.line(1, "a", 1)), fromPeer: "phone")
    _ = try store.store.write { try store.store.beginReplacement(from: store.peer("phone")) }
    #expect(try given(&session, acked: [9]) == 1)
  }
}
