import JSONLines

/// A device of a simulation: its store, its clock, its app, and what it must know in the end.
struct SimulatedDevice<Store: SimulatedStore> {
  let id: String
  var store: Store
  /// How far its clock is ahead of the right time, in milliseconds.
  var ahead = 0
  var hasJoined: Bool
  /// Until when it is gone after a crash.
  var downUntil = 0
  /// What its app has, by canonical key.
  var app: [[UInt8]: [UInt8]] = [:]
  /// The written lines that it has seen: what a loss would be seen by.
  var known: Set<[UInt8]> = []
  var backups: [Saved] = []
  /// It may have acknowledged what it does not know any more.
  var wasRestored = false

  /// What a backup brings back.
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

  /// The lines of the app's records in key order.
  var snapshot: [UInt8] {
    var text: [UInt8] = []
    for (_, line) in app.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      text += line
      text.append(10)
    }
    return text
  }
}
