public import Foundation
public import SyncCore

/// Syncs the local store of an app with a remote store.
///
/// It pulls before it pushes, so an edit is compared with the edits of other devices. If a call fails or an
/// answer is lost, the next ``sync()`` continues. A record counts as pushed only after the remote store has
/// confirmed it, and a cursor is stored only with its page.
public actor SyncEngine<Local: LocalStore, Remote: RemoteStore> where Local.Entity == Remote.Entity {
  /// The entities of both stores.
  public typealias Entity = Local.Entity
  /// The outcome of a call.
  public typealias Result = SyncResult<Entity>
  typealias Version = RecordVersion<Entity>

  let local: Local
  let remote: Remote
  let mode: SyncMode
  let policy: ConflictPolicy
  let maxDelete: DeleteLimit
  /// The number of records in one call of a store.
  let batch = 500
  /// Lost edits that are not in a result yet, because a call that fails later does not return a result.
  var unreported: [Result.Conflict] = []
  /// The records that could not be read since the last result was returned.
  var unreadable: [UnreadableRecord<Entity>] = []
  /// The last call; each call begins after the previous one has ended.
  private var last: Task<Result, any Error>?
  /// A ``sync()`` that has not begun yet.
  private var waiting: Task<Result, any Error>?

  /// `maxDelete` limits how many synced records may be deleted because a complete answer lacks them.
  public init(
    local: Local, remote: Remote, mode: SyncMode = .twoWay, conflicts policy: ConflictPolicy = .lastWrite,
    maxDelete: DeleteLimit = .default
  ) {
    (self.local, self.remote, self.mode, self.policy) = (local, remote, mode, policy)
    self.maxDelete = maxDelete
  }

  /// Pulls, then pushes.
  ///
  /// Calls made before the sync has begun share its result.
  ///
  /// - Throws: errors of the stores, or a ``SyncEngineError``; the next call continues from there.
  public func sync() async throws -> Result {
    if let waiting { return try await waiting.value }
    let task = inTurn { engine in
      engine.waiting = nil
      let pulled = try await engine.pullNow()
      return pulled + (try await engine.pushNow())
    }
    waiting = task
    return try await task.value
  }

  /// Stores the changes of the remote store since the last pull.
  public func pull() async throws -> Result { try await inTurn { try await $0.pullNow() }.value }

  /// Stores local edits in the remote store; a later version there replaces the edit instead.
  public func push() async throws -> Result { try await inTurn { try await $0.pushNow() }.value }

  private func inTurn(
    _ body: @escaping @Sendable (isolated SyncEngine) async throws -> Result
  ) -> Task<Result, any Error> {
    let before = last
    let task = Task {
      _ = await before?.result
      var result = try await body(self)
      (result.conflicts, self.unreported) = (self.unreported, [])
      (result.unreadable, self.unreadable) = (self.unreadable, [])
      return result
    }
    last = task
    return task
  }

  // MARK: The app's calls

  /// All records, from the store that the mode reads.
  public func getAll() async throws -> [Entity] {
    if case .remoteOnly = mode {
      return try await allOfRemote().records.compactMap(\.version.entity)
    }
    return try await local.getAll()
  }

  /// Saves an edit of the app.
  public func upsert(_ entity: Entity) async throws {
    if case .twoWay = mode { return try await local.upsert(entity) }
    try await writeThrough(.live(entity))
  }

  /// Deletes a record.
  public func delete(_ id: Entity.ID, at time: Date) async throws {
    if case .twoWay = mode { return try await local.delete(id, at: time) }
    try await writeThrough(.deleted(id: id, at: time))
  }

  private func writeThrough(_ version: Version) async throws {
    try await remote.write(version)
    guard case .pullOnly = mode else { return }
    let result = try await pull()
    // The app does not see this result, so the next result includes these conflicts too.
    unreported = result.conflicts + unreported
    unreadable = result.unreadable + unreadable
  }
}
