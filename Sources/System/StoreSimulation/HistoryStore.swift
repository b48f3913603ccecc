import JSONLines
package import Simulation
import Store
package import SyncCore

/// The store of module History for a simulated device, on SQLite in memory.
package final class HistoryStore: SimulatedStore {
  private(set) var store: ChangeStore
  private let random: SplitMix64
  private var restores: UInt64 = 0
  private var lastDigest: (shape: RecordShape, digits: String)?
  package var now = Story.beginning

  /// The default of `synclog compact` for the time until a silent peer is retired.
  static let retireAfter = Duration.seconds(90 * 86_400)
  /// The limit for clocks ahead of now: the default of `synclog`.
  static let maxDrift = DriftGuard.default

  /// Makes a store; with `rules` nil, the store does not have rules yet.
  package init(seed: UInt64, _ rules: RuleChoice?) throws {
    random = SplitMix64(seed: seed)
    store = try ChangeStore(inMemory: random)
    if let rules { try store.settle(rules) }
  }

  package func session() throws -> HistorySession { try HistorySession(self) }

  // MARK: Rules

  package func sharedRules() throws -> SharedRules? { try store.sharedRules(digest) }

  /// A digest that only distinguishes rules, with as many digits as a SHA-256.
  private func digest(_ shape: RecordShape) -> String {
    if let lastDigest, lastDigest.shape == shape { return lastDigest.digits }
    let digits = HexDigits.text(SHA1.digest(shape.mergeRules) + [UInt8](repeating: 0, count: 12))
    lastDigest = (shape, digits)
    return digits
  }

  package func setRules(_ choice: RuleChoice) throws {
    try store.write {
      _ = try store.changeRules(choice.shape(replacing: store.rules() ?? RecordShape()))
    }
  }

  private func ruled(_ entity: String?) throws -> RuledStore {
    try RuledStore(store, RuleChoice(RecordShape(), hasProfile: false, entityName: entity))
  }

  // MARK: Local writes

  package func put(_ lines: [UInt8], entity: String?) throws -> UnstoredKeys {
    let ruled = try ruled(entity)
    return try store.write {
      try ruled.settle(store)
      var intake = try LocalIntake(store, ruled.shape, now: now)
      try forEachLine(of: lines, ruled.shape) { key, line, change in
        _ = try intake.put(key.span, line.span, change)
      }
      return UnstoredKeys(intake.unstored)
    }
  }

  package func record(_ snapshot: [UInt8], entity: String?) throws -> UnstoredKeys {
    let ruled = try ruled(entity)
    return try store.write {
      try ruled.settle(store)
      var intake = try SnapshotIntake(
        store, ruled.shape, entity: entity, withholdingDeletions: false, now: now)
      try forEachLine(of: snapshot, ruled.shape) { key, line, change in
        try intake.record(key.span, line.span, change)
      }
      try intake.finish(.off)
      return UnstoredKeys(intake.unstored)
    }
  }

  package func takeSnapshot(of entity: String?) throws -> [SnapshotLine] {
    var records = try entity == nil ? StoredRecords(nil) : StoredRecords(store, entity: entity)
    var snapshot: [SnapshotLine] = []
    try store.forEachLine(of: entity, tombstones: false, isBaseline: true) { line, key in
      var copy = SnapshotLine(key: [], line: [])
      copy.key.append(key)
      copy.line.append(line.extracting(try records.range(of: line, key)))
      snapshot.append(copy)
    } finish: {
    }
    return snapshot
  }

  package func key(of line: [UInt8], entity: String?) throws -> [UInt8] {
    var (reader, key) = (LineReader(try shape(of: entity)), [UInt8]())
    _ = try reader.read(line.span, key: &key)
    return key
  }

  package func clock(of line: [UInt8], entity: String?) throws -> Instant? {
    var (reader, key) = (LineReader(try shape(of: entity)), [UInt8]())
    return try reader.read(line.span, key: &key).clock
  }

  package func changeLines(of line: [UInt8], entity: String?, clock: Instant) throws -> [[UInt8]] {
    var reader = LineReader(try shape(of: entity))
    return try [false, true].map { keepsFields in
      var bytes: [UInt8] = []
      try reader.appendChange(line.span, clock: clock, keepingFields: keepsFields, to: &bytes)
      return bytes
    }
  }

  /// The rules for reading the records of a file.
  func shape(of entity: String?) throws -> RecordShape { try ruled(entity).shape }

  package func compact() throws {
    try store.write { _ = try store.compact(retireAfter: Self.retireAfter, now: now, drift: Self.maxDrift) }
  }

  package func prune(_ entity: String, before: Instant) throws {
    try store.write { _ = try store.prune(entity, before: before, store.rules() ?? RecordShape()) }
  }

  private func forEachLine(
    of text: [UInt8], _ shape: RecordShape, _ body: ([UInt8], [UInt8], ChangeLine) throws -> Void
  ) throws {
    var reader = LineReader(shape)
    for piece in text.split(separator: 10) {
      let line = Array(piece)
      var key: [UInt8] = []
      let change = try reader.read(line.span, key: &key)
      try body(key, line, change)
    }
  }

  // MARK: Copies

  package func dump() throws -> [UInt8] {
    var text: [UInt8] = []
    try store.forEachLine(tombstones: true, isBaseline: false) { line, _ in
      text.append(line)
      text.append(10)
    } finish: {
    }
    return text
  }

  package func backup() throws -> [UInt8] { try store.bytes() }

  package func restore(_ backup: [UInt8]) throws {
    restores += 1
    // Use other random numbers, so that later marks differ from the earlier ones.
    var fresh = random
    for _ in 0..<restores { _ = fresh.next() }
    store = try ChangeStore(restoring: backup, random: SplitMix64(seed: fresh.next()))
  }

  // MARK: Looking

  package func verify() throws -> [String] {
    var faults: [String] = []
    try store.verify(store.rules() ?? RecordShape()) { faults.append($0) }
    return faults
  }

  package func quarantineCount() throws -> Int { try store.quarantineCount() }

  package func waitingLines() throws -> [[UInt8]] {
    var lines = try store.heldLines()
    try store.forEachQuarantined { lines.append($0.line) }
    return lines
  }

  package func lastSequence() throws -> Int64 { try store.currentToken().sequence }

  package func activePeers() throws -> Set<String> {
    Set(try store.peers().filter { try store.isActive($0, Self.retireAfter, now) }.map(\.id))
  }
}

