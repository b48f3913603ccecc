import JSONLines
import SyncCore

/// Differences, the store's handling of a line, and its wire form hold for lines of every kind.
///
/// The first byte chooses the profile; the first half of the lines is the old snapshot, the second the new one.
func fuzzLines(_ bytes: [UInt8]) {
  guard let choice = bytes.first else { return }
  let shape = profiles[Int(choice) % profiles.count]
  let lines = bytes.dropFirst().split(separator: 10).map { Array($0) }
  let known = lines.filter { isChange($0, shape) }
  for (index, line) in known.enumerated() {
    checkStamp(line, shape)
    checkStore(line, over: known[(index + 1) % known.count], shape)
  }
  let (old, new) = (snapshot(known.prefix(known.count / 2)), snapshot(known.dropFirst(known.count / 2)))
  checkDelta(ChangeRules(shape), old, new)
  checkBlock(lines.flatMap { $0 + [10] }, shape)
}

private func isChange(_ line: [UInt8], _ shape: RecordShape) -> Bool {
  var (reader, key) = (LineReader(shape), [UInt8]())
  guard let change = try? reader.read(line.span, key: &key) else { return false }
  return change.kind != .checkpoint
}

private func key(of line: [UInt8], _ shape: RecordShape) -> [UInt8] {
  var (reader, key) = (LineReader(shape), [UInt8]())
  _ = try? reader.read(line.span, key: &key)
  return key
}

private func snapshot(_ lines: ArraySlice<[UInt8]>) -> [UInt8] { lines.flatMap { $0 + [10] } }

/// A local write: the change line has the same record with that clock, and gives the record back.
private func checkStamp(_ line: [UInt8], _ shape: RecordShape) {
  var (reader, key, again, stamped) = (LineReader(shape), [UInt8](), [UInt8](), [UInt8]())
  guard let change = try? reader.read(line.span, key: &key), change.kind != .checkpoint,
    StorableLine.excess(line.span, change.kind) == nil
  else { return }
  let clock = LocalClock.edit(own: change.clock, before: change.clock, now: now)
  do {
    try reader.appendChange(line.span, clock: clock, to: &stamped)
    let result = try reader.read(stamped.span, key: &again)
    require(result.kind == .change, "what a store has is a change line")
    require(again == key, "a stamped line has the same key")
    require(result.clock == clock, "a stamped line has the clock")
    require(result.isTombstone == change.isTombstone, "a stamped line is as live as before")
    stamped.removeAll()
    try reader.appendChange(line.span, clock: clock, keepingFields: true, to: &stamped)
  } catch {
    fatalError("a line that was read is stamped and read again: \(error)")
  }
  require(
    SnapshotContent.isSame(line.span, change.kind, stamped.span), "a record is what its change line says")
  var unwrapper = RecordUnwrapper(shape)
  guard change.kind == .record, !change.isTombstone,
    let place = try? unwrapper.record(in: stamped.span, key.span)
  else { return }
  require(
    !ChangeLine.differInContent(stamped.span.extracting(place), line.span), "a record comes back as it was")
}

/// The effect of a peer's change on a stored one, over both versions of the protocol.
private func checkStore(_ line: [UInt8], over stored: [UInt8], _ shape: RecordShape) {
  var changes = ChangeReader(shape)
  let (change, old) = (changes.change(line.span), changes.change(stored.span))
  let decision = ApplyDecision(change, line.span, stored: old, stored.span)
  let back = ApplyDecision(old, stored.span, stored: change, line.span)
  // The order is one of lines with one key, and so with one rule.
  if key(of: line, shape) == key(of: stored, shape) {
    require((decision == .same) == (back == .same), "sameness has no direction")
    require(decision == .same || decision != back, "one of two wins")
  }
  _ = StorableLine.excess(line.span, change.kind)
  _ = ChangeEquality.packed(nil).holds(line.span, stored.span, shape)
  if let whole = CarriedFields.line(line.span, over: stored.span) {
    require((try? JSONScanner.validate(whole.span)) != nil, "a line made whole is JSON")
  }
}

/// A delta makes the old snapshot into the new one, and its inverse leads back.
private func checkDelta(_ rules: ChangeRules, _ old: [UInt8], _ new: [UInt8]) {
  // The line of a deletion may be nested too deep, in either direction.
  guard let delta = try? rules.delta(from: old, to: new, now: now),
    (try? rules.delta(from: new, to: old, now: now)) != nil
  else { return }
  do {
    let applied = try rules.apply(delta, to: old)
    require(try rules.delta(from: applied, to: new, now: now).isEmpty, "a delta leads to the new snapshot")
    let back = try rules.delta(from: applied, to: old, now: now)
    let undone = try rules.apply(back, to: applied)
    require(try rules.delta(from: undone, to: old, now: now).isEmpty, "and back")
  } catch {
    fatalError("a delta applies: \(error)")
  }
}

/// As files are read: in blocks, with a count of what is in them.
private func checkBlock(_ text: [UInt8], _ shape: RecordShape) {
  var reader = BlockReader(shape, drift: DriftGuard(now: now, maximum: .seconds(300)), use: .apply)
  var block = LineBlock(TextRegion(text), 0..<text.count, source: 0)
  let report = reader.read(&block, number: 0)
  var statistics = DeltaStatistics()
  statistics.add(block, report)
  require((try? JSONScanner.validate(Array(statistics.value.text.utf8).span)) != nil, "statistics are JSON")
}

private let now = Instant("2026-01-01T00:00:00Z")!

private let profiles = [
  "{}", Profile.chores, #"{"entities":{"*":{"rule":"append-only","identity":"uuid"}}}"#,
  #"{"entities":{"*":{"rule":"terminal","key":["/id","/m/b"],"clock":"/at","tombstone":"/gone"}}}"#,
].map { text in
  var shape = RecordShape()
  shape.profile = (try? Profile(parsing: Array(text.utf8).span)) ?? Profile()
  return shape
}
