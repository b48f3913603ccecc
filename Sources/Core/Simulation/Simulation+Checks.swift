import JSONLines
import SyncCore

/// The conditions that must hold after all devices have settled.
extension Simulation {
  /// The live lines after merging all writes that some device still knows, by canonical key.
  mutating func expectedLines() throws(SimulationFailure) -> [[UInt8]: [UInt8]] {
    let known = devices.reduce(into: Set<[UInt8]>()) { $0.formUnion($1.known) }
    counts[.keys] += Set(written.map { reader.key(of: $0.span) }).count
    counts[.undecidedKeys] += undecided.count
    counts[.prunedKeys] += prunedKeys().count
    var text: [UInt8] = []
    for line in known {
      text += line
      text.append(10)
    }
    do throws(SyncError) {
      return byKey(
        try ChangeRules(shape).merge([text], tombstones: false).split(separator: 10).map { Array($0) })
    } catch {
      throw SimulationFailure(.storeFailed, "a stored line cannot be read: \(error.message)")
    }
  }

  mutating func check(_ expected: [[UInt8]: [UInt8]]) throws(SimulationFailure) {
    var first: [[UInt8]: [UInt8]] = [:]
    let pruned = prunedKeys()
    for device in devices.indices {
      try checkStore(device)
      try checkBaseline(device)
      let live = try liveLines(device)
      if device == 0 { first = live }
      for key in Set(expected.keys).union(live.keys).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
        if pruned.contains(key) {
          try compare(key, live[key], expected[key], device, isPruned: true)
          continue
        }
        if live[key] != first[key] {
          throw difference(.diverged, key, live[key], "device-0 has \(shown(first[key]))", device)
        }
        guard !undecided.contains(key) else { continue }
        try compare(key, live[key], expected[key], device)
      }
      for key in first.keys where live[key] == nil && !pruned.contains(key) {
        throw difference(.diverged, key, nil, "device-0 has \(shown(first[key]))", device)
      }
    }
  }

  /// Checks that devices which still have a tombstone of a key have the same one.
  ///
  /// A device may keep an earlier tombstone if a compaction has not waited for this device.
  mutating func checkTombstones() throws(SimulationFailure) {
    var tombstones: [[UInt8]: [UInt8]] = [:]
    let pruned = prunedKeys()
    for device in devices.indices {
      for line in try lines(device) where reader.change(line.span).isTombstone {
        let key = reader.key(of: line.span)
        guard let other = tombstones[key] else {
          tombstones[key] = line
          continue
        }
        if other == line || pruned.contains(key) || undecided.contains(key) { continue }
        throw difference(.diverged, key, line, "another device has \(shown(other))", device)
      }
    }
  }

  /// If any store pruned a record of a key, only deletions reach every device.
  private func compare(
    _ key: [UInt8], _ found: [UInt8]?, _ expected: [UInt8]?, _ device: Int, isPruned: Bool = false
  ) throws(SimulationFailure) {
    if found == expected || isPruned && (expected != nil || undecided.contains(key)) { return }
    let kind: SimulationFailure.Kind = found == nil ? .lost : expected == nil ? .resurrected : .wrongWinner
    throw difference(kind, key, found, "a merge of all writes gives \(shown(expected))", device)
  }

  func difference(
    _ kind: SimulationFailure.Kind, _ key: [UInt8], _ found: [UInt8]?, _ wanted: String, _ device: Int
  ) -> SimulationFailure {
    SimulationFailure(
      kind, "\(String(decoding: key, as: UTF8.self)): \(devices[device].id) has \(shown(found)), \(wanted)")
  }

  func shown(_ line: [UInt8]?) -> String {
    line.map { String(decoding: $0, as: UTF8.self) } ?? "none"
  }

  private mutating func checkStore(_ device: Int) throws(SimulationFailure) {
    let faults = try use(device) { store throws(Store.Failure) in try store.verify() }
    if let fault = faults.first { throw SimulationFailure(.damaged, "\(devices[device].id): \(fault)") }
    let waiting = try use(device) { store throws(Store.Failure) in try store.quarantineCount() }
    if waiting > 0 {
      throw SimulationFailure(.quarantined, "\(devices[device].id) still has \(waiting) in quarantine")
    }
  }

  /// Checks that recording the store's own dump, of each entity or of all, does not change the store.
  private mutating func checkBaseline(_ device: Int) throws(SimulationFailure) {
    let before = try lines(device)
    let sequence = try use(device) { store throws(Store.Failure) in try store.lastSequence() }
    let entities = Set(before.map { Key.entity(of: reader.key(of: $0.span).span) }).sorted()
    guard !entities.isEmpty else { return }
    for entity in [nil] + entities {
      let dump = try use(device) { store throws(Store.Failure) in try store.takeSnapshot(of: entity) }
      var text: [UInt8] = []
      for line in dump { text += line.line + [10] }
      _ = try use(device) { store throws(Store.Failure) in try store.record(text, entity: entity) }
      let present = try use(device) { store throws(Store.Failure) in try store.lastSequence() }
      let stored = try lines(device)
      if present == sequence, stored == before { continue }
      throw SimulationFailure(
        .baseline,
        "\(devices[device].id) stores changes from its own dump \(String(decoding: text, as: UTF8.self))")
    }
  }

  private mutating func liveLines(_ device: Int) throws(SimulationFailure) -> [[UInt8]: [UInt8]] {
    var live: [[UInt8]: [UInt8]] = [:]
    for line in try lines(device) where !reader.change(line.span).isTombstone {
      live[reader.key(of: line.span)] = line
    }
    return live
  }

  /// Checks that a round without new changes used only the necessary messages.
  func checkIdleness() throws(SimulationFailure) {
    let links = story.links.pairs(story.devices).count
    for session in sessions.suffix(links) where session.messages > 6 {
      throw SimulationFailure(.echo, "\(session.messages) messages between two devices without new changes")
    }
  }
}
