import SyncCore

/// Where the clocks of new keys begin, so that a deletion which was removed does not win over them elsewhere.
///
/// A device whose clock was ahead has deleted a record "later" than it is now. As long as the tombstone is here, a new
/// record of that key gets a later clock; once it is removed, only the floor of the entity tells. Writes from before are
/// left alone: a record that is taken in with a clock of last year is no later than the deletion was.
struct ClockFloors {
  private var floors: [String: (after: Instant, clock: Instant)] = [:]

  /// The clock for a change whose key the store does not have.
  func lifted(_ clock: Instant?, _ key: Span<UInt8>) -> Instant? {
    guard !floors.isEmpty, let clock, let floor = floors[Key.entity(of: key)], clock > floor.after,
      clock <= floor.clock
    else { return clock }
    return floor.clock.advanced(by: .milliseconds(1))
  }

  /// The key is not in the store, and a deletion of it, if there was one, may have been later than `clock` and removed.
  func isBelow(_ clock: Instant?, _ key: Span<UInt8>) -> Bool {
    guard !floors.isEmpty, let floor = floors[Key.entity(of: key)] else { return false }
    return clock.map { $0 <= floor.clock } ?? true
  }

  fileprivate func clock(of entity: String) -> Instant? { floors[entity]?.clock }

  fileprivate mutating func set(_ entity: String, after: Instant, clock: Instant) {
    floors[entity] = (after, clock)
  }
}

extension ChangeStore {
  func clockFloors() throws(StoreError) -> ClockFloors {
    var floors = ClockFloors()
    let rows = try database.statement("SELECT entity, after, clock FROM floors")
    while try rows.step() {
      if let after = Instant(rows.text(1)), let clock = Instant(rows.text(2)) {
        floors.set(rows.text(0), after: after, clock: clock)
      }
    }
    return floors
  }

  /// Raises the floor of an entity to the latest clock of its deletions that are removed now.
  func raiseFloor(of entity: String, to clock: Instant, after: Instant) throws(StoreError) {
    if let floor = try clockFloors().clock(of: entity), floor >= clock { return }
    try database.statement("INSERT OR REPLACE INTO floors (entity, after, clock) VALUES (?1, ?2, ?3)")
      .bind(1, entity).bind(2, after.description).bind(3, clock.description).run()
  }
}
