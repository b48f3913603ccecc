import JSONLines
package import SyncCore

/// Applies the changes of one peer to a store, inside one `write`.
package struct PeerIntake {
  /// The number of changes with each outcome.
  package struct Counts: Equatable, Sendable {
    package var taken = 0
    /// Changes that the store already had.
    package var same = 0
    /// Changes that lost against the stored changes.
    package var lost = 0
    /// Changes that are refused because a prune would have dropped them.
    package var refused = 0
    /// Live records that are deleted now.
    package var deletions = 0
    /// Changes that cannot be applied and are in quarantine.
    package var quarantined = 0
    /// Quarantined changes that were not in quarantine before.
    package var quarantinedAnew = 0
    /// Changes that differ from the stored records under append-only keys.
    package var conflicts = Conflicts()
    /// Records that change although the page does not have them: they leave quarantine, or a complete answer
    /// lacks them.
    package var changedBeyondPage = 0

    package init() {}

    init(changedBeyondPage: Int, deletions: Int) {
      (self.changedBeyondPage, self.deletions) = (changedBeyondPage, deletions)
    }

    package static func + (one: Counts, other: Counts) -> Counts {
      var sum = one
      sum.taken += other.taken
      sum.same += other.same
      sum.lost += other.lost
      sum.refused += other.refused
      sum.deletions += other.deletions
      sum.quarantined += other.quarantined
      sum.quarantinedAnew += other.quarantinedAnew
      sum.conflicts.add(other.conflicts)
      sum.changedBeyondPage += other.changedBeyondPage
      return sum
    }
  }

  /// A line of a page that went into quarantine: its number in the page, from 1, and the reason.
  package struct Aside: Equatable, Sendable {
    package let line: Int
    /// The code of an error, as stored in quarantine.
    package let code: String
  }

  package internal(set) var counts = Counts()
  /// The first lines that went into quarantine.
  package internal(set) var aside: [Aside] = []
  let store: ChangeStore
  let peer: StorePeer
  /// The origin recorded with the changes.
  private let origin: Int64
  private let live: Int
  /// The sequence up to which the peer has read this store; nil until it is needed.
  private var acknowledged: Int64?
  /// Whether this store has written files for the peer; nil until it is needed.
  private var hasWrittenFiles: Bool?
  private let prunes: Prunes
  private let equality: ChangeEquality
  private let shape: RecordShape
  /// The limit of clocks ahead; nil accepts all clocks.
  let drift: DriftGuard?
  /// Whether deletions are held until the answer that contains them is complete.
  private let holdsDeletions: Bool
  private var reader: ChangeReader
  var lines: LineReader
  /// The sequence of the store's last change when the current line arrived; nil if the line has just arrived.
  var cameAfter: Int64?
  /// The peer's remaining room in quarantine; nil until a line needs it.
  private var room: QuarantineRoom?

  /// `equality` decides which changes the store already has.
  ///
  /// With `keepingOrigin` false the changes are sent to every peer, including their sender.
  package init(
    _ store: ChangeStore, from peer: StorePeer, _ shape: RecordShape, equality: ChangeEquality = .bytes,
    drift: DriftGuard? = nil, keepingOrigin: Bool = true, holdingDeletions: Bool = false
  ) throws(StoreError) {
    self.drift = drift
    holdsDeletions = holdingDeletions
    origin = keepingOrigin ? peer.number : -peer.number
    (self.store, self.peer, self.shape, self.equality) = (store, peer, shape, equality)
    live = store.state.live
    prunes = try store.prunes()
    reader = ChangeReader(shape)
    lines = LineReader(shape)
  }

  /// Stores a line if the rules accept it; `key` is its canonical key.
  ///
  /// A plain record becomes a change line first. A deletion must have a clock.
  package mutating func apply(
    _ key: Span<UInt8>, _ line: Span<UInt8>, _ change: ChangeLine
  ) throws(StoreError) {
    guard change.kind == .record else { return try apply(key, changeLine: line, change) }
    var whole: [UInt8] = []
    do throws(ChangeError) {
      try lines.appendChange(line, clock: change.clock, to: &whole)
    } catch {
      throw .corrupt("a line that was valid is invalid now: \(error.message)")
    }
    try apply(key, changeLine: whole.span, change)
  }

  /// Stores a change line if the rules accept it; `change` is its kind and clock.
  mutating func apply(
    _ key: Span<UInt8>, changeLine line: Span<UInt8>, _ change: ChangeLine
  ) throws(StoreError) {
    let isTombstone = change.isTombstone
    guard line.count <= ChangeStore.largestLine else { throw .tooLarge }
    if !prunes.isEmpty, prunes.refuse(key, reader.change(line)) { return try refuse(key, line) }
    var row = NewRow(isTombstone: isTombstone, clock: change.clock, origin: origin)
    if try store.insert(key, line, row) {
      counts.taken += 1
      return
    }
    guard let stored = try store.row(of: key) else { throw .corrupt("a key that existed is missing") }
    switch decision(key, line, stored) {
    case .same: counts.same += 1
    case .take:
      if isTombstone, !stored.isTombstone, holdsDeletions { return try hold(key, line) }
      if isTombstone, try mustWriteDeletions() { row.origin = -peer.number }
      let isUnknown = try keepLoser(key, stored.line.span, against: line, stored)
      if !isTombstone, let whole = carried(line, stored) {
        // The line may have arrived before; then the stored line is the completed one.
        if whole == stored.line {
          counts.same += 1
          return
        }
        try store.replace(stored, key, whole.span, row)
      } else {
        try store.replace(stored, key, line, row)
      }
      if isUnknown { try store.keepMembersOfItsOwn(key) }
      counts.taken += 1
      if isTombstone, !stored.isTombstone { counts.deletions += 1 }
    case .lose:
      _ = try keepLoser(key, line, against: stored.line.span, stored)
      try store.resend(key)
      counts.lost += 1
    }
  }

  /// Whether deletions by the peer are sent back to it, because it is a folder that has files of this store.
  ///
  /// These files may have the deleted record. Without the deletion in a later file, the record would return
  /// once another device has compacted the deletion away.
  private mutating func mustWriteDeletions() throws(StoreError) -> Bool {
    if let hasWrittenFiles { return hasWrittenFiles }
    let found = try store.chains(for: peer).contains { $0.number > 0 }
    hasWrittenFiles = found
    return found
  }

  /// Keeps the loser of a conflict; returns false if it was not a conflict.
  ///
  /// In a conflict, the peer had not seen the stored change, or an earlier version won by the rule. A peer
  /// that has acknowledged a stored change with a clock too far ahead has it in quarantine.
  private mutating func keepLoser(
    _ key: Span<UInt8>, _ loser: Span<UInt8>, against winner: Span<UInt8>, _ stored: StoredRow
  ) throws(StoreError) -> Bool {
    if reader.change(loser).clock ?? .epoch > reader.change(winner).clock ?? .epoch {
      try store.keepConflict(key, lost: loser, against: winner, peer: peer.number)
      return true
    }
    // A deletion by the peer is not an edit of this store, even if it is sent back.
    guard stored.place.origin != peer.number, !stored.isTombstone || stored.place.disowned != -peer.number
    else { return false }
    if acknowledged == nil { acknowledged = try store.acknowledged(by: peer) }
    let isLater = cameAfter.map { $0 < stored.place.sequence } ?? false
    if !isLater, stored.place.sequence <= acknowledged ?? 0, try !store.isUnsent(key, to: peer.number),
      drift?.admits(reader.change(stored.line.span)) ?? true
    {
      return false
    }
    try store.keepConflict(key, lost: loser, against: winner, peer: peer.number)
    return true
  }

  /// Whether the store already has the line; then the limit for clocks ahead does not apply.
  func has(_ key: Span<UInt8>, _ line: Span<UInt8>) throws(StoreError) -> Bool {
    guard let stored = try store.row(of: key) else { return false }
    return equality.holds(line, stored.line.span, shape)
  }

  /// Whether a line would delete a live record.
  mutating func deletes(
    _ key: Span<UInt8>, _ line: Span<UInt8>, _ change: ChangeLine
  ) throws(StoreError) -> Bool {
    guard change.isTombstone, let stored = try store.row(of: key), !stored.isTombstone else { return false }
    return decision(key, line, stored) == .take
  }

  /// Holds a tombstone if it wins over the held tombstone of the same key.
  private mutating func hold(_ key: Span<UInt8>, _ line: Span<UInt8>) throws(StoreError) {
    if let held = try store.heldLine(key, from: peer) {
      let order = MergeOrder.compare(reader.change(line), line, reader.change(held.span), held.span).order
      guard order > 0 else { return }
    }
    try store.hold(key, line, from: peer)
  }

  /// Refuses a change older than the pruned records; if it also loses, the peer is sent the winner.
  private mutating func refuse(_ key: Span<UInt8>, _ line: Span<UInt8>) throws(StoreError) {
    guard let stored = try store.row(of: key) else { return counts.refused += 1 }
    switch decision(key, line, stored) {
    case .same: counts.same += 1
    case .take: counts.refused += 1
    case .lose:
      try store.resend(key)
      counts.lost += 1
    }
  }

  /// The line with the fields that version 1 has cut; nil if it can be stored unchanged.
  private mutating func carried(_ line: Span<UInt8>, _ stored: StoredRow) -> [UInt8]? {
    guard case .packed = equality, !stored.isTombstone else { return nil }
    let old = stored.line
    let whole = CarriedFields.line(line, over: old.span)
    guard let whole, StorableLine.excess(whole.span, .change) == nil else { return nil }
    return whole
  }

  /// Decides about a line; conflicts of append-only records are always counted.
  private mutating func decision(
    _ key: Span<UInt8>, _ line: Span<UInt8>, _ stored: StoredRow
  ) -> ApplyDecision {
    let old = stored.line
    if equality.holds(line, old.span, shape) { return .same }
    let (incoming, present) = (reader.change(line), reader.change(old.span))
    if MergeOrder.isConflict(incoming, line, present, old.span) { counts.conflicts.add(key) }
    return ApplyDecision(incoming, line, stored: present, old.span, isCut: equality.isCut)
  }

  /// Puts a line that cannot be applied into quarantine; `key` is empty for a line without a key.
  ///
  /// `clock` is the time from which the line can be applied. Throws `quarantineFull`.
  package mutating func keepAside(
    _ line: Span<UInt8>, _ key: [UInt8], _ reason: String, until clock: Instant?, _ now: Instant
  ) throws(StoreError) {
    if room == nil { room = try store.quarantineRoom(of: peer, shape) }
    guard var room else { return }
    let isNew = try store.quarantine(
      line, isCut: equality.isCut, key: key.isEmpty ? nil : key, reason: reason, until: clock, in: &room,
      now: now)
    self.room = room
    counts.quarantined += 1
    if isNew { counts.quarantinedAnew += 1 }
  }

  /// Throws `tooManyDeletions` if the transaction deletes too many records.
  package func check(_ limit: DeleteLimit) throws(StoreError) {
    try limit.check(counts.deletions, of: live)
  }
}

extension ChangeStore {
  /// The maximum size of a line in bytes.
  package static let largestLine = StorableLine.longest
}
