import History
import JSONLines
package import SyncCore

/// The store of module History on SQLite in memory, as a simulated device has it.
package final class HistoryStore: SimulatedStore {
  private(set) var store: ChangeStore
  let shape: RecordShape
  private let random: SplitMix64
  private var restores: UInt64 = 0
  package var now = Story.beginning

  /// How long peers are waited for; what `synclog compact` has by default.
  static let retireAfter = Duration.seconds(90 * 86_400)
  /// What `synclog` has by default.
  static let maxDrift = DriftGuard.usual

  package init(seed: UInt64, _ shape: RecordShape) throws {
    (self.shape, random) = (shape, SplitMix64(seed: seed))
    store = try ChangeStore(inMemory: random)
    try store.write { try store.setRules(shape) }
  }

  package func session() -> HistorySession { HistorySession(self) }

  // MARK: Local writes

  package func put(_ lines: [UInt8]) throws {
    try store.write {
      var intake = try LocalIntake(store, shape, now: now)
      try forEachLine(of: lines) { key, line, change in _ = try intake.put(key.span, line.span, change) }
    }
  }

  package func record(_ snapshot: [UInt8]) throws {
    try store.write {
      var intake = try SnapshotIntake(store, shape, entity: nil, withholdingDeletions: false, now: now)
      try forEachLine(of: snapshot) { key, line, change in try intake.take(key.span, line.span, change) }
      try intake.finish(.off)
    }
  }

  package func takeSnapshot() throws -> [UInt8] { try text(tombstones: false, isBaseline: true) }

  package func compact() throws {
    try store.write { _ = try store.compact(retireAfter: Self.retireAfter, now: now, drift: Self.maxDrift) }
  }

  package func prune(_ entity: String, before: Instant) throws {
    try store.write { _ = try store.prune(entity, before: before, shape) }
  }

  private func forEachLine(of text: [UInt8], _ body: ([UInt8], [UInt8], ChangeLine) throws -> Void) throws {
    var reader = LineReader(shape)
    for piece in text.split(separator: 10) {
      let line = Array(piece)
      var key: [UInt8] = []
      let change = try reader.read(line.span, key: &key)
      try body(key, line, change)
    }
  }

  // MARK: Copies

  package func dump() throws -> [UInt8] { try text(tombstones: true, isBaseline: false) }

  private func text(tombstones: Bool, isBaseline: Bool) throws -> [UInt8] {
    var text: [UInt8] = []
    try store.forEachLine(tombstones: tombstones, isBaseline: isBaseline) { line, _ in
      text.append(line)
      text.append(10)
    } finish: {
    }
    return text
  }

  package func backup() throws -> [UInt8] { try store.bytes() }

  package func restore(_ backup: [UInt8]) throws {
    restores += 1
    // Other marks than those that it gave before.
    var fresh = random
    for _ in 0..<restores { _ = fresh.next() }
    store = try ChangeStore(restoring: backup, random: SplitMix64(seed: fresh.next()))
  }

  // MARK: Looking

  package func verify() throws -> [String] {
    var faults: [String] = []
    try store.verify(shape) { faults.append($0) }
    return faults
  }

  package func quarantineCount() throws -> Int { try store.quarantineCount() }

  package func lastSequence() throws -> Int64 { try store.currentToken().sequence }

  package func activePeers() throws -> Set<String> {
    Set(try store.peers().filter { try store.isActive($0, Self.retireAfter, now) }.map(\.id))
  }
}
