import JSONLines
package import SyncCore

/// Stores the changes between the baseline and a snapshot, inside one `write`.
///
/// The baseline is the last snapshot, so changes from peers since then are not differences. The records of
/// the snapshot must be in the order of their keys.
package struct SnapshotIntake {
  var local: LocalIntake
  var cursor: BaselineCursor
  private let live: Int
  /// The last change of the store before the snapshot.
  let sequence: Int64
  /// Whether the snapshot has not had any record so far.
  private(set) var isEmpty = true
  let keys: KeyRange
  /// Live records that are missing in the snapshot and in the baseline; they stay.
  package internal(set) var unread = 0
  /// Live records without a baseline that the snapshot has replaced by another version.
  package private(set) var replacedUnread = 0
  /// Counts of live records deleted by the snapshot's delete lines, and of live records that it lacks.
  var deletions = (named: 0, missing: 0)
  let withholdsDeletions: Bool
  /// Whether the lines are only some of the records, in any order; then missing records are ignored.
  private let isExcerpt: Bool
  /// Detects a source that was replaced by an older copy of itself; nil for a source without such clocks.
  let restoration: Restoration?
  /// Whether the snapshot is the source of an app, in which a record with a clock far ahead is left out.
  let isOfApp: Bool
  /// The number of records of the snapshot that the store has too.
  private var known = 0
  /// Changed records without a later clock; in an older copy of the source they are outdated too.
  var undecided: [(key: [UInt8], line: [UInt8], change: ChangeLine, isOlder: Bool)] = []
  /// Keys of outdated records in the source, each with its line; the line is nil for a missing record.
  package internal(set) var outdated: [(key: [UInt8], line: [UInt8]?)] = []
  /// The number of stored edits with an earlier clock than in the last snapshot.
  package private(set) var setBack = 0
  /// Keys of records that must be written to the source again, because a column has converted their numbers
  /// to texts.
  package private(set) var converted: [[UInt8]] = []
  /// The records that the snapshot does not have, if it may be an older copy, with the app's clocks.
  var missing: [(key: [UInt8], clock: Instant?)] = []
  /// Whether a deleted record is present again, with a clock that is not later than its deletion.
  private var hasReturned = false
  /// The number of missing records that may be among the lines that were left out.
  package internal(set) var withheld = 0

  /// `entity` is the entity of the snapshot, nil for all; a record of another entity throws `outOfScope`.
  package init(
    _ store: ChangeStore, _ shape: RecordShape, entity: String?, withholdingDeletions: Bool,
    isExcerpt: Bool = false, isOfApp: Bool = false, restoration: Restoration? = nil, now: Instant,
    drift: DriftGuard? = nil
  ) throws(StoreError) {
    (self.restoration, self.isOfApp) = (restoration, isOfApp)
    local = try LocalIntake(store, shape, now: now, drift: drift)
    (live, sequence) = (store.state.live, store.state.sequence)
    keys = KeyRange(of: entity)
    cursor = try BaselineCursor(store, shape, keys)
    withholdsDeletions = withholdingDeletions
    self.isExcerpt = isExcerpt
  }

  package var counts: LocalIntake.Counts { local.counts }
  package var unstored: [UnstoredChange] { local.unstored }
  /// Whether the snapshot lacks all of at least five earlier records.
  ///
  /// A source that was emptied by mistake may have new records already.
  var isReplaced: Bool { known == 0 && deletions.missing >= 5 }
  /// Records of append-only entities that have replaced different records.
  package var replaced: Conflicts { local.replaced }

  /// Handles the next record of the snapshot.
  package mutating func record(
    _ key: Span<UInt8>, _ line: Span<UInt8>, _ change: ChangeLine
  ) throws(StoreError) {
    guard keys.contains(key) else { throw .outOfScope }
    isEmpty = false
    if isExcerpt { try cursor.seek(key, local.store) }
    var order = cursor.compare(to: key)
    while order < 0 {
      try recordMissing()
      try cursor.advance()
      order = cursor.compare(to: key)
    }
    if order > 0 {
      // A renamed key would delete all records, and add them under other keys.
      if isOfApp { try local.requireForm(of: key) }
      return try recordLine(key, line, change, nil, nil)
    }
    known += 1
    if change.isTombstone || !cursor.isUnchanged(line, change.kind) {
      let (row, base) = try (cursor.row(), cursor.base())
      try recordLine(key, line, change, row, base)
    }
    if !isExcerpt { try cursor.advance() }
  }

  /// Handles the records that the snapshot lacks, and checks the deletions against a limit.
  ///
  /// With `isPage` the snapshot has a checkpoint line, as pages of changes have.
  package mutating func finish(_ limit: DeleteLimit, isPage: Bool = false) throws(StoreError) {
    while !isExcerpt, cursor.isValid {
      try recordMissing()
      try cursor.advance()
    }
    let older = undecided.count(where: \.isOlder)
    let latest = missing.isEmpty || older == 0 && !hasReturned ? nil : restoration?.latest()
    let isOlderCopy =
      restoration.map { older >= $0.proof } ?? false || missing.contains { Self.isLater($0.clock, latest) }
    try recordUndecided(isOlderCopy: isOlderCopy)
    try recordMissing(isOlderCopy: isOlderCopy, latest)
    if deletions.named > 0 || isPage, deletions.missing > 0 {
      throw .delta(deletions: deletions.named, missing: deletions.missing)
    }
    try local.check(limit, live: live)
  }

  // MARK: One key

  private mutating func recordLine(
    _ key: Span<UInt8>, _ line: Span<UInt8>, _ change: ChangeLine, _ row: StoredRow?, _ base: BaselineLine?,
    isDecided: Bool = false
  ) throws(StoreError) {
    if change.isTombstone {
      return try recordTombstone(key, line, change, row, base, isDecided: isDecided)
    }
    if let base, !base.isTombstone, SnapshotContent.isSame(line, change.kind, base.line.span) { return }
    if let row, !row.isTombstone, SnapshotContent.isSame(line, change.kind, row.line.span) {
      local.countSame()
      return try local.store.adopt(key)
    }
    if let restoration, !isDecided {
      let order = try age(of: change, key, row, base, restoration)
      if order == 0, base?.isTombstone ?? true, change.clock != nil { hasReturned = true }
      if order <= 0 {
        return undecided.append((Array(copying: key), Array(copying: line), change, order < 0))
      }
    }
    if isOfApp, let row, row.base == .respelled, let base,
      let own = try local.store.undoingConversions(in: line, since: base.line.span, of: row.line.span)
    {
      return try recordConverted(key, line, from: own, change, row, base)
    }
    if isOfApp, local.isAhead(change) { return local.note(key, .ahead) }
    try local.admit(key, change, isNew: row == nil)
    let own = LocalClock.edit(own: change.clock, before: base?.clock, now: local.now)
    let clock = row == nil ? local.clockOfNew(key, own) : own
    var whole = try local.changeLine(line, clock)
    var isRespelled = change.kind == .record && !SnapshotContent.isWrapped(line, in: whole.span)
    if isOfApp, let row, row.base == .respelled, let base,
      let kept = SnapshotContent.keepingValues(of: row.line.span, in: whole, unchangedSince: base.line.span)
    {
      (whole, isRespelled) = (kept, true)
    }
    let outcome = try local.merge(key, whole.span, over: row, base: isRespelled ? .respelled : .same)
    if outcome == .stored, base == nil, row?.isTombstone == false { replacedUnread += 1 }
    try keepLoser(key, whole.span, row, outcome, isEdit: true)
    local.note(key, outcome)
    switch outcome {
    case .stored where !isRespelled: try local.store.forgetBaseline(key)
    case .stored, .conflict:
      let own = try local.changeLine(line, clock, keepingFields: true)
      if outcome == .stored { return try local.store.setBaseline(key, own.span, clock: clock) }
      try local.store.keepBaseline(key, own.span, clock: clock)
    case .refused, .excess, .ahead, .same: break
    }
  }

  /// Handles a line in which a column has converted numbers to texts; `own` is the line with the numbers.
  private mutating func recordConverted(
    _ key: Span<UInt8>, _ line: Span<UInt8>, from own: [UInt8], _ change: ChangeLine, _ row: StoredRow,
    _ base: BaselineLine
  ) throws(StoreError) {
    let count = local.unstored.count
    try recordLine(key, own.span, change, row, base, isDecided: true)
    // An edit that was not stored stays a difference from the baseline.
    guard local.unstored.count == count, let stored = try local.store.row(of: key) else { return }
    try local.store.keepBaseline(key, line, clock: local.clock(of: stored))
    converted.append(Array(copying: key))
  }

  /// Negative for a record older than in the last snapshot, zero if an older copy of the source may have it
  /// too, positive otherwise.
  ///
  /// A record that was edited after the stored change arrived is not older, even if that change has a later
  /// clock.
  private func age(
    of change: ChangeLine, _ key: Span<UInt8>, _ row: StoredRow?, _ base: BaselineLine?,
    _ restoration: Restoration
  ) throws(StoreError) -> Int {
    if let base, !base.isTombstone {
      let order = restoration.compare(change.clock, with: base.line.span)
      guard order < 0, let own = change.clock else { return order }
      return try isLater(own, key, row, base) ? 1 : order
    }
    // The record was deleted; a record with a later clock has been added again.
    guard let row, row.isTombstone else { return 1 }
    guard let own = change.clock else { return 0 }
    if try isLater(own, key, row, nil) { return 1 }
    return local.clock(of: row).map { own <= $0 } ?? true ? 0 : 1
  }

  /// Whether an app's clock is later than the time at which the stored change of its record arrived here.
  ///
  /// If the app has not received that change yet, the clock of the baseline counts instead, which `reclock`
  /// may have set back.
  func isLater(
    _ clock: Instant, _ key: Span<UInt8>, _ row: StoredRow?, _ base: BaselineLine?
  ) throws(StoreError) -> Bool {
    if row?.base == .newer { return base?.clock.map { clock > $0 } ?? false }
    guard let time = try local.store.commitTime(of: key) else { return false }
    return clock.seconds > time
  }

  /// Stores the changed records without a later clock, unless the source is an older copy.
  ///
  /// If such an edit has an earlier clock, the version that it replaces is kept.
  private mutating func recordUndecided(isOlderCopy: Bool) throws(StoreError) {
    for (key, line, change, isOlder) in undecided {
      if isOlderCopy {
        outdated.append((key, line))
        continue
      }
      try cursor.seek(key.span, local.store)
      let isKnown = cursor.isValid && cursor.compare(to: key.span) == 0
      let (row, base) = try isKnown ? (cursor.row(), cursor.base()) : (nil, nil)
      let stored = counts.stored
      try recordLine(key.span, line.span, change, row, base, isDecided: true)
      if isOlder, counts.stored > stored, let row {
        try local.store.keepTakenAway(key, row.line)
        setBack += 1
      }
    }
    undecided = []
  }

  /// Keeps the loser of a conflict.
  ///
  /// Either the app had only seen the baseline, not the newer stored change; or its edit loses by the record's rule.
  func keepLoser(
    _ key: Span<UInt8>, _ line: Span<UInt8>, _ row: StoredRow?, _ outcome: LocalIntake.Outcome,
    isEdit: Bool = false
  ) throws(StoreError) {
    guard let row, row.base == .newer || isEdit && outcome == .conflict else { return }
    switch outcome {
    case .stored: try local.store.keepConflict(key, lost: row.line.span, against: line, peer: 0)
    case .conflict: try local.store.keepConflict(key, lost: line, against: row.line.span, peer: 0)
    case .same, .refused, .excess, .ahead: break
    }
  }
}
