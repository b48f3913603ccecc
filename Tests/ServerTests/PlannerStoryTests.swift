import Foundation
@testable import Store
import SyncCore
import TestSupport
import Testing

/// Three phones that push whole snapshots, with clocks that are wrong and answers that get lost.
///
/// In the end they show the same content, nothing waits, and unchanged snapshots do not get a revision.
@Suite(.onEveryEngine) struct PlannerStoryTests {
  @Test(arguments: Tries.seeds(4, soak: 300)) func allShowTheSame(seed: UInt64) throws {
    var story = try PlannerStory(seed)
    defer { story.end() }
    for _ in 0..<story.length { try story.step() }
    try story.settle()
  }
}

private struct PlannerStory {
  private var random: SplitMix64
  let length: Int
  private let server: TestServer
  private let apps = (0..<3).map { _ in PlannerApp() }
  /// How far each clock is ahead, in seconds.
  private var ahead: [Double] = []
  private var standby: [[UInt8]] = []
  /// Stories continue from this moment; the server's clock does not advance.
  private var clock = Date(timeIntervalSince1970: Double(TestServer.now.seconds) - 86_400)
  private var done: Set<UUID> = []

  init(_ seed: UInt64) throws {
    random = SplitMix64(seed: seed)
    length = Int.random(in: 20...60, using: &random)
    server = try TestServer()
    for _ in apps { ahead.append(Double(Int.random(in: -3_000...3_000, using: &random))) }
    for number in 0..<2 {
      let id = uuid()
      apps[0].members[id] = PlannerApp.Member(
        id: id, displayName: "Member \(number)", emojiSymbol: "🐸", accentColorHex: "#000000",
        isSelf: number == 0, createdAt: clock, updatedAt: clock, syncRevision: 0)
    }
    for number in 0..<2 { addTemplate(0, number) }
    for app in apps { try app.sync(server.client()) }
  }

  func end() { server.end() }

  private mutating func uuid() -> UUID {
    UUID(
      uuidString: UUIDText(random: (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) })
        .description)!
  }

  private func now(_ one: Int) -> Date { clock.addingTimeInterval(ahead[one]) }

  private mutating func addTemplate(_ one: Int, _ number: Int) {
    let id = uuid()
    apps[one].templates[id] = PlannerApp.Template(
      id: id, title: "Chore \(number)", cadenceUnitRaw: "days",
      cadenceValue: Int.random(in: 5...20, using: &random),
      leadTimeHours: 12, isActive: true, createdAt: now(one), updatedAt: now(one), startDate: clock,
      syncRevision: 0)
  }

  mutating func step() throws {
    let one = Int.random(in: 0..<apps.count, using: &random)
    clock.addTimeInterval(Double(Int.random(in: 1...900, using: &random)))
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<35: try sync(one)
    case 35..<65: finish(one)
    case 65..<80: rename(one)
    case 80..<86: addTemplate(one, Int.random(in: 3...99, using: &random))
    case 86..<90: stop(one)
    case 90..<95: standby = try standby.suffix(3) + [server.store().bytes()]
    default: try failOver()
    }
  }

  private mutating func sync(_ one: Int) throws {
    let transport = LossyTransport(try server.client(), oneIn: 5, seed: random.next())
    do {
      if random.oneIn(4) { try apps[one].pull(transport) } else { try apps[one].sync(transport) }
    } catch is LossyTransport.Lost {}
  }

  private mutating func finish(_ one: Int) {
    let app = apps[one]
    let open = app.occurrences.values.filter { $0.statusRaw == "pending" }.sorted {
      ($0.dueDate, $0.id.uuidString) < ($1.dueDate, $1.id.uuidString)
    }
    guard var occurrence = open.prefix(4).randomElement(using: &random),
      let member = app.members.keys.sorted(by: { $0.uuidString < $1.uuidString }).randomElement(
        using: &random)
    else { return }
    let isDone = !random.oneIn(4)
    (occurrence.statusRaw, occurrence.syncRevision) = (isDone ? "completed" : "skipped", 0)
    if isDone {
      occurrence.completedAt = now(one)
      let id = uuid()
      app.completions[id] = PlannerApp.Completion(
        id: id, occurrenceID: occurrence.id, memberID: member, timestamp: now(one), syncRevision: 0)
    }
    app.occurrences[occurrence.id] = occurrence
    done.insert(occurrence.id)
  }

  private mutating func rename(_ one: Int) {
    let ids = apps[one].templates.keys.sorted { $0.uuidString < $1.uuidString }
    guard let id = ids.randomElement(using: &random) else { return }
    apps[one].templates[id]?.title = "Title \(Int.random(in: 0...999, using: &random))"
    apps[one].templates[id]?.updatedAt = now(one)
    apps[one].templates[id]?.syncRevision = 0
  }

  private mutating func stop(_ one: Int) {
    let ids = apps[one].templates.keys.sorted { $0.uuidString < $1.uuidString }
    guard let id = ids.randomElement(using: &random) else { return }
    apps[one].templates[id]?.isActive = false
    apps[one].templates[id]?.updatedAt = now(one)
    apps[one].templates[id]?.syncRevision = 0
  }

  /// A standby that lags replaces the server.
  private mutating func failOver() throws {
    guard let backup = standby.randomElement(using: &random) else { return }
    try server.replaceStore(with: backup)
  }

  mutating func settle() throws {
    for _ in 0..<4 {
      for app in apps {
        let answer = try app.sync(server.client())
        #expect(answer.refused == [])
      }
    }
    for app in apps {
      #expect(app.contents == apps[0].contents)
      #expect(!app.isDirty)
      // What was done stays done.
      for id in done {
        guard let occurrence = app.occurrences[id] else { continue }
        #expect(occurrence.statusRaw != "pending")
      }
    }
    let revision = try server.store().currentToken()
    for _ in 0..<10 { for app in apps { try app.sync(server.client()) } }
    #expect(try server.store().currentToken() == revision)
  }
}
