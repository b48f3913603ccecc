import Foundation
import SyncCore
import Synchronization

@testable import StoreSync

/// Devices with wrong clocks and a remote store that fails; a seed determines the events.
final class EngineStory: Sendable {
  /// The records that must not be lost, and those that have reached the remote store.
  struct Ledger {
    var latest: [Int: RecordVersion<Note>] = [:]
    var pushed: [RecordVersion<Note>] = []
    /// Deletions that the remote store has forgotten: an older edit may bring the record back.
    var forgotten: Set<Int> = []
    var findings: [String] = []
  }

  struct Chance {
    var random: SplitMix64
    /// How many of 100 calls fail.
    var failures: Int

    mutating func isOne(of percent: Int) -> Bool { random.next() % 100 < UInt64(percent) }
    mutating func fails() -> Bool { isOne(of: failures) }
    mutating func number(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }
  }

  let ledger = Mutex(Ledger())
  let chance: Mutex<Chance>
  let remote = MemoryRemoteStore<Note>(page: 3)
  /// Half of the remote stores write whatever has changed since it was read.
  let isConditional: Bool
  private(set) nonisolated(unsafe) var devices: [StoryDevice] = []
  private let syncing = Mutex<Set<Int>>([])

  init(seed: UInt64) {
    chance = Mutex(Chance(random: SplitMix64(seed: seed), failures: 15))
    isConditional = seed.isMultiple(of: 2)
    unsafe devices = (0..<3).map { StoryDevice(self, skew: [0, -3_600, 3_600][$0]) }
  }

  func isOne(of percent: Int) -> Bool { chance.withLock { $0.isOne(of: percent) } }
  /// While calls can still fail.
  func happens(_ percent: Int) -> Bool { chance.withLock { $0.failures > 0 && $0.isOne(of: percent) } }
  func number(_ limit: Int) -> Int { chance.withLock { $0.number(limit) } }
  func find(_ finding: String) { ledger.withLock { $0.findings.append(finding) } }

  /// Plays the story until nothing is left to do, and returns all violations.
  func play() async throws -> [String] {
    let devices = unsafe devices
    for step in 0..<60 {
      let device = number(3)
      switch number(10) {
      case 0..<5: try await devices[device].edit(at: step)
      case 5..<9: await sync(device)
      default:
        if number(3) == 0 { forget() }
      }
    }
    chance.withLock { $0.failures = 0 }
    for _ in 0..<3 { for device in devices { _ = try await device.engine.sync() } }
    let late = StoryDevice(self, skew: 0)
    _ = try await late.engine.sync()
    for (index, device) in (devices + [late]).enumerated() {
      let result = try await device.engine.sync()
      if result.pushed + result.pulled > 0 || !result.isComplete {
        find("device \(index) does not come to rest")
      }
      try check(device.local.base.getAll(), "device \(index)")
      let states = try await device.engine.states()
      if states.values.contains(where: { $0 != .synced }) { find("device \(index): \(states)") }
    }
    try check(remote.getAll().records.compactMap(\.version.entity), "remote store")
    return ledger.withLock { $0.findings }
  }

  /// Failed calls are tried again later.
  func sync(_ device: Int) async {
    guard syncing.withLock({ $0.insert(device).inserted }) else { return }
    _ = try? await (unsafe devices)[device].engine.sync()
    syncing.withLock { $0.subtract([device]) }
  }

  private func forget() {
    let gone = remote.forgetDeletions()
    ledger.withLock { $0.forgotten.formUnion(gone) }
  }

  private func check(_ notes: [Note], _ place: String) throws {
    let (latest, forgotten) = ledger.withLock { ($0.latest, $0.forgotten) }
    let there = Dictionary(uniqueKeysWithValues: notes.map { ($0.id, $0) })
    for (id, version) in latest where !forgotten.contains(id) && version.entity != there[id] {
      find("\(place): \(id) is \(there[id].map { "\($0)" } ?? "gone"), and should be \(version)")
    }
    let everywhere = Set(remote.getAll().records.compactMap(\.version.entity).map(\.id))
    if Set(there.keys) != everywhere { find("\(place): other records than at the remote store") }
  }
}

struct StoryError: Error {}

/// A device in a story: its remote store fails, and its user edits while it syncs.
struct StoryDevice {
  let local: StoryLocal
  let engine: SyncEngine<StoryLocal, StoryRemote>
  private let story: EngineStory
  private let skew: Double

