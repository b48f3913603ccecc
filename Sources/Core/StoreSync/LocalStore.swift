public import Foundation

/// A record of the local store.
public struct LocalRecord<Entity: Syncable>: Sendable {
  /// The record's content, or its deletion.
  public var version: RecordVersion<Entity>
  /// The record's relation to the remote store.
  public var state: SyncState
  /// A value that changes with every edit of the record, such as a counter; only compared for equality.
  public var edit: Int64

  /// Creates a record from the values that a store has read.
  public init(_ version: RecordVersion<Entity>, _ state: SyncState, edit: Int64) {
    (self.version, self.state, self.edit) = (version, state, edit)
  }

  var isEdited: Bool { state == .pendingPush || state == .conflict }
}

/// A version to store unless the record has been edited since it was read.
public struct LocalWrite<Entity: Syncable>: Sendable {
  /// The version to store.
  public var version: RecordVersion<Entity>
  /// The state of the record after that.
  public var state: SyncState
  /// The `edit` of the record as read; nil for a new record.
  public var replacing: Int64?

  /// Creates a write that replaces the version that was read.
  public init(_ version: RecordVersion<Entity>, _ state: SyncState, replacing: Int64?) {
    (self.version, self.state, self.replacing) = (version, state, replacing)
  }
}

/// The store of the app on this device.
///
/// Each call is one transaction.
public protocol LocalStore<Entity>: Sendable {
  associatedtype Entity: Syncable

  /// All records that are not deleted.
  func getAll() async throws -> [Entity]
  /// The records with these ids, including tombstones; an id without a record is left out.
  func get(_ ids: [Entity.ID]) async throws -> [Entity.ID: LocalRecord<Entity>]
  /// The records to push, in ``SyncState/pendingPush``, oldest first; at most `limit`.
  func getPendingPush(limit: Int) async throws -> [LocalRecord<Entity>]
  /// The records in ``SyncState/conflict``, including tombstones.
  func getConflicts() async throws -> [LocalRecord<Entity>]
  /// Stores the versions of all records that still have the `edit` that was read, and the cursor.
  ///
  /// - Returns: the ids of records edited meanwhile. These are not changed, and the cursor is then not
  ///   stored.
  func apply(_ writes: [LocalWrite<Entity>], cursor: [UInt8]?) async throws -> [Entity.ID]
  /// Marks a record as pushed if it still has this `edit`; an edit made meanwhile stays pending.
  ///
  /// Keep the tombstone, at least if the remote store writes unconditionally: a device without the deletion
  /// may overwrite the deletion there.
  func markSynced(_ id: Entity.ID, edit: Int64) async throws
  /// The cursor of the last ``apply(_:cursor:)`` that stored one; nil before the first.
  func cursor() async throws -> [UInt8]?
  /// The ids of all records in ``SyncState/synced`` that are not deleted, for comparison with the complete
  /// remote store.
  func syncedIDs() async throws -> [Entity.ID]
}

extension LocalStore {
  /// Stores an edit of the app, to be pushed.
  ///
  /// The edit receives a later time than the replaced version, even if the device's clock is wrong. So it
  /// wins over that version on every device.
  public func upsert(_ entity: Entity) async throws { try await edit(.live(entity)) }

  /// Deletes a record, to be pushed, if the record exists or its deletion is in conflict.
  public func delete(_ id: Entity.ID, at time: Date) async throws {
    try await edit(.deleted(id: id, at: time))
  }

  private func edit(_ version: RecordVersion<Entity>) async throws {
    while true {
      let before = try await get([version.id])[version.id]
      // A second deletion confirms a deletion that is in conflict.
      if version.entity == nil, before?.version.entity == nil, before?.state != .conflict { return }
      let write = LocalWrite(version.after(before?.version), .pendingPush, replacing: before?.edit)
      if try await apply([write], cursor: nil).isEmpty { return }
    }
  }
}
