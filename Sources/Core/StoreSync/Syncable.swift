public import Foundation

/// A record of an app that is synced between two stores.
///
/// The later `updatedAt` wins. Times are compared in milliseconds, the precision of stores. At the same
/// millisecond a deletion wins over a record, and of two records, the greater canonical JSON wins, as in
/// `lwwmerge`. So every device makes the same decision, in any order of arrival.
public protocol Syncable: Codable, Identifiable, Sendable where ID: Codable & Comparable & Sendable {
  var createdAt: Date { get }
  /// The time of the last edit, by the clock of the device that made it.
  var updatedAt: Date { get set }
}

/// The relation of a record in the local store to the remote store.
public enum SyncState: String, Codable, CaseIterable, Sendable {
  /// Both stores have this version.
  case synced
  /// The record was edited or deleted here, and is not pushed yet.
  case pendingPush
  /// The remote store has a later version, which has not been pulled yet.
  case pendingPull
  /// The record was edited on both sides, and is left to the app; see ``ConflictPolicy/manual``.
  case conflict
}

/// One version of a record: its content, or its deletion.
public enum RecordVersion<Entity: Syncable>: Sendable {
  case live(Entity)
  /// A tombstone, which distinguishes a deletion from a record that never existed.
  case deleted(id: Entity.ID, at: Date)

  /// The id of the record.
  public var id: Entity.ID {
    switch self {
    case .live(let entity): entity.id
    case .deleted(let id, _): id
    }
  }

  /// The content; nil for a deletion.
  public var entity: Entity? { if case .live(let entity) = self { entity } else { nil } }

  /// The time of the edit or the deletion.
  public var time: Date {
    switch self {
    case .live(let entity): entity.updatedAt
    case .deleted(_, let time): time
    }
  }
}

extension RecordVersion {
  /// The same version, with a later time if it would otherwise not win over `before`.
  func after(_ before: RecordVersion?) -> RecordVersion {
    guard let before, time.milliseconds <= before.time.milliseconds else { return self }
    let later = Date(timeIntervalSince1970: Double(before.time.milliseconds + 1) / 1_000)
    switch self {
    case .live(var entity):
      entity.updatedAt = later
      return .live(entity)
    case .deleted(let id, _): return .deleted(id: id, at: later)
    }
  }
}
