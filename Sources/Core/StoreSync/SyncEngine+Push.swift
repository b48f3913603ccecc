extension SyncEngine {
  func pushNow() async throws -> Result {
    guard case .twoWay = mode else { return Result() }
    var result = Result()
    while true {
      // Rejected records are not pushed twice, and do not block the others.
      let pending = try await local.getPendingPush(limit: batch + result.failures.count).filter {
        result.failures[$0.version.id] == nil
      }
      if pending.isEmpty { return result }
      let settled = try await push(pending, &result)
      if settled == 0 {
        // Other devices keep writing to all of these records.
        result.isComplete = false
        return result
      }
    }
  }

  /// Returns the number of settled records: stored, equal, lost or rejected.
  private func push(_ pending: [LocalRecord<Entity>], _ result: inout Result) async throws -> Int {
    let there = try await readable(pending, &result)
    var (writes, later): ([RemoteWrite<Entity>], [RemoteRecord<Entity>]) = ([], [])
    for own in pending where result.failures[own.version.id] == nil {
      let other = there[own.version.id]
      switch try other.map({ try MergeDecision.between(own.version, $0.version) }) {
      case nil, .first: writes.append(RemoteWrite(own.version, replacing: other?.revision))
      // The record was pushed before, but the answer was lost.
      case .same: try await local.markSynced(own.version.id, edit: own.edit)
      case .second: later.append(other!)
      }
    }
    try await store(later, cursor: nil, &result)
    var settled = pending.count - writes.count
    if writes.isEmpty { return settled }
    let edits = Dictionary(pending.map { ($0.version.id, $0.edit) }) { first, _ in first }
    let outcomes = try await remote.write(writes)
    for write in writes {
      let id = write.version.id
      switch outcomes[id] {
      case .changed: continue
      case .stored:
        try await local.markSynced(id, edit: edits[id]!)
        result.pushed += 1
      case .failed(let error): result.fail(id, error)
      case nil: result.fail(id, NoOutcome())
      }
      settled += 1
    }
    return settled
  }

  /// The remote versions of these records; a record that cannot be read there fails, and is not overwritten.
  private func readable(
    _ pending: [LocalRecord<Entity>], _ result: inout Result
  ) async throws -> [Entity.ID: RemoteRecord<Entity>] {
    var ids = pending.map(\.version.id)
    while true {
      do {
        return try await remote.get(ids)
      } catch let error as UnreadableRecord<Entity> {
        guard let id = error.id, ids.contains(id) else { throw error }
        ids.removeAll { $0 == id }
        result.fail(id, error)
      }
    }
  }
}

extension SyncResult {
  fileprivate mutating func fail(_ id: Entity.ID, _ error: any Error) {
    failures[id] = error
    isComplete = false
  }
}