  init(_ story: EngineStory, skew: Double) {
    (self.story, self.skew) = (story, skew)
    local = StoryLocal(story)
    let remote = StoryRemote(story, local)
    engine = SyncEngine(local: local, remote: remote, maxDelete: .off)
  }

  func edit(at step: Int) async throws {
    // Few different times, so that edits of several devices often have the same time.
    try await local.edit(time: Double(step / 10 * 10) + (story.isOne(of: 50) ? skew : 0))
  }
}

/// A local store that records the user's edits.
final class StoryLocal: LocalStore {
  let base = MemoryLocalStore<Note>()
  private let story: EngineStory

  init(_ story: EngineStory) { self.story = story }

  func edit(time: Double) async throws {
    let id = story.number(6)
    if story.isOne(of: 30) {
      try await base.delete(id, at: Date(timeIntervalSince1970: time))
    } else {
      try await base.upsert(Note(id, "\(story.number(4))", time))
    }
    guard let version = base.get([id])[id]?.version else { return }
    try story.ledger.withLock { ledger in
      if let before = ledger.latest[id], try MergeDecision.between(version, before) != .first { return }
      ledger.latest[id] = version
    }
  }

  func getAll() -> [Note] { base.getAll() }
  func getConflicts() -> [LocalRecord<Note>] { base.getConflicts() }
  func get(_ ids: [Int]) async throws -> [Int: LocalRecord<Note>] {
    let records = base.get(ids)
    if story.happens(20) { try await edit(time: Double(story.number(60))) }
    return records
  }

  func getPendingPush(limit: Int) -> [LocalRecord<Note>] { base.getPendingPush(limit: limit) }
  func cursor() -> [UInt8]? { base.cursor() }
  func syncedIDs() -> [Int] { base.syncedIDs() }

  func apply(_ writes: [LocalWrite<Note>], cursor: [UInt8]?) throws -> [Int] {
    if story.chance.withLock({ $0.fails() }) { throw StoryError() }
    return base.apply(writes, cursor: cursor)
  }

  func markSynced(_ id: Int, edit: Int64) throws {
    if let record = base.get([id])[id], record.edit == edit {
      let isPushed = try story.ledger.withLock { ledger in
        try ledger.pushed.contains { try $0.id == id && MergeDecision.between($0, record.version) == .same }
      }
      if !isPushed { story.find("\(record.version) is marked as synced and was never pushed") }
    }
    base.markSynced(id, edit: edit)
  }
}

/// Calls that fail before or after their effect, refused records, and edits that arrive meanwhile.
final class StoryRemote: RemoteStore {
  private let story: EngineStory
  private let local: StoryLocal

  init(_ story: EngineStory, _ local: StoryLocal) { (self.story, self.local) = (story, local) }

  private func call<Value>(_ body: () throws -> Value) async throws -> Value {
    if story.chance.withLock({ $0.fails() }) { throw StoryError() }
    let value = try body()
    if story.happens(20) { try await local.edit(time: Double(story.number(60))) }
    if story.happens(20) { await story.sync(story.number(3)) }
    if story.chance.withLock({ $0.fails() }) { throw StoryError() }
    return value
  }

  func getAll() async throws -> RemoteChanges<Note> { try await call { story.remote.getAll() } }

  func getModified(after cursor: [UInt8]?) async throws -> RemoteChanges<Note> {
    try await call { try story.remote.getModified(after: cursor) }
  }

  func get(_ ids: [Int]) async throws -> [Int: RemoteRecord<Note>] {
    try await call { story.remote.get(ids) }
  }

  func write(_ writes: [RemoteWrite<Note>]) async throws -> [Int: RemoteOutcome] {
    try await call {
      let refused = Set(writes.map(\.version.id).filter { _ in story.chance.withLock { $0.fails() } })
      let seen = story.isConditional ? [:] : story.remote.get(writes.map(\.version.id))
      let given = writes.filter { !refused.contains($0.version.id) }.map {
        story.isConditional ? $0 : RemoteWrite($0.version, replacing: seen[$0.version.id]?.revision)
      }
      var outcomes = story.remote.write(given)
      story.ledger.withLock { ledger in
        for write in writes {
          if case .stored = outcomes[write.version.id] { ledger.pushed.append(write.version) }
        }
      }
      for id in refused { outcomes[id] = .failed(StoryError()) }
      return outcomes
    }
  }
}
