import JSONLines
import SyncCore

/// A device of a simulation: its store, its clock, its app, and what it must know in the end.
struct SimulatedDevice<Store: SimulatedStore> {
  let id: String
  var store: Store
  /// How far its clock is ahead of the right time, in milliseconds.
  var ahead = 0
  var hasJoined: Bool
  /// Until when it is gone after a crash.
  var downUntil = 0
  /// The records of its app, by canonical key.
  var app: [[UInt8]: [UInt8]] = [:]
  /// The written lines that it has seen: what a loss would be seen by.
  var known: Set<[UInt8]> = []
  var backups: [Saved] = []
  /// It may have acknowledged what it no longer knows.
  var wasRestored = false
  /// It has merged by other rules before.
  var hasChangedRules = false

  /// The state that restoring a backup brings back.
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

  /// The lines of the app's records of an entity, or of all, in key order.
  func snapshot(of entity: String?) -> [UInt8] {
    let records = app.filter { entity == nil || Key.entity(of: $0.key.span) == entity }
    return records.sorted { $0.key.lexicographicallyPrecedes($1.key) }.flatMap { $0.value + [10] }
  }

  /// The app takes over what the store has of an entity, or of all.
  mutating func refresh(_ entity: String?, _ lines: [SnapshotLine]) {
    app = app.filter { entity != nil && Key.entity(of: $0.key.span) != entity }
    for line in lines { app[line.key] = line.line }
  }
}
