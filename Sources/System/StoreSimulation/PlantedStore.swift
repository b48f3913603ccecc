import JSONLines
package import Simulation
package import SyncCore

/// A store with one mistake, which wraps a correct store.
package final class PlantedStore: SimulatedStore {
  let base: HistoryStore
  let fault: PlantedFault
  var reader: ChangeReader
  /// For asymmetric ties: lines that replace stored lines in the store's output.
  var shown: [[UInt8]: [UInt8]] = [:]
  /// Lines that a peer has received or sent.
  var exchanged: [String: Set<[UInt8]>] = [:]
  /// Tombstones that count as removed; requests for changes do not reveal that.
  var hidden: Set<[UInt8]> = []
  /// Lines that are not sent to a peer.
  var withheld: [String: Set<[UInt8]>] = [:]

  package init(_ base: HistoryStore, _ fault: PlantedFault) {
    (self.base, self.fault) = (base, fault)
    reader = ChangeReader(.chores)
  }

  package var now: Instant {
    get { base.now }
    set { base.now = newValue }
  }

  package func session() throws -> PlantedSession { try PlantedSession(self) }

  package func sharedRules() throws -> SharedRules? {
    var rules = try base.sharedRules()
    if fault == .rulesDifferSilently { rules?.digest = String(repeating: "0", count: 64) }
    return rules
  }

  package func record(_ snapshot: [UInt8], entity: String?) throws -> UnstoredKeys {
    let unstored = try base.record(snapshot, entity: entity)
    guard fault == .baselineSeesStamp else { return unstored }
    let stored = try stored()
    for line in Self.lines(of: snapshot) {
      guard let old = stored[try base.key(of: line, entity: entity)],
        let moved = try base.seeingStamp(line, old, entity)
      else { continue }
      _ = try base.put(moved + [10], entity: nil)
    }
    return unstored
  }

  package func put(_ lines: [UInt8], entity: String?) throws -> UnstoredKeys {
    guard fault == .editIgnored else { return try base.put(lines, entity: entity) }
    let stored = try stored()
    let kept = try Self.lines(of: lines).filter { line in
      guard let old = stored[try base.key(of: line, entity: entity)] else { return true }
      return !exchanged.values.contains { $0.contains(old) }
    }
    return try base.put(kept.flatMap { $0 + [10] }, entity: entity)
  }

  package func compact() throws {
    try base.compact()
    guard fault == .tombstoneDroppedEarly else { return }
    for line in Self.lines(of: try base.dump()) where reader.change(line.span).isTombstone {
      hidden.insert(line)
    }
  }

  package func dump() throws -> [UInt8] { showing(try base.dump()) }

  // MARK: Lines

  static func lines(of text: [UInt8]) -> [[UInt8]] { text.split(separator: 10).map { Array($0) } }

  func stored() throws -> [[UInt8]: [UInt8]] {
    var stored: [[UInt8]: [UInt8]] = [:]
    for line in Self.lines(of: try base.dump()) { stored[reader.key(of: line.span)] = line }
    return stored
  }

  func showing(_ text: [UInt8], to peer: String? = nil) -> [UInt8] {
    guard !shown.isEmpty || !withheld.isEmpty || !hidden.isEmpty else { return text }
    let kept = hidden.union(peer.flatMap { withheld[$0] } ?? [])
    return Self.lines(of: text).reduce(into: []) { text, line in
      if !kept.contains(line) { text += (shown[line] ?? line) + [10] }
    }
  }

  static func withoutEntities(_ text: [UInt8]) -> [UInt8] {
    lines(of: text).flatMap { line in
      guard case .object(var members)? = try? JSONValue(parsing: line.span) else { return line + [10] }
      for index in members.indices where members[index].name == "entityName" {
        members[index].value = .string("")
      }
      return Array("\(JSONValue.object(members).text)\n".utf8)
    }
  }

  /// Compares an incoming line with the stored line.
  func compare(_ line: [UInt8], _ old: [UInt8]) -> (order: Int, step: MergeOrder.Step) {
    MergeOrder.compare(reader.change(line.span), line.span, reader.change(old.span), old.span)
  }

  // MARK: As the store does it

  package func setRules(_ choice: RuleChoice) throws { try base.setRules(choice) }
  package func takeSnapshot(of entity: String?) throws -> [SnapshotLine] { try base.takeSnapshot(of: entity) }
  package func key(of line: [UInt8], entity: String?) throws -> [UInt8] {
    try base.key(of: line, entity: entity)
  }

  package func clock(of line: [UInt8], entity: String?) throws -> Instant? {
    try base.clock(of: line, entity: entity)
  }

  package func changeLines(of line: [UInt8], entity: String?, clock: Instant) throws -> [[UInt8]] {
    try base.changeLines(of: line, entity: entity, clock: clock)
  }
  package func prune(_ entity: String, before: Instant) throws { try base.prune(entity, before: before) }
  package func backup() throws -> [UInt8] { try base.backup() }
  package func restore(_ backup: [UInt8]) throws { try base.restore(backup) }
  package func verify() throws -> [String] { try base.verify() }
  package func quarantineCount() throws -> Int { try base.quarantineCount() }
  package func waitingLines() throws -> [[UInt8]] { try base.waitingLines() }
  package func lastSequence() throws -> Int64 { try base.lastSequence() }
  package func activePeers() throws -> Set<String> { try base.activePeers() }
}

extension HistoryStore {
  /// The change line that would store an unchanged plain record again, if the record's own clock counted.
  ///
  /// The result is nil if the record's clock is the stored one.
  fileprivate func seeingStamp(_ record: [UInt8], _ stored: [UInt8], _ entity: String?) throws -> [UInt8]? {
    guard SnapshotContent.isSame(record.span, .record, stored.span) else { return nil }
    let shape = try shape(of: entity)
    var (lines, key, bytes) = (LineReader(shape), [UInt8](), [UInt8]())
    let change = try lines.read(record.span, key: &key)
    var reader = ChangeReader(shape)
    let clock = reader.change(stored.span).clock
    guard change.kind == .record, change.clock != clock else { return nil }
    try lines.appendChange(
      record.span, clock: clock?.advanced(by: .milliseconds(1)) ?? now, keepingFields: true, to: &bytes)
    return bytes
  }
}
