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
