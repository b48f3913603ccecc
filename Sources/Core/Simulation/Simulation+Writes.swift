import JSONLines
import SyncCore

/// The writes of a device's app; each edit must be stored, or refused for a reason.
extension Simulation {
  /// An edit of a key; `line` is nil if the app removes its record.
  private struct Edit {
    var key: [UInt8]
    var line: [UInt8]?
    /// The app's line before the edit, for `record`.
    var old: [UInt8]?
  }

  mutating func put(_ device: Int, _ entity: String?, _ line: [UInt8]) throws(SimulationFailure) {
    guard !isAway(device) else { return }
    countPlain(line)
    let key = try use(device) { store throws(Store.Failure) in try store.key(of: line, entity: entity) }
    let before = try byKey(lines(device))[key]
    let (stored, unstored) = try write(device) { store throws(Store.Failure) in
      try store.put(line + [10], entity: entity)
    }
    if unstored.conflicts.contains(key) {
      try judgeConflict(device, key, line, entity, before)
    } else {
      try judge(device, Edit(key: key, line: line), entity, stored[key], unstored)
    }
  }

  mutating func record(_ recording: StoryRecording) throws(SimulationFailure) {
    let (device, entity) = (recording.device, recording.entity)
    guard !isAway(device) else { return }
    counts[.records] += 1
    if recording.refreshing {
      devices[device].refresh(
        entity, try use(device) { store throws(Store.Failure) in try store.takeSnapshot(of: entity) })
    }
    let before = devices[device].app
    var keys: Set<[UInt8]> = []
    for edit in recording.edits {
      switch edit {
      case .remove(let key):
        devices[device].app[key] = nil
        keys.insert(key)
      case .set(let line):
        let key = try use(device) { store throws(Store.Failure) in try store.key(of: line, entity: entity) }
        devices[device].app[key] = line
        keys.insert(key)
        countPlain(line)
      }
    }
    let snapshot = devices[device].snapshot(of: entity)
    let (stored, unstored) = try write(device) { store throws(Store.Failure) in
      try store.record(snapshot, entity: entity)
    }
    for key in keys.sorted(by: { $0.lexicographicallyPrecedes($1) })
    where entity == nil || Key.entity(of: key.span) == entity {
      let edit = Edit(key: key, line: devices[device].app[key], old: before[key])
      guard try isRecorded(edit, device, entity), !unstored.conflicts.contains(key) else { continue }
      try judge(device, edit, entity, stored[key], unstored)
    }
  }

  private mutating func countPlain(_ line: [UInt8]) {
    if let value = try? JSONValue(parsing: line.span), value["identity"] == nil { counts[.plainRecords] += 1 }
  }

  /// Notes the lines that a write stores, which must not be lost later; returns all stored lines by key.
  private mutating func write(
    _ device: Int, _ body: (inout Store) throws(Store.Failure) -> UnstoredKeys
  ) throws(SimulationFailure) -> (stored: [[UInt8]: [UInt8]], unstored: UnstoredKeys) {
    let before = Set(try lines(device))
    let unstored = try use(device, body)
    let after = try lines(device)
    for line in after where !before.contains(line) {
      counts[.writes] += 1
      written.insert(line)
      devices[device].known.insert(line)
      if dropped.contains(where: { isOlder(line, than: $0) }) { undecided.insert(reader.key(of: line.span)) }
      if log != nil {
        note("writes", device: device, [.init("line", .string(String(decoding: line, as: UTF8.self)))])
      }
    }
    tellFollowers(of: device)
    return (byKey(after), unstored)
  }

  /// Whether a record is older than its deletion, which may have been forgotten everywhere.
  private mutating func isOlder(_ line: [UInt8], than tombstone: [UInt8]) -> Bool {
    guard reader.key(of: line.span) == reader.key(of: tombstone.span) else { return false }
    let (own, other) = (reader.change(line.span), reader.change(tombstone.span))
    return MergeOrder.compare(own, line.span, other, tombstone.span).order < 0
  }

  // MARK: Judging

  /// Whether an app's edit differs from the app's previous record, which is in the store's last snapshot.
  private mutating func isRecorded(
    _ edit: Edit, _ device: Int, _ entity: String?
  ) throws(SimulationFailure) -> Bool {
    let new = try liveLine(device, edit.line, entity)
    guard let old = try liveLine(device, edit.old, entity) else { return new != nil }
    // A record that the store has pruned is not in its last snapshot.
    guard let new else { return prunes.isEmpty }
    return !SnapshotContent.isSame(new.span, .change, old.span)
  }

  /// The change line of an app's record; nil without a record, and for a record that is marked as deleted.
  private mutating func liveLine(
    _ device: Int, _ record: [UInt8]?, _ entity: String?
  ) throws(SimulationFailure) -> [UInt8]? {
    guard let record, let line = try changeLines(device, record, entity, nil).last else { return nil }
    return reader.change(line.span).isTombstone ? nil : line
  }

  /// Checks that the store has an edit that it has not refused.
  private mutating func judge(
    _ device: Int, _ edit: Edit, _ entity: String?, _ stored: [UInt8]?, _ unstored: UnstoredKeys
  ) throws(SimulationFailure) {
    counts[.judgedEdits] += 1
    if unstored.refused.contains(edit.key), !prunes.isEmpty { return }
    guard let line = edit.line, try liveLine(device, line, entity) != nil else {
      // A missing line counts as deleted, like a tombstone.
      if let stored, !reader.change(stored.span).isTombstone {
        throw unwritten(edit.key, device, stored, edit.line)
      }
      return
    }
    guard let stored, !reader.change(stored.span).isTombstone else {
      throw unwritten(edit.key, device, stored, line)
    }
    let clock = reader.change(stored.span).clock
    for wanted in try changeLines(device, line, entity, clock)
    where SnapshotContent.isSame(wanted.span, .change, stored.span) { return }
    throw unwritten(edit.key, device, stored, line)
  }

  /// Checks that a stored line beats an edit that the store reports as the loser, even if the edit has a
  /// later clock.
  private mutating func judgeConflict(
    _ device: Int, _ key: [UInt8], _ line: [UInt8], _ entity: String?, _ stored: [UInt8]?
  ) throws(SimulationFailure) {
    counts[.judgedEdits] += 1
    guard let stored else { throw unwritten(key, device, nil, line) }
    guard try mergeRules(device) == mergeRules else { return }
    let old = reader.change(stored.span)
    let own = try use(device) { store throws(Store.Failure) in try store.clock(of: line, entity: entity) }
    let clock = LocalClock.edit(own: own, before: old.clock, now: now(device))
    for wanted in try changeLines(device, line, entity, clock)
    where MergeOrder.compare(reader.change(wanted.span), wanted.span, old, stored.span).order < 0 { return }
    throw unwritten(key, device, stored, line)
  }

  /// The change lines that a store may store for a line; without `clock`, they get the device's current time.
  private mutating func changeLines(
    _ device: Int, _ line: [UInt8], _ entity: String?, _ clock: Instant?
  ) throws(SimulationFailure) -> [[UInt8]] {
    let clock = clock ?? now(device)
    return try use(device) { store throws(Store.Failure) in
      try store.changeLines(of: line, entity: entity, clock: clock)
    }
  }

  private func unwritten(
    _ key: [UInt8], _ device: Int, _ stored: [UInt8]?, _ line: [UInt8]?
  ) -> SimulationFailure {
    difference(.unwritten, key, stored, "its app has written \(shown(line))", device)
  }
}
