import JSONLines

/// What a simulated device does with its own store; each function is one transaction.
package protocol SimulatedStore {
  associatedtype Failure: Error
  associatedtype Session: SimulatedStoreSession where Session.Failure == Failure
  /// Everything that a backup keeps.
  associatedtype Backup

  /// The clock of the device; whoever calls sets it before.
  var now: Instant { get set }
  /// The store as one dialogue has it.
  func session() -> Session

  /// Stores change lines, each with its LF, as `synclog put` does.
  mutating func put(_ lines: [UInt8]) throws(Failure)
  /// Stores what has changed since the last snapshot; lines in key order, each with its LF.
  mutating func record(_ snapshot: [UInt8]) throws(Failure)
  /// The live lines, which are the baseline of the next record from now on.
  mutating func takeSnapshot() throws(Failure) -> [UInt8]
  mutating func compact() throws(Failure)
  /// Drops the records of an entity that are older, and takes none any more.
  mutating func prune(_ entity: String, before: Instant) throws(Failure)
  /// The newest line of every key, tombstones too, in key order.
  mutating func dump() throws(Failure) -> [UInt8]
  mutating func backup() throws(Failure) -> Backup
  mutating func restore(_ backup: Backup) throws(Failure)

  /// What is wrong with the store, a sentence each.
  mutating func verify() throws(Failure) -> [String]
  mutating func quarantineCount() throws(Failure) -> Int
  /// The sequence of the last change.
  mutating func lastSequence() throws(Failure) -> Int64
  /// The peers that compaction waits for.
  mutating func activePeers() throws(Failure) -> Set<String>
}

/// A store in one dialogue.
package protocol SimulatedStoreSession: DialogueStore {
  /// Begins what a dialogue wants, and is ended by a crash in its middle: what was committed by then stays.
  mutating func breakOff(_ request: StoreRequest, aboutPeer peer: String)
}
