public import Foundation

/// A record of the remote store, with its revision there.
public struct RemoteRecord<Entity: Syncable>: Sendable {
  /// The record's content, or its deletion.
  public var version: RecordVersion<Entity>
  /// A value that changes with every write, such as an entity tag; nil if the store does not have one.
  public var revision: [UInt8]?

  /// Creates a record as a store has read it.
  public init(_ version: RecordVersion<Entity>, revision: [UInt8]? = nil) {
    (self.version, self.revision) = (version, revision)
  }
}

/// A record of the remote store that this app cannot read, such as one from a later version of the app.
public struct UnreadableRecord<Entity: Syncable>: Error {
  /// The id of the record; nil if it is not an id of the entity.
  public var id: Entity.ID?
  /// The error of reading it.
  public var reason: any Error

  /// Creates the error.
  public init(id: Entity.ID?, _ reason: any Error) { (self.id, self.reason) = (id, reason) }
}

/// A page of the changes of a remote store.
public struct RemoteChanges<Entity: Syncable>: Sendable {
  /// The latest versions, in the order of their commits.
  public var records: [RemoteRecord<Entity>]
  /// The records that this app cannot read, which are not in ``records``.
  public var unreadable: [UnreadableRecord<Entity>]
  /// The end of the page: all changes up to this cursor are on this page or an earlier one.
  ///
  /// Never derive a cursor from a device's clock.
  public var cursor: [UInt8]
  /// Whether more pages follow.
  public var hasMore: Bool

  /// Creates a page as a store has read it.
  public init(
    _ records: [RemoteRecord<Entity>], unreadable: [UnreadableRecord<Entity>] = [], cursor: [UInt8],
    hasMore: Bool
  ) {
    (self.records, self.unreadable, self.cursor, self.hasMore) = (records, unreadable, cursor, hasMore)
  }
}

/// A version to store in the remote store.
public struct RemoteWrite<Entity: Syncable>: Sendable {
  /// The version to store.
  public var version: RecordVersion<Entity>
  /// The revision as read; nil for a new record.
  ///
  /// A store with revisions rejects the write if the record now has another revision.
  public var replacing: [UInt8]?

  /// Creates a write that replaces the version that was read.
  public init(_ version: RecordVersion<Entity>, replacing: [UInt8]?) {
    (self.version, self.replacing) = (version, replacing)
  }
}

/// The outcome of one write.
public enum RemoteOutcome: Sendable {
  case stored
  /// The record has changed since it was read, so it is read and compared again.
  case changed
  /// This record was rejected and stays pending.
  case failed(any Error)
}

/// The store that several devices share.
public protocol RemoteStore<Entity>: Sendable {
  associatedtype Entity: Syncable

  /// Every record that is not deleted, and the cursor for the changes after it.
  func getAll() async throws -> RemoteChanges<Entity>
  /// The changes committed after the cursor, including deletions; all changes if it is nil.
  ///
  /// A change may be returned twice, but must not be left out.
  ///
  /// - Throws: ``CursorExpired`` if deletions after the cursor may be forgotten, ``CursorForeign`` if the
  ///   store has been replaced or restored since the cursor was made.
  func getModified(after cursor: [UInt8]?) async throws -> RemoteChanges<Entity>
  /// The records with these ids, including tombstones if the store has them; an id without a record is left
  /// out.
  ///
  /// - Throws: ``UnreadableRecord`` with the id of a record that exists but that this app cannot read, so that
  ///   a push does not overwrite it. The push is then continued with the other records.
  func get(_ ids: [Entity.ID]) async throws -> [Entity.ID: RemoteRecord<Entity>]
  /// Stores records and deletions; each has its own outcome, and a missing outcome counts as failed.
  func write(_ writes: [RemoteWrite<Entity>]) async throws -> [Entity.ID: RemoteOutcome]
}

/// The remote store has forgotten deletions after a cursor.
///
/// Synced records that the complete store lacks were deleted there, so they are deleted here too.
public struct CursorExpired: Error {
  /// Creates the error.
  public init() {}
}

/// The cursor is from another store, or the remote store has been restored from a copy since then.
///
/// Synced records that the complete store lacks were not deleted there. They are kept, and pushed again.
public struct CursorForeign: Error {
  /// Creates the error.
  public init() {}
}

extension RemoteStore {
  /// Stores an edit of one record, with a time after that of the replaced version.
  public func upsert(_ entity: Entity) async throws { try await write(.live(entity)) }

  /// Deletes one record.
  public func delete(_ id: Entity.ID, at time: Date) async throws {
    try await write(.deleted(id: id, at: time))
  }

  func write(_ version: RecordVersion<Entity>) async throws {
    for _ in 0..<10 {
      try Task.checkCancellation()
      let seen = try await get([version.id])[version.id]
      switch try await write([RemoteWrite(version.after(seen?.version), replacing: seen?.revision)])[
        version.id]
      {
      case .stored: return
      case .changed: continue
      case .failed(let error): throw error
      case nil: throw NoOutcome()
      }
    }
    throw SyncEngineError.recordKeepsChanging
  }
}

/// The remote store did not report the outcome of a write.
struct NoOutcome: Error {}
