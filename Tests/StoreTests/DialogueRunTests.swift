import JSONLines
@testable import Store
import SyncCore
import SystemIO
import TestSupport
import Testing

/// A dialogue over descriptors.
@Suite(.onEveryEngine) struct DialogueRunTests {
  private let store: TestStore

  init() throws { store = try TestStore() }

  private func run(session: Duration?) throws -> DialogueEnd {
    let settings = try #require(
      DialogueSettings(
        role: .connector(.pull), version: .two, ownId: "phone", ownName: "phone", peerId: "mac"))
    let course = try DialogueCourse(
      settings, over: store.store, limit: .default, maximumDrift: .seconds(300)
    ) { [store] in store.now }
    var run = DialogueRun(
      course, input: try .reading("/dev/null"), output: try .appending(to: "/dev/null"),
      .init(patience: .seconds(60), message: 1 << 20, session: session))
    return try run.run()
  }

  @Test func aSessionEndsWhateverComes() throws {
    #expect(try run(session: nil) == .closed)
    #expect { try run(session: .zero) } throws: { ($0 as? Diagnostic)?.code == .timedOut }
  }

  /// A remote that always has more does not keep a run forever.
  @Test func aPairEndsToo() throws {
    let other = try TestStore()
    func course(_ role: DialogueSettings.Role, _ store: TestStore) throws -> DialogueCourse<PeerStore> {
      let settings = try #require(
        DialogueSettings(role: role, version: .two, ownId: "phone", ownName: "phone", peerId: "mac"))
      return try DialogueCourse(settings, over: store.store, limit: .default, maximumDrift: nil) { store.now }
    }
    var pair = DialoguePair(own: try course(.connector(.both), store), remote: try course(.acceptor, other))
    #expect { try pair.run(atMost: .zero) } throws: { ($0 as? Diagnostic)?.code == .timedOut }
  }

  /// Another session may learn the types of a record after this one has begun.
  @Test func anAnswerHasTheTypesLearntMeanwhile() throws {
    let text = Array(#"{"entities":{"E":{"fields":{"n":"int16"}}}}"#.utf8)
    let learnt = try WireTypes(parsing: text.span)
    try store.store.write { try store.store.setRules(RecordShape()) }
    let settings = try #require(
      DialogueSettings(role: .acceptor, version: .one, ownId: "mac", ownName: "mac", peerId: "phone"))
    var course = try DialogueCourse(
      settings, over: store.store, limit: .default, maximumDrift: nil,
      types: (known: WireTypes(), keep: { _ in }, reread: { learnt })
    ) { [store] in store.now }
    try store.put(
      #"{"entityName":"E","identity":{"id":"1"},"modifiedAt":"2025-05-01T00:00:00Z","fields":{"n":7}}"#)
    _ = try course.handle(.start)
    let request = Message(
      id: UUIDText("00000000-0000-4000-8000-000000000001")!, version: .one, sentAt: store.now,
      inReplyTo: nil, body: .syncRequest(SyncRequest(peerId: "phone", deviceName: "phone")))
    let answer = try #require(try course.handle(.message(request)).messages.first)
    let said = String(decoding: answer.line, as: UTF8.self)
    #expect(said.contains(#""n":{"type":"int16","int16Value":7}"#), "\(said)")
  }

  /// A session that follows, or answers, has unlimited time.
  @Test func aRunTakesAnHourAtMost() throws {
    var settings = try #require(
      DialogueSettings(
        role: .connector(.both), version: .two, ownId: "phone", ownName: "phone", peerId: "mac"))
    #expect(settings.longestSession == .seconds(3_600))
    settings.waitSeconds = 1
    #expect(settings.longestSession == nil)
    (settings.role, settings.waitSeconds) = (.acceptor, 0)
    #expect(settings.longestSession == nil)
  }
}
