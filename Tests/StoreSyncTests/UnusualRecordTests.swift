import Foundation
import StoreSync
import Testing

/// Records that JSON cannot express, that this app cannot read, or of another time.
@Suite struct UnusualRecordTests {
  /// JSON does not have these numbers.
  @Test func aNumberThatIsNotFiniteDoesNotStopASync() async throws {
    let remote = MemoryRemoteStore<Reading>()
    let locals = [MemoryLocalStore<Reading>(), MemoryLocalStore<Reading>()]
    for (local, value) in zip(locals, [Double.nan, .infinity]) {
      try await local.upsert(Reading(id: 1, value: value))
    }
    for local in locals + locals {
      #expect(try await SyncEngine(local: local, remote: remote).sync().isComplete)
    }
    #expect(locals.allSatisfy { $0.getAll().map(\.value.isNaN) == [true] })
  }

  @Test func aRecordThatCannotBeReadIsNotOverwritten() async throws {
    let local = MemoryLocalStore<Note>()
    for id in 1...3 { try await local.upsert(Note(id, "x", 10)) }
    let remote = LaterRemote()
    let result = try await SyncEngine(local: local, remote: remote).sync()
    #expect(result.pushed == 2 && result.failures.keys.sorted() == [1] && !result.isComplete)
    #expect(remote.base.getAll().records.map(\.version.id).sorted() == [2, 3])
    await #expect(throws: UnreadableRecord<Note>.self) { try await remote.upsert(Note(1, "y", 20)) }
    await #expect(throws: SyncEngineError.recordKeepsChanging) {
      try await LaterRemote(isSilent: true).upsert(Note(1, "y", 20))
    }
  }

  /// A program that counts in nanoseconds, or a hostile one.
  @Test func aRecordOfAnEndlessFutureCanBeEdited() async throws {
    let local = MemoryLocalStore<Note>()
    for time in [1.7e18, .greatestFiniteMagnitude, .infinity, -.infinity] {
      try await local.upsert(Note(1, "far", time))
      try await local.upsert(Note(1, "edited", 20))
      try await local.delete(1, at: Date(timeIntervalSince1970: 30))
    }
  }
}

private struct Reading: Syncable {
  var id: Int
  var value: Double
  var createdAt = Date(timeIntervalSince1970: 0)
  var updatedAt = Date(timeIntervalSince1970: 10)
}

/// A remote store with a record of a later version of the app.
private struct LaterRemote: RemoteStore {
  struct NewForm: Error {}
  let base = MemoryRemoteStore<Note>()
  /// Whether it leaves that record out, against the contract, and refuses each write.
  var isSilent = false

  func getAll() async throws -> RemoteChanges<Note> { base.getAll() }
  func getModified(after cursor: [UInt8]?) async throws -> RemoteChanges<Note> {
    try base.getModified(after: cursor)
  }
  func get(_ ids: [Int]) async throws -> [Int: RemoteRecord<Note>] {
    if ids.contains(1), !isSilent { throw UnreadableRecord<Note>(id: 1, NewForm()) }
    return base.get(ids)
  }
  func write(_ writes: [RemoteWrite<Note>]) async throws -> [Int: RemoteOutcome] {
    if isSilent { return [1: .changed] }
    return base.write(writes)
  }
}
