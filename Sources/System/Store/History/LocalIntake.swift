package import JSONLines
package import SyncCore

/// Stores changes that were made here, inside one `write`.
package struct LocalIntake {
  package struct Counts: Equatable, Sendable {
    package var stored = 0
    /// Changes that the store already has.
    package var same = 0
    /// Changes that lost against the stored changes by their rule.
    package var conflicts = 0
    /// Changes that are refused because a prune would have dropped them.
    package var refused = 0
    /// Live records that are deleted now.
    package var deletions = 0
    /// Changes with clocks that `drift` does not admit, stored because the replaced clocks are ahead too.
    package var ahead = 0
    /// New records that are older than deletions that `compact` has removed.
    package var belowFloor = 0

    package init() {}
  }

  package enum Outcome: Equatable, Sendable {
    case stored, same, conflict, refused
    /// The line with its clock exceeds the limits of a store.
    case excess(StorableLine.Excess)
    /// The clock is too far ahead of now.
    case ahead
  }

  package private(set) var counts = Counts()
  package private(set) var unstored: [UnstoredChange] = []
  /// Records of append-only entities that have replaced different records.
  package private(set) var replaced = Conflicts()
  let store: ChangeStore
  let now: Instant
  private let prunes: Prunes
  private let floors: ClockFloors
  private let drift: DriftGuard?
  /// The forms of identities before this change.
  private let forms: StoredEntities
  /// The range of keys of the entity for which ``requireForm(of:)`` last succeeded.
  private var fitting: KeyRange?
  private var changes: ChangeReader
  private var lines: LineReader

  /// Begins; a later change throws `clockRefused` if it would be stored with a clock that `drift` does not
  /// admit.
  package init(
    _ store: ChangeStore, _ shape: RecordShape, now: Instant, drift: DriftGuard? = nil
  ) throws(StoreError) {
    (self.store, self.now, self.drift) = (store, now, drift)
    prunes = try store.prunes()
    floors = try store.clockFloors()
    forms = try store.entityForms()
    changes = ChangeReader(shape)
    lines = LineReader(shape)
  }

  /// Stores a line with a later clock than the change that it replaces.
  ///
  /// A plain record gets that clock in its clock member too; with `clocks` so does the record in a change
  /// line.
  package mutating func put(
    _ key: Span<UInt8>, _ line: Span<UInt8>, _ change: ChangeLine, setting clocks: RecordClocks? = nil
  ) throws(StoreError) -> Outcome {
    let stored = try store.row(of: key)
    if let stored, stored.isTombstone == change.isTombstone,
      change.kind == .record
        ? SnapshotContent.isSame(line, .record, stored.line.span)
        : !ChangeLine.differInContent(line, stored.line.span)
    {
      counts.same += 1
      return .same
    }
    try admit(key, change, isNew: stored == nil)
    let before = stored.flatMap { changes.change($0.line.span).clock }
    let own = LocalClock.edit(own: change.clock, before: before, now: now)
    let clock = stored == nil ? clockOfNew(key, own) : own
    var whole = try changeLine(line, clock)
    clocks?.set(clock, in: &whole, of: key)
    let outcome = try merge(key, whole.span, over: stored, base: .newer)
    note(key, outcome)
    return outcome
  }

  // MARK: Steps

  /// Checks a change before it is stored; an unchanged record may return with any clock.
  mutating func admit(_ key: Span<UInt8>, _ change: ChangeLine, isNew: Bool) throws(StoreError) {
    guard drift?.admits(change) ?? true else {
      // A plain record has a clock of its own.
      let source = change.kind == .record ? nil : change.clock.flatMap { store.source(ofClock: $0) }
      throw .clockRefused(
        key: Key.shown(key), source: source.map { StoreError.Source(name: $0.name, isSent: $0.isSent) })
    }
    if isNew, change.kind == .record { try requireForm(of: key) }
  }

  func isAhead(_ change: ChangeLine) -> Bool { drift?.admits(change) == false }

  /// Whether `compact` may have removed a deletion that is at least as late as this change.
  func isBelowFloor(_ change: ChangeLine, _ key: Span<UInt8>) -> Bool {
    change.clock.map { floors.isBelow($0, key) } ?? false
  }

  /// The clock of a stored line.
  func clock(of row: StoredRow) -> Instant? {
    var reader = changes
    return reader.change(row.line.span).clock
  }

  /// Throws unless a new record has its key in the same members as the entity's stored records.
  ///
  /// Otherwise records that a peer keys by `uuid` and this store by `id` would exist twice. All plain records
  /// of an entity, and all records of an app, have the same form, so comparing with one is enough.
  mutating func requireForm(of key: Span<UInt8>) throws(StoreError) {
    if fitting?.contains(key) == true { return }
    if let (given, stored) = forms.otherForm(than: key) {
      throw .otherIdentity(entity: Key.entity(of: key), given: given, stored: stored)
    }
    fitting = KeyRange(of: Key.entity(of: key))
  }

  /// The clock of a change whose key is not in the store.
  mutating func clockOfNew(_ key: Span<UInt8>, _ own: Instant) -> Instant {
    let clock = floors.lifted(own, key)
    if floors.isBelow(clock, key) { counts.belowFloor += 1 }
    return clock
  }

  /// Stores a line if it wins over the stored line by its rule.
  mutating func merge(
    _ key: Span<UInt8>, _ line: Span<UInt8>, over stored: StoredRow?, base: StoredRow.Base
  ) throws(StoreError) -> Outcome {
    if let excess = StorableLine.excess(line, .change) { return .excess(excess) }
    let change = changes.change(line)
    if prunes.refuse(key, change) {
      counts.refused += 1
      return .refused
    }
    if let stored {
      let old = stored.line
      let before = changes.change(old.span)
      guard MergeOrder.compare(change, line, before, old.span).order > 0 else {
        counts.conflicts += 1
        return .conflict
      }
      if MergeOrder.isConflict(change, line, before, old.span) { replaced.add(key) }
    }
    let row = NewRow(isTombstone: change.isTombstone, clock: change.clock, base: base)
    try store.put(stored, key, line, row)
    counts.stored += 1
    if drift?.admits(change) == false { counts.ahead += 1 }
    if change.isTombstone, stored?.isTombstone == false { counts.deletions += 1 }
    return .stored
  }

  /// The line as a change line with that clock, which the record also gets unless `keepingFields` is true.
  mutating func changeLine(
    _ line: Span<UInt8>, _ clock: Instant?, keepingFields: Bool = false
  ) throws(StoreError) -> [UInt8] {
    var bytes: [UInt8] = []
    do throws(ChangeError) {
      try lines.appendChange(line, clock: clock, keepingFields: keepingFields, to: &bytes)
    } catch {
      throw .corrupt("a line that was valid is invalid now: \(error.message)")
    }
    return bytes
  }

  /// The delete line `{"entityName":…,"identity":…,"deletedAt":…}`, in the spelling of the line.
  mutating func deleteLine(of line: Span<UInt8>, at time: Instant) -> [UInt8] {
    var bytes = [UInt8(ascii: "{")]
    changes.appendKeyMembers(of: line, to: &bytes)
    bytes.append(contentsOf: ",\"deletedAt\":\"\(time)\"}".utf8)
    return bytes
  }

  /// Notes a key whose change was not stored.
  mutating func note(_ key: Span<UInt8>, _ outcome: Outcome) {
    if outcome == .stored || outcome == .same { return }
    var bytes: [UInt8] = []
    bytes.append(key)
    unstored.append(UnstoredChange(key: bytes, outcome: outcome))
  }

  mutating func countSame() { counts.same += 1 }

  /// Throws `tooManyDeletions` if the transaction deletes too many records; `live` is the number of live
  /// records before.
  package func check(_ limit: DeleteLimit, live: Int) throws(StoreError) {
    try limit.check(counts.deletions, of: live)
  }
}

/// A local write that was not stored.
package struct UnstoredChange: Equatable, Sendable {
  /// The canonical key.
  package let key: [UInt8]
  /// The outcome, which is not `stored` or `same`.
  package let outcome: LocalIntake.Outcome

  package var code: ErrorCode {
    switch outcome {
    case .excess(let excess): excess.code
    case .ahead: .clockRefused
    case .stored, .same, .conflict, .refused: .conflict
    }
  }

  /// The reason, as text that follows the key.
  package var reason: String {
    switch outcome {
    case .stored, .same: ""
    case .conflict: "the stored change wins by its rule; this change is not stored"
    case .refused: "older than the time of the last prune; this change is not stored"
    case .excess(let excess):
      "with its clock, the change line is \(excess.message); this change is not stored"
    case .ahead: "the clock is too far ahead of now; this change is not stored"
    }
  }
}
