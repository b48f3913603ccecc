import Foundation

/// Checks in an app's tests that its stores meet the requirements.
public struct StoreConformance<Entity: Syncable>: Sendable {
  private let samples: [Entity]
  private var findings: [String] = []

  /// `samples` are at least three entities with different ids, as the app creates them; of several with one
  /// id, the first is used.
  public init(samples: [Entity]) {
    var ids: Set<Entity.ID> = []
    self.samples = samples.filter { ids.insert($0.id).inserted }
    precondition(ids.count >= 3, "three entities with different ids are needed")
  }

  /// The requirements that an empty local store does not meet, one sentence each.
  public func findings(of store: some LocalStore<Entity>) async throws -> [String] {
    var check = self
    try await check.tryEdits(store)
    try await check.tryPulls(store)
    try await check.tryDeletions(store)
    return check.findings
  }

  /// The requirements that an empty remote store does not meet, one sentence each.
  public func findings(of store: some RemoteStore<Entity>) async throws -> [String] {
    var check = self
    try await check.tryChanges(store)
    return check.findings
  }

  private mutating func expect(_ holds: Bool, _ promise: String) { if !holds { findings.append(promise) } }

  private func isSame(_ a: RecordVersion<Entity>?, _ b: RecordVersion<Entity>) throws -> Bool {
    guard let a else { return false }
    return try MergeDecision.between(a, b) == .same
  }

  private mutating func expectSame(_ stored: [Entity.ID: RecordVersion<Entity>]) throws {
    for sample in samples {
      try expect(
        isSame(stored[sample.id], .live(sample)),
        "a record is read as it was stored, with times to the millisecond")
    }
  }

  // MARK: The local store

  private mutating func tryEdits(_ store: some LocalStore<Entity>) async throws {
    try await expect(store.getAll().isEmpty, "a new store is empty")
    try await expect(store.cursor() == nil, "a new store does not have a cursor")
    for sample in samples { try await store.upsert(sample) }
    let pending = try await store.getPendingPush(limit: .max)
    expect(pending.map(\.version.id) == samples.map(\.id), "edits are pending in their order")
    try await expect(store.getPendingPush(limit: 1).count == 1, "getPendingPush respects its limit")
    try await expect(Set(store.getAll().map(\.id)) == Set(samples.map(\.id)), "getAll has all records")
    let first = samples[0]
    guard let stored = try await store.get([first.id])[first.id] else {
      return expect(false, "get finds a record by its id")
    }
    try await expectSame(store.get(samples.map(\.id)).mapValues(\.version))
    try await store.upsert(first)
    let again = try await store.get([first.id])[first.id]
    expect(again?.edit != stored.edit, "every edit has another value of 'edit'")
    try await store.markSynced(first.id, edit: stored.edit)
    try await expect(
      store.get([first.id])[first.id]?.state == .pendingPush, "an edit made after a push stays pending")
    try await store.markSynced(first.id, edit: again?.edit ?? 0)
    try await expect(
      store.get([first.id])[first.id]?.state == .synced, "markSynced marks that edit as synced")
    try await expect(store.syncedIDs() == [first.id], "syncedIDs has exactly the synced records")
    try await expect(
      store.getPendingPush(limit: .max).allSatisfy { $0.version.id != first.id },
      "a synced record is not pending")
  }

  private mutating func tryPulls(_ store: some LocalStore<Entity>) async throws {
    let (first, second) = (samples[0], samples[1])
    let before = try await store.get([first.id, second.id])
    guard let one = before[first.id], let two = before[second.id] else { return }
    var pulled = first
    pulled.updatedAt = one.version.time.addingTimeInterval(60)
    let writes = [
      LocalWrite<Entity>(.live(pulled), .synced, replacing: one.edit),
      LocalWrite<Entity>(.deleted(id: second.id, at: two.version.time), .synced, replacing: nil),
    ]
    let edited = try await store.apply(writes, cursor: [1])
    expect(edited == [second.id], "apply returns the ids of records edited meanwhile")
    try await expect(
      store.get([second.id])[second.id]?.edit == two.edit, "apply does not change records edited meanwhile")
    try await expect(store.cursor() == nil, "the cursor is not stored if a record was edited meanwhile")
    let stored = try await store.get([first.id])[first.id]
    try expect(
      isSame(stored?.version, .live(pulled)) && stored?.state == .synced, "apply stores the versions")
    for cursor: [UInt8]? in [[2], nil] {
      _ = try await store.apply([], cursor: cursor)
      try await expect(store.cursor() == [2], "the last cursor is kept")
    }
  }

