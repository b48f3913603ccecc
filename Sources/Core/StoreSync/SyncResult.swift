/// The outcome of ``SyncEngine/sync()``, ``SyncEngine/push()`` or ``SyncEngine/pull()``.
public struct SyncResult<Entity: Syncable>: Sendable {
  /// The number of records stored in the remote store.
  public var pushed = 0
  /// The number of records stored here.
  public var pulled = 0
  /// The edits of this device that, since the last result, lost to a later version or were left to the app.
  public var conflicts: [Conflict] = []
  /// The errors of rejected records, by id; these records stay pending.
  public var failures: [Entity.ID: any Error] = [:]
  /// The records of the remote store that this app could not read; its own copies are unchanged.
  ///
  /// Each record is in one result only, because the cursor is then past the record. It is read again when the
  /// record changes, or after the app has cleared its cursor.
  public var unreadable: [UnreadableRecord<Entity>] = []
  /// False if records are still pending, because they were rejected or other devices keep writing to them.
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
    sum.failures.merge(b.failures) { _, last in last }
    sum.isComplete = a.isComplete && b.isComplete
    return sum
  }
}

/// Why a sync failed.
public enum SyncEngineError: Error, Equatable, Sendable {
  /// A complete answer of the remote store lacks too many synced records, so they are not deleted here.
  case tooManyDeletions(missing: Int, of: Int)
  /// The remote store has more pages, but its cursor stays the same.
  case cursorDoesNotMove
  /// A record in the remote store was changed before each of ten writes, or is there although the store does
  /// not return it.
  case recordKeepsChanging
}

/// The treatment of a record that was edited on both sides.
public enum ConflictPolicy: Sendable {
  /// The later edit wins; the lost edit is in ``SyncResult/conflicts``.
  case lastWrite
  /// An edit of this device that would lose stays in ``SyncState/conflict``.
  ///
  /// The app resolves the conflict by saving or deleting the record with a later time than both versions.
  /// ``LocalStore/getConflicts()`` returns the records in conflict.
  case manual
}

/// The stage of an app's move to two-way sync; its calls stay the same.
public enum SyncMode: Sendable {
  /// Reads and writes use the remote store.
  case remoteOnly
  /// Reads use a local copy; writes are sent to the remote store, and then to the copy.
  case pullOnly
  /// Reads and writes are local, and are synced whenever there is a connection.
  case twoWay
}