extension UnstoredKeys {
  fileprivate init(_ changes: [UnstoredChange]) {
    self.init()
    for change in changes {
      switch change.outcome {
      case .conflict: conflicts.insert(change.key)
      case .refused: refused.insert(change.key)
      // The records of a story are never too long, and their clocks are not limited.
      case .stored, .same, .excess, .ahead: break
      }
    }
  }
}

/// The store of a device in one dialogue, as `synclog request` and `synclog respond` use it.
package struct HistorySession: SimulatedStoreSession {
  let device: HistoryStore
  /// The rules of the store when the session began.
  private let rules: RecordShape?
  private var peers: PeerStore

  init(_ device: HistoryStore) throws {
    self.device = device
    rules = try device.store.rules()
    peers = Self.peers(device, rules, limit: .default)
  }

  private static func peers(_ device: HistoryStore, _ rules: RecordShape?, limit: DeleteLimit) -> PeerStore {
    PeerStore(device.store, rules, limit: limit, maximumDrift: HistoryStore.maxDrift) { device.now }
  }

  /// Applies a page and rolls it back: the transaction ends with a guard that always throws.
  package mutating func breakOff(_ request: StoreRequest, aboutPeer peer: String) {
    guard case .apply(let page) = request else { return }
    var refusing = Self.peers(device, rules, limit: .count(-1))
    _ = try? refusing.apply(page, fromPeer: peer)
  }

  package mutating func checkpoint(onPeer peer: String) throws -> [UInt8]? {
    try peers.checkpoint(onPeer: peer)
  }

  package mutating func acknowledged(byPeer peer: String) throws -> [UInt8]? {
    try peers.acknowledged(byPeer: peer)
  }

  package mutating func page(_ request: PageRequest, forPeer peer: String) throws -> PageAnswer {
    try peers.page(request, forPeer: peer)
  }

  package mutating func apply(_ page: ReceivedPage, fromPeer peer: String) throws -> ApplyAnswer {
    try peers.apply(page, fromPeer: peer)
  }

  package mutating func acknowledge(_ token: [UInt8], byPeer peer: String) throws {
    try peers.acknowledge(token, byPeer: peer)
  }

  package mutating func disownChanges(fromPeer peer: String) throws {
    try peers.disownChanges(fromPeer: peer)
  }
}
