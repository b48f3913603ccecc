import JSONLines
package import SyncCore

/// A store and the rules for reading its input: the store's own rules, or the given rules before it has any.
package struct RuledStore {
  package let path: String
  private let wait: Duration
  /// The existing store; nil before the file exists.
  private let found: ChangeStore?
  /// The rules for the store.
  private let rules: RecordShape
  /// The rules for reading incoming lines.
  package let shape: RecordShape

  /// Opens the store if it exists; throws `rulesDiffer` if an option contradicts its rules.
  package init(_ path: String, wait: Duration, _ choice: RuleChoice) throws {
    let found: ChangeStore?
    do {
      found = try ChangeStore(path, creating: false, wait: wait)
    } catch StoreError.missing {
      found = nil
    }
    try self.init(found, at: path, wait, choice)
  }

  /// The same as ``init(_:wait:_:)``, for an open store.
  package init(_ store: ChangeStore, _ choice: RuleChoice) throws {
    try self.init(store, at: store.path, .zero, choice)
  }

  private init(_ found: ChangeStore?, at path: String, _ wait: Duration, _ choice: RuleChoice) throws {
    (self.found, self.path, self.wait) = (found, path, wait)
    let settled = try found?.agreed(choice)
    rules = settled ?? choice.shape
    // Check this before a file is made.
    if rules.rules.count > SharedRules.longest { throw StoreError.rulesTooLong }
    shape = choice.shape(under: rules, entities: settled == nil ? [] : try found?.entities(upTo: 2) ?? [])
  }

  /// Returns the store, and makes it if it does not exist; with `isDryRun` a new store is in memory.
  package func open(isDryRun: Bool = false) throws -> ChangeStore {
    if let found { return found }
    return try isDryRun
      ? ChangeStore(inMemory: SystemRandomNumberGenerator())
      : ChangeStore(path, creating: true, wait: wait)
  }

  /// Ensures, inside a `write`, that the store has the rules by which the lines were read.
  package func settle(_ store: ChangeStore) throws(StoreError) {
    guard let present = try store.rules() else { return try store.setRules(rules) }
    if !present.hasSameRules(as: rules) { throw .rulesChanged }
  }
}

/// The current time of a run that stores lines, and its limits.
package struct WriteBounds: Sendable {
  package let now: Instant
  /// Whether the time was given by an option instead of the clock.
  let isGiven: Bool
  package let drift: DriftGuard
  let maxDelete: DeleteLimit
  /// The time to keep changes that lost a conflict; nil drops them at once.
  let conflictAge: Duration?

  package init(
    now: Instant, isGiven: Bool = false, drift: DriftGuard, maxDelete: DeleteLimit,
    conflictAge: Duration? = Conflicts.defaultAge
  ) {
    (self.now, self.isGiven, self.drift, self.maxDelete) = (now, isGiven, drift, maxDelete)
    self.conflictAge = conflictAge
  }

  /// Sets the limits and the time of these bounds in a store.
  package func tell(_ store: ChangeStore) {
    store.conflictAge = conflictAge
    if isGiven { store.time = { now.seconds } }
  }

  /// Whether every record that a snapshot lacks may be deleted.
  package var deletesAll: Bool { maxDelete == .off }
}

/// Operations that each run in one transaction, and make the store if it does not exist.
///
/// They evaluate the limits after they have taken the lock.
extension RuledStore {
  /// Passes lines one by one, each with its canonical key and its meaning.
  package typealias Lines = (
    _ take: (_ key: Span<UInt8>, _ line: Span<UInt8>, _ change: ChangeLine) throws -> Void
  ) throws -> Void

  /// Stores changes that were made here.
  package func put(_ bounds: @autoclosure () -> WriteBounds, _ lines: Lines) throws -> LocalIntake {
    let store = try open()
    return try store.write {
      let bounds = bounds()
      bounds.tell(store)
      try settle(store)
      let live = store.live
      var intake = try LocalIntake(store, shape, now: bounds.now, drift: bounds.drift)
      try lines { _ = try intake.put($0, $1, $2) }
      try intake.check(bounds.maxDelete, live: live)
      return intake
    }
  }