  private mutating func tryDeletions(_ store: some LocalStore<Entity>) async throws {
    let third = samples[2]
    try await store.delete(third.id, at: third.updatedAt)
    try await expect(store.getAll().allSatisfy { $0.id != third.id }, "getAll omits deleted records")
    let record = try await store.get([third.id])[third.id]
    expect(
      record.map { $0.version.entity == nil && $0.state == .pendingPush } ?? false,
      "a deletion is a pending tombstone")
    guard let record else { return }
    expect(record.version.time > third.updatedAt, "a deletion is later than the deleted version")
    let conflict = LocalWrite(record.version, .conflict, replacing: record.edit)
    _ = try await store.apply([conflict], cursor: nil)
    try await expect(
      store.getConflicts().map(\.version.id) == [third.id], "getConflicts has deletions in conflict")
    try await store.delete(third.id, at: third.updatedAt)
    let again = try await store.get([third.id])[third.id]
    expect(again?.state == .pendingPush, "a deletion in conflict can be deleted again")
    try await store.markSynced(third.id, edit: again?.edit ?? 0)
    try await expect(store.getAll().allSatisfy { $0.id != third.id }, "a pushed deletion stays deleted")
    try await expect(!store.syncedIDs().contains(third.id), "syncedIDs omits deleted records")
  }

  // MARK: The remote store

  private mutating func tryChanges(_ store: some RemoteStore<Entity>) async throws {
    let start = try await changes(store, after: nil)
    expect(start.records.isEmpty, "a new store does not have changes")
    let outcomes = try await store.write(samples.map { RemoteWrite(.live($0), replacing: nil) })
    let areStored = samples.allSatisfy { if case .stored = outcomes[$0.id] { true } else { false } }
    expect(areStored, "every write has an outcome")
    try await expectSame(store.get(samples.map(\.id)).mapValues(\.version))
    let next = try await changes(store, after: start.cursor)
    expect(
      Set(next.records.map(\.version.id)) == Set(samples.map(\.id)),
      "a written record is among the changes after the previous cursor")
    try await expect(
      changes(store, after: next.cursor).records.isEmpty, "the page after the last cursor is empty")
    try await tryOverwriting(store, next.cursor)
  }

  private mutating func tryOverwriting(_ store: some RemoteStore<Entity>, _ cursor: [UInt8]) async throws {
    let (first, second) = (samples[0], samples[1])
    let seen = try await store.get([first.id])[first.id]
    var edited = first
    edited.updatedAt = first.updatedAt.addingTimeInterval(60)
    try await store.upsert(edited)
    try await store.delete(second.id, at: second.updatedAt)
    let changed = try await changes(store, after: cursor).records
    let versions = Dictionary(changed.map { ($0.version.id, $0.version) }) { _, last in last }
    try expect(
      isSame(versions[first.id], .live(edited)), "a changed record is returned in its latest version")
    expect(versions[second.id].map { $0.entity == nil } ?? false, "a deletion is returned with its time")
    let all = try await store.getAll()
    expect(
      all.records.allSatisfy { $0.version.entity != nil && $0.version.id != second.id },
      "getAll omits deleted records")
    if let revision = seen?.revision {
      let outcome = try await store.write([RemoteWrite(.live(first), replacing: revision)])[first.id]
      if case .changed = outcome {} else { expect(false, "a write over an old revision is rejected") }
      try await expect(
        isSame(store.get([first.id])[first.id]?.version, .live(edited)), "a rejected write keeps the record")
    }
  }

  private mutating func changes(
    _ store: some RemoteStore<Entity>, after cursor: [UInt8]?
  ) async throws -> RemoteChanges<Entity> {
    var all = try await store.getModified(after: cursor)
    while all.hasMore {
      let page = try await store.getModified(after: all.cursor)
      if page.hasMore, page.cursor == all.cursor {
        expect(false, "every page has a new cursor")
        return all
      }
      all = RemoteChanges(all.records + page.records, cursor: page.cursor, hasMore: page.hasMore)
    }
    return all
  }
}
