import JSONLines
package import SyncCore

/// A store with one mistake, around one that has none.
package final class PlantedStore: SimulatedStore {
  let base: HistoryStore
  let fault: PlantedFault
  var reader: ChangeReader
  /// For asymmetric ties: what is shown in place of a stored line.
  var shown: [[UInt8]: [UInt8]] = [:]
  /// Lines that a peer has had, or has given.
  var exchanged: [String: Set<[UInt8]>] = [:]
  /// Tombstones that are thought to have gone, without a trace for those who ask what has changed.
  var hidden: Set<[UInt8]> = []
  /// Lines that are kept from a peer.
  var withheld: [String: Set<[UInt8]>] = [:]

  package init(_ base: HistoryStore, _ fault: PlantedFault) {
    (self.base, self.fault) = (base, fault)
    reader = ChangeReader(base.shape)
  }

  package var now: Instant {
    get { base.now }
    set { base.now = newValue }
  }

  package func session() -> PlantedSession { PlantedSession(self) }

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

  /// How a line that comes in stands to the stored one.
  func compare(_ line: [UInt8], _ old: [UInt8]) -> (order: Int, step: MergeOrder.Step) {
    MergeOrder.compare(reader.change(line.span), line.span, reader.change(old.span), old.span)
  }

  // MARK: As the store does it

  package func put(_ lines: [UInt8]) throws { try base.put(lines) }
  package func record(_ snapshot: [UInt8]) throws { try base.record(snapshot) }
  package func takeSnapshot() throws -> [UInt8] { try base.takeSnapshot() }
  package func prune(_ entity: String, before: Instant) throws { try base.prune(entity, before: before) }
  package func backup() throws -> [UInt8] { try base.backup() }
  package func restore(_ backup: [UInt8]) throws { try base.restore(backup) }
  package func verify() throws -> [String] { try base.verify() }
  package func quarantineCount() throws -> Int { try base.quarantineCount() }
  package func lastSequence() throws -> Int64 { try base.lastSequence() }
  package func activePeers() throws -> Set<String> { try base.activePeers() }
}
