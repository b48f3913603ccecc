import Foundation
import StoreSync
import SyncCore
import Synchronization
import Testing

/// The behaviour of `SyncEngine` for an app.
@Suite struct EngineTests {
  private typealias Engine = SyncEngine<MemoryLocalStore<Note>, MemoryRemoteStore<Note>>
  private let remote = MemoryRemoteStore<Note>()
  private let phone = MemoryLocalStore<Note>()
  private let laptop = MemoryLocalStore<Note>()

  private func engine(
    _ local: MemoryLocalStore<Note>, _ mode: SyncMode = .twoWay, _ policy: ConflictPolicy = .lastWrite,
    maxDelete: DeleteLimit = .default
  ) -> Engine {
    Engine(local: local, remote: remote, mode: mode, conflicts: policy, maxDelete: maxDelete)
  }

  /// Edits a record on the phone, and later on the laptop, which has synced since.
  private func editOnBoth() async throws {
    try await phone.upsert(Note(1, "x", 10))
    _ = try await engine(phone).sync()
    _ = try await engine(laptop).sync()
    try await laptop.upsert(Note(1, "laptop", 30))
    _ = try await engine(laptop).sync()
    try await phone.upsert(Note(1, "phone", 20))
  }

  @Test func anEditReachesTheOtherDevice() async throws {
    try await phone.upsert(Note(1, "milk", 10))
    let pushed = try await engine(phone).sync()
    #expect(pushed.pushed == 1 && pushed.pulled == 0 && pushed.isComplete)
    #expect(try await engine(laptop).sync().pulled == 1)
    #expect(laptop.getAll() == [Note(1, "milk", 10)])
    try await laptop.delete(1, at: Date(timeIntervalSince1970: 0))
    _ = try await engine(laptop).sync()
    _ = try await engine(phone).sync()
    #expect(phone.getAll().isEmpty)
  }

  @Test func theStatesSayWhatASyncWouldDo() async throws {
    for id in 1...4 { try await phone.upsert(Note(id, "x", 10)) }
    _ = try await engine(phone).sync()
    _ = try await engine(laptop).sync()
    try await laptop.upsert(Note(2, "laptop", 30))
    try await laptop.upsert(Note(3, "laptop", 30))
    _ = try await engine(laptop).sync()
    try await phone.upsert(Note(3, "phone", 20))
    try await phone.upsert(Note(4, "phone", 20))
    let states = try await engine(phone).states()
    #expect(states == [1: .synced, 2: .pendingPull, 3: .conflict, 4: .pendingPush])
    let result = try await engine(phone).sync()
    #expect(result.conflicts.count == 1 && result.conflicts[0].own.entity == Note(3, "phone", 20))
    #expect(try await engine(phone).states().values.allSatisfy { $0 == .synced })
  }

  @Test func aConflictCanBeLeftToTheApp() async throws {
    try await editOnBoth()
    let result = try await engine(phone, .twoWay, .manual).sync()
    #expect(result.conflicts.count == 1 && result.pushed == 0)
    #expect(phone.getAll() == [Note(1, "phone", 20)])
    #expect(phone.get([1])[1]?.state == .conflict)
    #expect(try await engine(phone, .twoWay, .manual).states() == [1: .conflict])
    try await phone.upsert(Note(1, "both", 40))
    #expect(try await engine(phone, .twoWay, .manual).sync().pushed == 1)
    _ = try await engine(laptop).sync()
    #expect(laptop.getAll() == [Note(1, "both", 40)])
  }

  @Test func aDeletionInConflictIsShownAndCanBeConfirmed() async throws {
    try await editOnBoth()
    try await phone.delete(1, at: Date(timeIntervalSince1970: 25))
    let engine = engine(phone, .twoWay, .manual)
    #expect(try await engine.sync().conflicts.count == 1)
    #expect(try await engine.states() == [1: .conflict] && phone.getConflicts().map(\.version.id) == [1])
    try await engine.delete(1, at: Date(timeIntervalSince1970: 40))
    #expect(try await engine.sync().pushed == 1)
    _ = try await self.engine(laptop).sync()
    #expect(laptop.getAll().isEmpty && phone.getConflicts().isEmpty)
  }

  /// Remote only, a copy for reading, both ways: the app's calls are the same.
  @Test func anAppGoesThroughTheStagesWithTheSameCalls() async throws {
    for (number, mode) in [SyncMode.remoteOnly, .pullOnly, .twoWay].enumerated() {
      let engine = engine(phone, mode)
      try await engine.upsert(Note(number, "x", 10))
      _ = try await engine.sync()
      #expect(try await engine.getAll().map(\.id).sorted() == Array(0...number))
      #expect(phone.getAll().count == (number == 0 ? 0 : number + 1))
    }
    try await engine(phone, .remoteOnly).delete(0, at: Date(timeIntervalSince1970: 20))
    _ = try await engine(phone).sync()
    #expect(phone.getAll().map(\.id) == [1, 2])
  }