  /// Stores the differences between a snapshot and the baseline.
  ///
  /// The lines must be in the order of their keys.
  ///
  /// `entity` is the entity of the snapshot, nil for all. `isPage` means that the input had checkpoint lines.
  /// `isDryRun` rolls the transaction back, and does not make a file. With `isExcerpt` the snapshot has only
  /// some of the records, and missing records are ignored. `emptyInput` is the name of an input without
  /// lines; such a snapshot may come from a failed command, so it does not delete records under the default
  /// limit. With `isOfApp`, the snapshot is the source of a bound entity. It must not delete records if it
  /// `isBlank` or lacks all of several earlier records, unless `bounds` allow that. Any other snapshot of a
  /// bound entity is refused. `settling` is the last step of the transaction.
  package func record(
    _ bounds: @autoclosure () -> WriteBounds, entity: String?, withholdingDeletions: Bool,
    isPage: Bool = false, emptyInput: String? = nil, isBlank: Bool = false, isExcerpt: Bool = false,
    isOfApp: Bool = false,
    restoration: Restoration? = nil, isDryRun: Bool = false, _ lines: Lines,
    settling: (SnapshotIntake) throws -> Void = { _ in }
  ) throws -> SnapshotIntake {
    let store = try open(isDryRun: isDryRun)
    return try store.write(isDryRun: isDryRun) {
      let bounds = bounds()
      bounds.tell(store)
      try settle(store)
      if !isOfApp { try store.requireUnbound(entity) }
      var intake = try SnapshotIntake(
        store, shape, entity: entity, withholdingDeletions: withholdingDeletions, isExcerpt: isExcerpt,
        isOfApp: isOfApp, restoration: restoration, now: bounds.now, drift: bounds.drift)
      try lines { try intake.record($0, $1, $2) }
      // A failed export leaves an empty file, so an empty file does not prove that the records of several
      // entities were deleted.
      let isOfSeveral = try entity == nil && store.entities(upTo: 2).count > 1
      try intake.finish(bounds.maxDelete, isPage: isPage)
      let isEmptied = isOfApp && !bounds.deletesAll && (isBlank || intake.isReplaced)
      let saysNothing = isEmptied || intake.isEmpty && isOfSeveral
      if saysNothing, intake.counts.deletions > 0 { throw StoreError.emptySnapshot }
      if let emptyInput, bounds.maxDelete == .default, intake.counts.deletions > 0 {
        throw StoreError.emptyInput(emptyInput)
      }
      try settling(intake)
      return intake
    }
  }

  /// Applies the changes of a peer, and retries the quarantine.
  ///
  /// Deletions leave quarantine after the changes, as far as the limit then allows them.
  ///
  /// `lines` passes the lines that can be applied; `batch` has all other lines once they have been read.
  package func apply(
    _ batch: PeerBatch, _ bounds: @autoclosure () -> WriteBounds, _ lines: Lines
  ) throws -> AppliedBatch {
    let store = try open()
    var applied = try store.write {
      let bounds = bounds()
      bounds.tell(store)
      try settle(store)
      let live = store.live
      let released = try store.retryQuarantine(shape, bounds.drift, within: .count(0)).released
      let peer = try store.peer(seen: batch.peer, now: bounds.now)
      var intake = try PeerIntake(store, from: peer, shape, drift: bounds.drift)
      try lines { try intake.apply($0, $1, $2) }
      let deletions = intake.counts.deletions
      try bounds.maxDelete.check(deletions, of: live)
      let retried = try store.retryQuarantine(
        shape, bounds.drift, within: bounds.maxDelete, besides: deletions, of: live)
      try batch.keepAside(in: &intake, shape, bounds.now)
      if let token = batch.token { try store.setCheckpoint(peer, .outgoing, token, now: bounds.now) }
      return AppliedBatch(counts: intake.counts, released: released + retried.released)
    }
    applied.quarantined = try store.quarantineCount()
    return applied
  }
}
