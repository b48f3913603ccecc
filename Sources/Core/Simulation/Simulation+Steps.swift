import JSONLines
import SyncCore

/// The steps of one device.
extension Simulation {
  mutating func perform(_ action: StoryAction) throws(SimulationFailure) {
    switch action {
    case .join(let device): devices[device].hasJoined = true
    case .put(let device, let entity, let line): try put(device, entity, line)
    case .record(let recording): try record(recording)
    case .session(let plan): try connect(plan)
    case .backup(let device): try backUp(device)
    case .restore(let device, let age): try restore(device, age)
    case .compact(let device): try compact(device)
    case .rules(let device, let profile):
      if !isAway(device) { try setRules(device, profile.choice) }
    case .prune(let device, let entity, let before): try prune(device, entity, Story.instant(before))
    case .clock(let device, let ahead): devices[device].ahead = ahead
    case .crash(let device, let down): try crash(device, down: down)
    case .partition: break
    }
  }

  // MARK: Lines

  mutating func lines(_ device: Int) throws(SimulationFailure) -> [[UInt8]] {
    try use(device) { store throws(Store.Failure) in try store.dump() }.split(separator: 10).map { Array($0) }
  }

  mutating func byKey(_ lines: [[UInt8]]) -> [[UInt8]: [UInt8]] {
    var byKey: [[UInt8]: [UInt8]] = [:]
    for line in lines { byKey[reader.key(of: line.span)] = line }
    return byKey
  }

  // MARK: Backups

  private mutating func backUp(_ device: Int) throws(SimulationFailure) {
    guard !isAway(device) else { return }
    counts[.backups] += 1
    let saved = try use(device) { store throws(Store.Failure) in try store.backup() }
    devices[device].backups.append(
      SimulatedDevice.Saved(store: saved, app: devices[device].app, known: devices[device].known))
  }

  private mutating func restore(_ device: Int, _ age: Int) throws(SimulationFailure) {
    let backups = devices[device].backups
    guard age < backups.count, devices[device].hasJoined else { return }
    // A restore ends all running sessions.
    try crash(device, down: 0)
    counts[.restores] += 1
    note("is restored", device: device)
    let saved = backups[backups.count - 1 - age]
    try use(device) { store throws(Store.Failure) in try store.restore(saved.store) }
    devices[device].app = saved.app
    devices[device].known = saved.known
    devices[device].wasRestored = true
    for tombstone in dropped { leaveUndecided(tombstone, unlessKnownBy: device) }
  }

  // MARK: Pruning

  private mutating func prune(_ device: Int, _ entity: String, _ before: Instant) throws(SimulationFailure) {
    guard !isAway(device) else { return }
    counts[.prunes] += 1
    prunes.add(entity, before: before)
    note("prunes", device: device)
    try use(device) { store throws(Store.Failure) in try store.prune(entity, before: before) }
  }

  /// Keys with a write that a device rejects as too old, and so does not pass on.
  mutating func prunedKeys() -> Set<[UInt8]> {
    guard !prunes.isEmpty else { return [] }
    return written.reduce(into: []) { keys, line in
      let key = reader.key(of: line.span)
      if prunes.refuse(key.span, reader.change(line.span)) { keys.insert(key) }
    }
  }

  // MARK: Compaction

  /// Compacts a store, and notes the keys for which the final state is not determined any more.
  ///
  /// A tombstone may be removed before a device has received it: that device has not synced with its
  /// neighbours yet, counts as retired, or was restored after its ack. Then a write of that device may win
  /// although it should lose.
  private mutating func compact(_ device: Int) throws(SimulationFailure) {
    guard !isAway(device) else { return }
    counts[.compactions] += 1
    let before = try lines(device)
    try use(device) { store throws(Store.Failure) in try store.compact() }
    let after = Set(try lines(device))
    let gone = before.filter { !after.contains($0) }
    counts[.droppedTombstones] += gone.count
    let active = try use(device) { store throws(Store.Failure) in try store.activePeers() }
    let isWaitedForAll = neighbours(of: device).allSatisfy { active.contains(devices[$0].id) }
    for tombstone in gone {
      if log != nil {
        note("drops", device: device, [.init("line", .string(String(decoding: tombstone, as: UTF8.self)))])
      }
      dropped.insert(tombstone)
      for other in devices.indices where !isWaitedForAll || devices[other].wasRestored {
        leaveUndecided(tombstone, unlessKnownBy: other)
      }
    }
  }

  private mutating func leaveUndecided(_ tombstone: [UInt8], unlessKnownBy device: Int) {
    let key = reader.key(of: tombstone.span)
    let change = reader.change(tombstone.span)
    for line in devices[device].known where reader.key(of: line.span) == key {
      if MergeOrder.compare(reader.change(line.span), line.span, change, tombstone.span).order >= 0 { return }
    }
    undecided.insert(key)
  }
}
