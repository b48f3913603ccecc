import Foundation
import Synchronization

/// A local store in memory, for tests and for a first try.
public final class MemoryLocalStore<Entity: Syncable>: LocalStore {
  private struct State: Sendable {
    var records: [Entity.ID: LocalRecord<Entity>] = [:]
    var cursor: [UInt8]?
    var lastEdit: Int64 = 0
  }
  private let state = Mutex(State())

  /// Creates an empty store.
  public init() {}

  /// All records that are not deleted, by their ids.
  public func getAll() -> [Entity] {
    state.withLock { $0.records.values.compactMap(\.version.entity) }.sorted { $0.id < $1.id }
  }

  /// The records with these ids, including tombstones.
  public func get(_ ids: [Entity.ID]) -> [Entity.ID: LocalRecord<Entity>] {
    state.withLock { state in
      Dictionary(ids.compactMap { id in state.records[id].map { (id, $0) } }) { first, _ in first }
    }
  }

  /// The records to push, oldest edit first.
  public func getPendingPush(limit: Int) -> [LocalRecord<Entity>] {
    let pending = state.withLock { $0.records.values.filter { $0.state == .pendingPush } }
    return Array(pending.sorted { $0.edit < $1.edit }.prefix(limit))
  }

  /// The records in conflict, including tombstones.
  public func getConflicts() -> [LocalRecord<Entity>] {
    state.withLock { $0.records.values.filter { $0.state == .conflict } }
  }

  /// Stores versions of records that have not been edited since they were read; returns the other ids.
  public func apply(_ writes: [LocalWrite<Entity>], cursor: [UInt8]?) -> [Entity.ID] {
    state.withLock { state in
      var edited: [Entity.ID] = []
      for write in writes {
        let id = write.version.id
        guard state.records[id]?.edit == write.replacing else {
          edited.append(id)
          continue
        }
        state.lastEdit += 1
        state.records[id] = LocalRecord(write.version, write.state, edit: state.lastEdit)
      }
      if edited.isEmpty, let cursor { state.cursor = cursor }
      return edited
    }
  }

  /// Marks a record as pushed if it still has this `edit`.
  public func markSynced(_ id: Entity.ID, edit: Int64) {
    state.withLock { state in
      if state.records[id]?.edit == edit { state.records[id]!.state = .synced }
    }
  }

  /// The last stored cursor.
  public func cursor() -> [UInt8]? { state.withLock { $0.cursor } }

  /// The ids of all synced records that are not deleted.
  public func syncedIDs() -> [Entity.ID] {
    state.withLock { state in
      state.records.values.filter { $0.state == .synced && $0.version.entity != nil }.map(\.version.id)
    }
  }
}

/// A remote store in memory, for tests and for a first try.
public final class MemoryRemoteStore<Entity: Syncable>: RemoteStore {
  private struct State: Sendable {
    var records: [Entity.ID: (version: RecordVersion<Entity>, sequence: Int)] = [:]
    var sequence = 0
    /// The sequence up to which tombstones are forgotten.
    var forgotten = 0
  }
  private let state = Mutex(State())
  private let page: Int

  /// `page` is the number of changes in one answer, at least one.
  public init(page: Int = 500) { self.page = max(1, page) }

  /// Every record that is not deleted.
  public func getAll() -> RemoteChanges<Entity> {
    state.withLock { state in
      let live = state.records.values.filter { $0.version.entity != nil }
      return RemoteChanges(live.map(Self.record), cursor: Self.cursor(state.sequence), hasMore: false)
    }
  }

  /// A page of the changes after the cursor.
  public func getModified(after cursor: [UInt8]?) throws -> RemoteChanges<Entity> {
    try state.withLock { state in
      let after = cursor.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
      guard cursor == nil || after >= state.forgotten else { throw CursorExpired() }
      let changes = state.records.values.filter { $0.sequence > after }.sorted { $0.sequence < $1.sequence }
      let part = changes.prefix(page)
      let hasMore = part.count < changes.count
      let end = hasMore ? part.last!.sequence : state.sequence
      return RemoteChanges(part.map(Self.record), cursor: Self.cursor(end), hasMore: hasMore)
    }
  }

  /// The records with these ids, including tombstones.
  public func get(_ ids: [Entity.ID]) -> [Entity.ID: RemoteRecord<Entity>] {
    state.withLock { state in
      Dictionary(ids.compactMap { id in state.records[id].map { (id, Self.record($0)) } }) { first, _ in first
      }
    }
  }

  /// Stores versions of records that have not changed since they were read.
  public func write(_ writes: [RemoteWrite<Entity>]) -> [Entity.ID: RemoteOutcome] {
    state.withLock { state in
      var outcomes: [Entity.ID: RemoteOutcome] = [:]
      for write in writes {
        let id = write.version.id
        guard state.records[id].map({ Self.cursor($0.sequence) }) == write.replacing else {
          outcomes[id] = .changed
          continue
        }
        state.sequence += 1
        state.records[id] = (write.version, state.sequence)
        outcomes[id] = .stored
      }
      return outcomes
    }
  }

  /// Forgets all deletions, like a store that keeps tombstones for a limited time; returns their ids.
  @discardableResult
  public func forgetDeletions() -> [Entity.ID] {
    state.withLock { state in
      let gone = state.records.filter { $0.value.version.entity == nil }.map(\.key)
      for id in gone { state.records[id] = nil }
      state.forgotten = state.sequence
      return gone
    }
  }

  private static func cursor(_ sequence: Int) -> [UInt8] { Array(String(sequence).utf8) }

  private static func record(_ stored: (version: RecordVersion<Entity>, sequence: Int)) -> RemoteRecord<
    Entity
  > {
    RemoteRecord(stored.version, revision: cursor(stored.sequence))
  }
}
