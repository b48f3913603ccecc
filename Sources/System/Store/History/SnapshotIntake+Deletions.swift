import SyncCore

// The records of a snapshot that are marked as deleted, and the earlier records that it lacks.
extension SnapshotIntake {
  mutating func recordTombstone(
    _ key: Span<UInt8>, _ line: Span<UInt8>, _ change: ChangeLine, _ row: StoredRow?, _ base: BaselineLine?,
    isDecided: Bool
  ) throws(StoreError) {
    guard let base else { return try recordUnreadTombstone(key, line, change, row) }
    guard !base.isTombstone, let row else { return }
    if row.isTombstone { return try local.store.adopt(key) }
    // A deletion whose clock is only a date may look earlier than an edit of that day, so its live clock
    // counts too.
    if let restoration, !isDecided, let own = change.clock,
      let last = restoration.clock(base.line.span), own < last,
      let live = restoration.liveClock(line), live < last, try !isLater(own, key, row, base)
    {
      return undecided.append((Array(copying: key), Array(copying: line), change, true))
    }
    if isOfApp, local.isAhead(change) { return local.note(key, .ahead) }
    try local.admit(key, change, isNew: false)
    let clock = LocalClock.edit(own: change.clock, before: base.clock, now: local.now)
    if !isOfApp, change.kind == .change, !row.isTombstone { deletions.named += 1 }
    try delete(key, try local.changeLine(line, clock), row)
  }

  /// Handles a record that its app marked as deleted without having read the stored record, if one exists.
  private mutating func recordUnreadTombstone(
    _ key: Span<UInt8>, _ line: Span<UInt8>, _ change: ChangeLine, _ row: StoredRow?
  ) throws(StoreError) {
    guard isOfApp else { return }
    if row?.isTombstone == true { return try local.store.adopt(key) }
    if local.isAhead(change) { return local.note(key, .ahead) }
    // The store had this deletion, and has compacted it away.
    if row == nil, local.isBelowFloor(change, key) { return }
    let whole = try local.changeLine(line, change.clock)
    let outcome = try local.merge(key, whole.span, over: row, base: .same)
    try keepLoser(key, whole.span, row, outcome)
    // Ignore a deletion that is older than the pruned records.
    if outcome != .refused { local.note(key, outcome) }
  }

  /// Handles the cursor's row, for which the snapshot lacks a record.
  mutating func recordMissing() throws(StoreError) {
    guard let base = try cursor.base() else {
      if try !cursor.row().isTombstone { unread += 1 }
      return
    }
    if base.isTombstone { return }
    if withholdsDeletions {
      withheld += 1
      return
    }
    if restoration == nil { return try recordDeletion(base) }
    missing.append((cursor.key, restoration?.clock(base.line.span)))
  }

  /// Deletes the missing records, except those that are newer than an older copy of the source.
  ///
  /// These have a later clock than all its records, or came into the store after all its unchanged records.
  mutating func recordMissing(isOlderCopy: Bool, _ latest: Instant?) throws(StoreError) {
    if missing.isEmpty { return }
    let changed = Set(missing.map(\.key) + outdated.map(\.key))
    let last =
      try isOlderCopy ? local.store.lastUnchanged(in: keys, besides: changed, upTo: sequence) : .max
    for (key, clock) in missing {
      let place = try isOlderCopy ? local.store.row(of: key.span)?.place : nil
      if isOlderCopy, Self.isLater(clock, latest) || (place?.sequence ?? 0) > last {
        outdated.append((key, nil))
        continue
      }
      try cursor.seek(key.span, local.store)
      if let base = try cursor.base() { try recordDeletion(base) }
    }
  }

  /// Whether a record has a later clock than all records of the source; false if one of the two lacks clocks.
  static func isLater(_ clock: Instant?, _ latest: Instant?) -> Bool {
    guard let clock, let latest else { return false }
    return clock > latest
  }

  private mutating func recordDeletion(_ base: BaselineLine) throws(StoreError) {
    let (key, row) = try (cursor.key, cursor.row())
    if !row.isTombstone { deletions.missing += 1 }
    // The deletion of a row without a clock gets the time when it is found, as an edit of such a row does.
    let isDated = restoration.map { $0.isOfFile || $0.clock(base.line.span) != nil } ?? true
    let time = LocalClock.deletion(
      before: base.clock, isChangedSince: row.base == .newer && isDated, now: local.now)
    try delete(key.span, local.deleteLine(of: base.line.span, at: time), row)
  }

  private mutating func delete(
    _ key: Span<UInt8>, _ line: [UInt8], _ row: StoredRow
  ) throws(StoreError) {
    if row.isTombstone { return try local.store.adopt(key) }
    let outcome = try local.merge(key, line.span, over: row, base: .same)
    local.note(key, outcome)
    try keepLoser(key, line.span, row, outcome)
    switch outcome {
    case .conflict: try local.store.leaveBaseline(key)
    case .refused, .excess, .ahead: break
    case .stored, .same: try local.store.forgetBaseline(key)
    }
  }
}
