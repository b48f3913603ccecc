/// The outcome of ``SyncEngine/sync()``, ``SyncEngine/push()`` or ``SyncEngine/pull()``.
public struct SyncResult<Entity: Syncable>: Sendable {
  /// Records stored at the remote store.
  public var pushed = 0
  /// Records stored here.
  public var pulled = 0
  /// Edits of this device that lost against a later one of another device, or were left to the app.
  public var conflicts: [Conflict] = []
  /// Records that were refused, by id; they stay pending.
  public var failures: [Entity.ID: any Error] = [:]
  /// False if records must still be pushed, because they were refused or others keep writing to them.
  public var isComplete = true

  /// An edit of this device that lost, or was left to the app.
  public struct Conflict: Sendable {
    /// The edit of this device.
    public let own: RecordVersion<Entity>
    /// The later version of the remote store.
    public let other: RecordVersion<Entity>
  }

  init() {}

  static func + (a: SyncResult, b: SyncResult) -> SyncResult {
    var sum = a
    sum.pushed += b.pushed
    sum.pulled += b.pulled
    sum.conflicts += b.conflicts
    sum.failures.merge(b.failures) { _, last in last }
    sum.isComplete = a.isComplete && b.isComplete
    return sum
  }
}

/// Why a sync was given up.
public enum SyncEngineError: Error, Equatable, Sendable {
  /// A complete answer of the remote store lacks so many synced records that none is deleted here.
  case tooManyDeletions(missing: Int, of: Int)
  /// The remote store has more pages, but its cursor stays the same.
  case cursorDoesNotMove
}

/// The treatment of a record that was edited on both sides.
public enum ConflictPolicy: Sendable {
  /// The later edit wins; the other is in ``SyncResult/conflicts``.
  case lastWrite
  /// An edit of this device that would lose stays in ``SyncState/conflict``.
  ///
  /// The app settles it by saving a record with a later time than both.
  case manual
}

/// The stage of an app's move to two-way sync; its calls stay the same.
public enum SyncMode: Sendable {
  /// Reads and writes go to the remote store.
  case remoteOnly
  /// Reads come from a local copy; writes go to the remote store, and then into the copy.
  case pullOnly
  /// Reads and writes are local, and are synced whenever there is a connection.
  case twoWay
}
