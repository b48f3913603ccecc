import JSONLines
package import StoreFiles
package import SyncCore

/// Stores what has changed between the baseline and a snapshot, inside one `write`.
///
/// The baseline is what the last snapshot had, so that what has come from peers since is no difference. The records of
/// the snapshot have to come in the order of their keys.
package struct SnapshotIntake {
  /// Keys of local writes that their rule has made lose, canonical.
  package private(set) var conflicts: [[UInt8]] = []
  /// Keys of local writes that are older than what has been pruned, canonical.
  package private(set) var refused: [[UInt8]] = []
  /// Keys of local writes that with their clocks would be longer than a store takes, canonical.
  package private(set) var tooLong: [[UInt8]] = []
  private var local: LocalIntake
  private var cursor: BaselineCursor
  private let live: Int
  private let opening: [UInt8]
  private let withholdsDeletions: Bool
  /// Deletions that may be no more than the lines that were left out.
  package private(set) var withheld = 0

  /// `entity` says of which entity the snapshot is, nil for all; records of another are `outOfScope`.
  package init(
    _ store: ChangeStore, _ shape: RecordShape, entity: String?, withholdingDeletions: Bool, now: Instant
  ) throws(StoreError) {
    local = try LocalIntake(store, shape, now: now)
    live = store.state.live
    opening = entity.map(Prunes.opening) ?? []
    cursor = try BaselineCursor(store, shape, opening: opening)
    withholdsDeletions = withholdingDeletions
  }

  package var counts: LocalIntake.Counts { local.counts }
  /// Records of append-only entities that have taken the place of different ones.
  package var replaced: Conflicts { local.replaced }

  /// Takes the next record of the snapshot.
  package mutating func take(
    _ key: Span<UInt8>, _ line: Span<UInt8>, isTombstone: Bool
  ) throws(StoreError) {
    guard key.count > opening.count,
      ByteSearch.isEqual(key, 0..<opening.count, opening.span, 0..<opening.count)
    else { throw .outOfScope }
    var order = cursor.compare(to: key)
    while order < 0 {
      try takeMissing()
      try cursor.advance()
      order = cursor.compare(to: key)
    }
    if order > 0 { return try takeLine(key, line, isTombstone, nil, nil) }
    if isTombstone || !cursor.isUnchanged(line) {
      let (row, base) = try (cursor.row(), cursor.base())
      try takeLine(key, line, isTombstone, row, base)
    }
    try cursor.advance()
  }

  /// Takes what the snapshot does not have, and checks the deletions against a limit.
  package mutating func finish(_ limit: DeleteLimit) throws(StoreError) {
    while cursor.isValid {
      try takeMissing()
      try cursor.advance()
    }
    try local.check(limit, live: live)
  }

  // MARK: One key

  private mutating func takeLine(
    _ key: Span<UInt8>, _ line: Span<UInt8>, _ isTombstone: Bool, _ row: StoredRow?, _ base: BaselineLine?
  ) throws(StoreError) {
    if isTombstone { return try takeTombstone(key, line, row, base) }
    if let base, !base.isTombstone, !MergeOrder.differInContent(line, base.line.span) { return }
    if let row, !MergeOrder.differInContent(line, row.line.span) {
      local.countSame()
      return try local.store.adopt(key)
    }
    let change = local.change(line)
    let clock = LocalClock.edit(own: change.clock, base: base?.clockBase, now: local.now)
    let stamped = try local.stamped(line, change, clock)
    let isStamped = clock != change.clock
    switch try local.merge(key, stamped.span, over: row, base: isStamped ? .stamped : .same) {
    case .stored where !isStamped: try local.store.forgetBaseline(key)
    case .conflict:
      note(key, in: &conflicts)
      try local.store.keepBaseline(key, line, clock: clock)
    case .stored: try local.store.setBaseline(key, line, clock: clock)
    case .refused: note(key, in: &refused)
    case .tooLong: note(key, in: &tooLong)
    case .same: break
    }
  }

  private mutating func takeTombstone(
    _ key: Span<UInt8>, _ line: Span<UInt8>, _ row: StoredRow?, _ base: BaselineLine?
  ) throws(StoreError) {
    guard let base, !base.isTombstone, let row else { return }
    let change = local.change(line)
    let clock = LocalClock.edit(own: change.clock, base: base.clockBase, now: local.now)
    try delete(key, try local.stamped(line, change, clock ?? local.now), row)
  }

  /// The row that the cursor is at has no record in the snapshot.
  private mutating func takeMissing() throws(StoreError) {
    guard let base = try cursor.base(), !base.isTombstone else { return }
    if withholdsDeletions {
      withheld += 1
      return
    }
    let (key, row) = try (cursor.key, cursor.row())
    let time = LocalClock.deletion(base: base.clockBase, isChangedSince: row.base == .newer, now: local.now)
    try delete(key.span, local.deleteLine(of: base.line.span, at: time), row)
  }

  private mutating func delete(
    _ key: Span<UInt8>, _ line: [UInt8], _ row: StoredRow
  ) throws(StoreError) {
    if row.isTombstone { return try local.store.adopt(key) }
    switch try local.merge(key, line.span, over: row, base: .same) {
    case .conflict:
      note(key, in: &conflicts)
      try local.store.leaveBaseline(key)
    case .refused: note(key, in: &refused)
    case .tooLong: note(key, in: &tooLong)
    case .stored, .same: try local.store.forgetBaseline(key)
    }
  }

  private func note(_ key: Span<UInt8>, in keys: inout [[UInt8]]) {
    var bytes: [UInt8] = []
    bytes.append(key)
    keys.append(bytes)
  }
}
