extension SyncEngine {
  /// The relation of every record to the remote store, without changing either store.
  ///
  /// A record that a pull would store is ``SyncState/pendingPull``. A record that was edited on both sides is
  /// ``SyncState/conflict``.
  public func states() async throws -> [Entity.ID: SyncState] {
    var states: [Entity.ID: SyncState] = [:]
    for (id, own) in try await local.get(local.getAll().map(\.id)) { states[id] = own.state }
    for record in try await local.getConflicts() { states[record.version.id] = .conflict }
    for record in try await local.getPendingPush(limit: .max) { states[record.version.id] = .pendingPush }
    var cursor = try await local.cursor()
    while true {
      let page = try await remote.getModified(after: cursor)
      let own = try await local.get(page.records.map(\.version.id))
      for record in page.records {
        states[record.version.id] = try state(of: own[record.version.id], against: record.version)
      }
      if page.hasMore, page.cursor == cursor { throw SyncEngineError.cursorDoesNotMove }
      cursor = page.cursor
      if !page.hasMore { return states }
    }
  }

  private func state(of own: LocalRecord<Entity>?, against other: Version) throws -> SyncState? {
    guard let own else { return other.entity == nil ? nil : .pendingPull }
    return switch try MergeDecision.between(own.version, other) {
    case .same: .synced
    case .first: own.state == .conflict ? .conflict : isStored(over: own) ? .pendingPull : .pendingPush
    case .second: own.isEdited ? .conflict : .pendingPull
    }
  }

  /// Whether a pull stores even an older version, because this record is a copy for reading.
  func isStored(over own: LocalRecord<Entity>) -> Bool {
    if case .pullOnly = mode { !own.isEdited } else { false }
  }
}
