import Foundation
import SyncCore

extension SyncEngine {
  func pullNow() async throws -> Result {
    if case .remoteOnly = mode { return Result() }
    do {
      return try await pullChanges()
    } catch is CursorExpired {
      return try await pullAll(missing: .deleted)
    } catch is CursorForeign {
      return try await pullAll(missing: .lost)
    }
  }

  private func pullChanges() async throws -> Result {
    var result = Result()
    var cursor = try await local.cursor()
    while true {
      let page = try await remote.getModified(after: cursor)
      if page.hasMore, page.cursor == cursor { throw SyncEngineError.cursorDoesNotMove }
      try await store(page.records, cursor: page.cursor, &result)
      unreadable += page.unreadable
      cursor = page.cursor
      if !page.hasMore { return result }
    }
  }

  /// Why synced records are missing in the complete remote store.
  private enum Absence {
    case deleted
    /// The remote store was replaced or restored.
    case lost
  }

  /// Reads the complete remote store; synced records that are missing there are deleted here or pushed again.
  private func pullAll(missing absence: Absence) async throws -> Result {
    var result = Result()
    // This list is read first: a record that is pushed later must not count as missing.
    let synced = try await local.syncedIDs()
    let all = try await allOfRemote()
    let present = all.ids
    unreadable = all.unreadable
    let missing = synced.filter { !present.contains($0) }
    guard absence == .lost || maxDelete.allows(missing.count, of: synced.count) else {
      throw SyncEngineError.tooManyDeletions(missing: missing.count, of: synced.count)
    }
    for records in all.records.batches(of: batch) { try await store(Array(records), cursor: nil, &result) }
    for ids in missing.batches(of: batch) {
      switch absence {
      case .deleted: try await remove(Array(ids), &result)
      case .lost: try await pushAgain(Array(ids))
      }
    }
    _ = try await local.apply([], cursor: all.cursor)
    return result
  }

  func allOfRemote() async throws -> RemoteChanges<Entity> {
    var all = try await remote.getAll()
    while all.hasMore {
      let page = try await remote.getModified(after: all.cursor)
      if page.hasMore, page.cursor == all.cursor { throw SyncEngineError.cursorDoesNotMove }
      // If a record has several versions, the last one counts.
      let later = page.ids
      all.records.removeAll { later.contains($0.version.id) }
      all.unreadable.removeAll { $0.id.map(later.contains) == true }
      all.records += page.records.filter { $0.version.entity != nil }
      all.unreadable += page.unreadable
      (all.cursor, all.hasMore) = (page.cursor, page.hasMore)
    }
    return all
  }

  /// Deletes records that are missing in the remote store.
  ///
  /// The real time of the deletions is unknown. They get a time before all versions, so that a version that
  /// returns wins, for example in a restored store.
  private func remove(_ ids: [Entity.ID], _ result: inout Result) async throws {
    let writes = try await syncedRecords(ids).map {
      LocalWrite<Entity>(
        .deleted(id: $0.version.id, at: .distantPast), .synced, replacing: $0.edit)
    }
    // Records edited meanwhile are pushed again.
    let edited = try await local.apply(writes, cursor: nil)
    result.pulled += writes.count - edited.count
  }

  /// Makes records that the remote store has lost pending; a read-only copy keeps them as they are.
  private func pushAgain(_ ids: [Entity.ID]) async throws {
    guard case .twoWay = mode else { return }
    let writes = try await syncedRecords(ids).map {
      LocalWrite<Entity>($0.version, .pendingPush, replacing: $0.edit)
    }
    // Records edited meanwhile are pending already.
    _ = try await local.apply(writes, cursor: nil)
  }

  /// The records with these ids that are still synced and not deleted.
  private func syncedRecords(_ ids: [Entity.ID]) async throws -> [LocalRecord<Entity>] {
    try await local.get(ids).values.filter { $0.state == .synced && $0.version.entity != nil }
  }

  /// Stores the winners of a page; compares records again that were edited meanwhile.
  func store(_ records: [RemoteRecord<Entity>], cursor: [UInt8]?, _ result: inout Result) async throws {
    // If a page has several versions of a record, the last one counts.
    var latest: [Entity.ID: Version] = [:]
    for record in records { latest[record.version.id] = record.version }
    while true {
      let own = try await local.get(Array(latest.keys))
      var (writes, conflicts): ([LocalWrite<Entity>], [Result.Conflict]) = ([], [])
      for (id, version) in latest {
        let (write, conflict) = try decide(version, own[id])
        if let write { writes.append(write) }
        if let conflict { conflicts.append(conflict) }
      }
      let edited = Set(try await local.apply(writes, cursor: cursor))
      result.pulled += writes.count { !edited.contains($0.version.id) && $0.state == .synced }
      unreported += conflicts.filter { !edited.contains($0.own.id) }
      if edited.isEmpty { return }
      latest = latest.filter { edited.contains($0.key) }
    }
  }

  /// Decides which version to store for a version of the remote store.
  func decide(
    _ other: Version, _ own: LocalRecord<Entity>?
  ) throws -> (LocalWrite<Entity>?, Result.Conflict?) {
    guard let own else {
      return (other.entity == nil ? nil : LocalWrite(other, .synced, replacing: nil), nil)
    }
    let conflict = own.isEdited ? Result.Conflict(own: own.version, other: other) : nil
    switch try MergeDecision.between(own.version, other) {
    case .same:
      return (own.state == .synced ? nil : LocalWrite(own.version, .synced, replacing: own.edit), nil)
    case .second:
      if own.isEdited, case .manual = policy {
        return (
          own.state == .conflict ? nil : LocalWrite(own.version, .conflict, replacing: own.edit), conflict
        )
      }
      return (LocalWrite(other, .synced, replacing: own.edit), conflict)
    case .first:
      if own.isEdited { return (nil, nil) }
      // A read-only copy is never pushed, so it follows the remote store.
      if isStored(over: own) { return (LocalWrite(other, .synced, replacing: own.edit), nil) }
      // An older version has overwritten this one in the remote store, so this one is pushed again.
      return (LocalWrite(own.version, .pendingPush, replacing: own.edit), nil)
    }
  }
}

extension RemoteChanges {
  fileprivate var ids: Set<Entity.ID> {
    Set(records.map(\.version.id)).union(unreadable.compactMap(\.id))
  }
}

extension Array {
  func batches(of size: Int) -> [ArraySlice<Element>] {
    stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
  }
}
