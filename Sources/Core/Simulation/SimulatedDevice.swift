import JSONLines
import SyncCore

/// A device of a simulation: its store, its clock, its app, and the lines that it must know at the end.
struct SimulatedDevice<Store: SimulatedStore> {
  let id: String
  var store: Store
  /// How far its clock is ahead of the true time, in milliseconds.
  var ahead = 0
  var hasJoined: Bool
  /// The device is down until this time after a crash.
  var downUntil = 0
  /// The records of its app, by canonical key.
  var app: [[UInt8]: [UInt8]] = [:]
  /// The written lines that the device has received, for detecting a loss.
  var known: Set<[UInt8]> = []
  var backups: [Saved] = []
  /// Whether a backup was restored; the device may have acknowledged lines that it no longer has.
  var wasRestored = false
  /// Whether the device merged by other rules before.
  var hasChangedRules = false

  /// The state that a backup restores.
  struct Saved {
    var store: Store.Backup
    var app: [[UInt8]: [UInt8]]
    var known: Set<[UInt8]>
  }

  init(number: Int, store: Store, hasJoined: Bool) {
    id = Self.id(number)
    self.store = store
    self.hasJoined = hasJoined
  }

  static func id(_ number: Int) -> String { "device-\(number)" }

  /// The lines of the app's records of an entity, or of all entities, in key order.
  func snapshot(of entity: String?) -> [UInt8] {
    let records = app.filter { entity == nil || Key.entity(of: $0.key.span) == entity }
    return records.sorted { $0.key.lexicographicallyPrecedes($1.key) }.flatMap { $0.value + [10] }
  }

  /// Replaces the app's records of an entity, or of all entities, with the records of the store.
  mutating func refresh(_ entity: String?, _ lines: [SnapshotLine]) {
    app = app.filter { entity != nil && Key.entity(of: $0.key.span) != entity }
    for line in lines { app[line.key] = line.line }
  }
}
