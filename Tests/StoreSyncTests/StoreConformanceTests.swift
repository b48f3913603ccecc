import Foundation
import StoreSync
import Testing

/// The tests for an app's own stores.
@Suite struct StoreConformanceTests {
  private static let conformance = StoreConformance(samples: [
    Note(1, "a", 10), Note(2, "b", 20.5), Note(3, "c", 30),
  ])

  @Test func theStoresInMemoryKeepTheirPromises() async throws {
    #expect(try await Self.conformance.findings(of: MemoryLocalStore<Note>()) == [])
    #expect(try await Self.conformance.findings(of: MemoryRemoteStore<Note>()) == [])
    #expect(try await Self.conformance.findings(of: MemoryRemoteStore<Note>(page: 1)) == [])
    #expect(try await Self.conformance.findings(of: MemoryRemoteStore<Note>(page: 0)) == [])
    let notes = [Note(1, "a", 10), Note(1, "again", 11), Note(2, "b", 20), Note(3, "c", 30)]
    #expect(try await StoreConformance(samples: notes).findings(of: MemoryLocalStore<Note>()) == [])
  }

  @Test(arguments: FaultyLocal.Fault.allCases)
  func mistakesOfALocalStoreAreFound(fault: FaultyLocal.Fault) async throws {
    #expect(try await !Self.conformance.findings(of: FaultyLocal(fault)).isEmpty)
  }

  @Test(arguments: FaultyRemote.Fault.allCases)
  func mistakesOfARemoteStoreAreFound(fault: FaultyRemote.Fault) async throws {
    #expect(try await !Self.conformance.findings(of: FaultyRemote(fault)).isEmpty)
  }
}

/// A local store with one planted mistake.
struct FaultyLocal: LocalStore {
  enum Fault: CaseIterable {
    case marksAnyEdit, overwrites, losesCursor, keepsCursorEarly, listsTombstones, roundsTimes,
      hidesConflicts
  }

  private let base = MemoryLocalStore<Note>()
  private let fault: Fault
  init(_ fault: Fault) { self.fault = fault }

  func getAll() -> [Note] { base.getAll() }
  func getPendingPush(limit: Int) -> [LocalRecord<Note>] { base.getPendingPush(limit: limit) }
  func get(_ ids: [Int]) -> [Int: LocalRecord<Note>] { base.get(ids) }
  func cursor() -> [UInt8]? { fault == .losesCursor ? nil : base.cursor() }

  func getConflicts() -> [LocalRecord<Note>] {
    base.getConflicts().filter { fault != .hidesConflicts || $0.version.entity != nil }
  }

  func syncedIDs() -> [Int] {
    let gone = base.get(Array(0...9)).filter { $0.value.version.entity == nil }.map(\.key)
    return base.syncedIDs() + (fault == .listsTombstones ? gone : [])
  }

  func apply(_ writes: [LocalWrite<Note>], cursor: [UInt8]?) -> [Int] {
    var writes = writes
    for index in writes.indices {
      let write = writes[index]
      if fault == .overwrites {
        writes[index].replacing = base.get([write.version.id])[write.version.id]?.edit
      }
      if fault == .roundsTimes, case .live(var note) = write.version {
        note.updatedAt = Date(timeIntervalSince1970: note.updatedAt.timeIntervalSince1970.rounded(.down))
        writes[index].version = .live(note)
      }
    }
    let edited = base.apply(writes, cursor: cursor)
    if fault == .keepsCursorEarly { _ = base.apply([], cursor: cursor) }
    return edited
  }

  func markSynced(_ id: Int, edit: Int64) {
    base.markSynced(id, edit: fault == .marksAnyEdit ? base.get([id])[id]?.edit ?? edit : edit)
  }
}

/// A remote store with one planted mistake.
struct FaultyRemote: RemoteStore {
  enum Fault: CaseIterable {
    case hidesDeletions, overwrites, skipsARecord, leavesAnOutcomeOut, repeatsACursor, listsTombstones
  }

  private let base = MemoryRemoteStore<Note>(page: 2)
  private let fault: Fault
  init(_ fault: Fault) { self.fault = fault }

  func getAll() -> RemoteChanges<Note> {
    var all = base.getAll()
    if fault == .listsTombstones {
      all.records += base.get(Array(0...9)).values.filter { $0.version.entity == nil }
    }
    return all
  }

  func getModified(after cursor: [UInt8]?) throws -> RemoteChanges<Note> {
    var changes = try base.getModified(after: cursor)
    switch fault {
    case .hidesDeletions: changes.records.removeAll { $0.version.entity == nil }
    case .skipsARecord: if changes.hasMore { changes.records.removeLast() }
    case .repeatsACursor: if changes.hasMore, let cursor { changes.cursor = cursor }
    default: break
    }
    return changes
  }

  func get(_ ids: [Int]) -> [Int: RemoteRecord<Note>] { base.get(ids) }

  func write(_ writes: [RemoteWrite<Note>]) -> [Int: RemoteOutcome] {
    let seen = base.get(writes.map(\.version.id))
    var outcomes = base.write(
      fault == .overwrites
        ? writes.map { RemoteWrite($0.version, replacing: seen[$0.version.id]?.revision) } : writes)
    if fault == .leavesAnOutcomeOut, writes.count > 1 { outcomes[writes[0].version.id] = nil }
    return outcomes
  }
}