  @Test func aStoreThatLostEverythingDeletesNothingHere() async throws {
    for id in 1...200 { try await phone.upsert(Note(id, "x", 10)) }
    _ = try await engine(phone).sync()
    for id in 1...200 { try await remote.delete(id, at: Date(timeIntervalSince1970: 20)) }
    remote.forgetDeletions()
    await #expect(throws: SyncEngineError.tooManyDeletions(missing: 200, of: 200)) {
      try await engine(phone).sync()
    }
    #expect(phone.getAll().count == 200)
    #expect(try await engine(phone, maxDelete: .off).sync().pulled == 200)
    #expect(phone.getAll().isEmpty)
  }

  /// The remote store is restored after the phone has seen it without the record.
  @Test func aGuessedDeletionDoesNotDestroyARecordThatReturns() async throws {
    try await phone.upsert(Note(1, "milk", 10))
    _ = try await engine(phone).sync()
    try await remote.delete(1, at: Date(timeIntervalSince1970: 20))
    remote.forgetDeletions()
    _ = try await engine(phone).sync()
    #expect(phone.getAll().isEmpty)
    _ = remote.write([RemoteWrite(.live(Note(1, "milk", 10)), replacing: nil)])
    #expect(try await engine(phone).sync().pulled == 1)
    #expect(phone.getAll() == [Note(1, "milk", 10)] && remote.getAll().records.count == 1)
  }

  /// A backup may have an earlier version than this device has seen.
  @Test func aGuessedDeletionLosesAgainstAnOlderVersion() async throws {
    try await phone.upsert(Note(1, "new", 30))
    _ = try await engine(phone).sync()
    try await remote.delete(1, at: Date(timeIntervalSince1970: 40))
    remote.forgetDeletions()
    _ = try await engine(phone).sync()
    #expect(phone.getAll().isEmpty)
    _ = remote.write([RemoteWrite(.live(Note(1, "old", 10)), replacing: nil)])
    #expect(try await engine(phone).states() == [1: .pendingPull])
    let result = try await engine(phone).sync()
    #expect(result.pulled == 1 && result.pushed == 0)
    #expect(phone.getAll() == [Note(1, "old", 10)] && remote.getAll().records.count == 1)
  }

  @Test func aCopyForReadingFollowsAnOlderVersion() async throws {
    try await phone.upsert(Note(1, "new", 20))
    _ = try await engine(phone).sync()
    let revision = try #require(remote.get([1])[1]?.revision)
    _ = remote.write([RemoteWrite(.live(Note(1, "old", 10)), replacing: revision)])
    #expect(try await engine(phone, .pullOnly).states() == [1: .pendingPull])
    #expect(try await engine(phone).states() == [1: .pendingPush])
    _ = try await engine(phone, .pullOnly).sync()
    #expect(phone.getAll() == [Note(1, "old", 10)] && phone.get([1])[1]?.state == .synced)
  }

  @Test func callsThatComeTogetherShareASync() async throws {
    for id in 1...50 { try await phone.upsert(Note(id, "x", 10)) }
    let engine = engine(phone)
    let pushed = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<20 { group.addTask { try await engine.sync().pushed } }
      return try await group.reduce(into: 0) { $0 = max($0, $1) }
    }
    #expect(pushed == 50 && remote.getAll().records.count == 50)
  }

  /// The only copy of the lost edit is in the result.
  @Test func aLostEditIsReportedByTheNextCallThatDoesNotFail() async throws {
    try await editOnBoth()
    try await phone.upsert(Note(2, "new", 20))
    let offline = OfflineRemote(remote: remote)
    let engine = SyncEngine(local: phone, remote: offline)
    await #expect(throws: OfflineRemote.Offline.self) { try await engine.sync() }
    #expect(phone.get([1])[1]?.version.entity?.title == "laptop")
    offline.isOnline.withLock { $0 = true }
    #expect(try await engine.sync().conflicts.map(\.own.entity) == [Note(1, "phone", 20)])
    #expect(try await engine.sync().conflicts.isEmpty)
  }

  /// The pull that follows a write is not seen by the app.
  @Test func anUnreadableRecordIsReportedByTheNextCall() async throws {
    try await remote.upsert(Note(1, "of a later version", 10))
    let engine = SyncEngine(local: phone, remote: NewerRemote(remote: remote, newer: 1), mode: .pullOnly)
    try await engine.upsert(Note(2, "x", 20))
    #expect(phone.getAll() == [Note(2, "x", 20)])
    #expect(try await engine.pull().unreadable.map(\.id) == [1])
    #expect(try await engine.pull().unreadable.isEmpty)
  }
}

/// A remote store that fails when records are pushed, while it is not online.
private final class OfflineRemote: RemoteStore {
  struct Offline: Error {}
  let remote: MemoryRemoteStore<Note>
  let isOnline = Mutex(false)

  init(remote: MemoryRemoteStore<Note>) { self.remote = remote }

  func getAll() async throws -> RemoteChanges<Note> { remote.getAll() }
  func getModified(after cursor: [UInt8]?) async throws -> RemoteChanges<Note> {
    try remote.getModified(after: cursor)
  }
  func get(_ ids: [Int]) async throws -> [Int: RemoteRecord<Note>] {
    guard isOnline.withLock({ $0 }) else { throw Offline() }
    return remote.get(ids)
  }
  func write(_ writes: [RemoteWrite<Note>]) async throws -> [Int: RemoteOutcome] {
    remote.write(writes)
  }
}

/// A remote store with a record of a later version of the app.
private struct NewerRemote: RemoteStore {
  struct Unknown: Error {}
  let remote: MemoryRemoteStore<Note>
  let newer: Int

  func getAll() async throws -> RemoteChanges<Note> { hiding(remote.getAll()) }
  func getModified(after cursor: [UInt8]?) async throws -> RemoteChanges<Note> {
    hiding(try remote.getModified(after: cursor))
  }
  func get(_ ids: [Int]) async throws -> [Int: RemoteRecord<Note>] { remote.get(ids) }
  func write(_ writes: [RemoteWrite<Note>]) async throws -> [Int: RemoteOutcome] { remote.write(writes) }

  private func hiding(_ changes: RemoteChanges<Note>) -> RemoteChanges<Note> {
    var changes = changes
    for record in changes.records where record.version.id == newer {
      changes.unreadable.append(UnreadableRecord(id: record.version.id, Unknown()))
    }
    changes.records.removeAll { $0.version.id == newer }
    return changes
  }
}
