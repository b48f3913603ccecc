import JSONLines
package import SyncCore

/// The operations of a simulated device on its own store; each is one transaction.
package protocol SimulatedStore {
  associatedtype Failure: Error
  associatedtype Session: SimulatedStoreSession where Session.Failure == Failure
  /// The content of a backup.
  associatedtype Backup

  /// The clock of the device; the caller sets it first.
  var now: Instant { get set }
  /// The store as used by one dialogue.
  func session() throws(Failure) -> Session
  /// The rules a peer must agree with; nil for a store without rules.
  mutating func sharedRules() throws(Failure) -> SharedRules?
  /// Changes the rules, as `synclog rules set` does.
  mutating func setRules(_ choice: RuleChoice) throws(Failure)

  /// Stores lines, each with its LF, as `synclog put` does; `entity` is for records without an entity.
  mutating func put(_ lines: [UInt8], entity: String?) throws(Failure) -> UnstoredKeys
  /// Stores the changes since the last snapshot of an entity, or of all; lines are in key order, each with a
  /// LF.
  mutating func record(_ snapshot: [UInt8], entity: String?) throws(Failure) -> UnstoredKeys
  /// The live records of an entity, or the live change lines of all, in key order.
  ///
  /// They become the baseline for the next `record`.
  mutating func takeSnapshot(of entity: String?) throws(Failure) -> [SnapshotLine]
  /// The canonical key of a line recorded here.
  mutating func key(of line: [UInt8], entity: String?) throws(Failure) -> [UInt8]
  /// The clock of a line recorded here; nil if it does not have one.
  mutating func clock(of line: [UInt8], entity: String?) throws(Failure) -> Instant?
  /// The change lines as which a store may store a line with this clock.
  ///
  /// In one of these lines the record has that clock too; the last line keeps the record's bytes.
  mutating func changeLines(
    of line: [UInt8], entity: String?, clock: Instant
  ) throws(Failure) -> [[UInt8]]
  mutating func compact() throws(Failure)
  /// Drops older records of an entity, and rejects such records afterwards.
  mutating func prune(_ entity: String, before: Instant) throws(Failure)
  /// The newest line of every key, including tombstones, in key order.
  mutating func dump() throws(Failure) -> [UInt8]
  mutating func backup() throws(Failure) -> Backup
  mutating func restore(_ backup: Backup) throws(Failure)

  /// The faults of the store, one sentence each.
  mutating func verify() throws(Failure) -> [String]
  mutating func quarantineCount() throws(Failure) -> Int
  /// The lines in quarantine, and the deletions of incomplete answers.
  mutating func waitingLines() throws(Failure) -> [[UInt8]]
  /// The sequence of the last change.
  mutating func lastSequence() throws(Failure) -> Int64
  /// The peers that compaction waits for.
  mutating func activePeers() throws(Failure) -> Set<String>
}

/// The canonical keys of local writes that a store has reported as not stored.
package struct UnstoredKeys: Equatable, Sendable {
  /// The writes that lost to the stored line by its rule.
  package var conflicts: Set<[UInt8]> = []
  /// The writes that are older than the time before which records were pruned.
  package var refused: Set<[UInt8]> = []

  package init() {}
}

/// A line of a snapshot with its canonical key.
package struct SnapshotLine: Equatable, Sendable {
  package var key: [UInt8]
  package var line: [UInt8]

  package init(key: [UInt8], line: [UInt8]) { (self.key, self.line) = (key, line) }
}

/// A store in one dialogue.
package protocol SimulatedStoreSession: DialogueStore {
  /// Begins a dialogue's request, then simulates a crash; data that was already committed stays.
  mutating func breakOff(_ request: StoreRequest, aboutPeer peer: String)
}
