package import JSONLines
package import SyncCore

/// Counts of events in simulations, to show what was tested.
package struct SimulationCounts: Equatable, Sendable {
  package enum Count: String, CaseIterable, Sendable {
    case sessions, refusedConnections, messages, changes, writes, judgedEdits, records, plainRecords
    case crashes, cuts, lostPackets, repeatedPackets, reorderedPackets, latePackets
    case backups, restores, compactions, droppedTombstones, prunes, foreignTokens, expiredTokens, quarantined
    case adoptedRules, brokenAdoptions, changedRules, refusedRules, checkedAnswers
    case settlingRounds, settlingSessions, keys, undecidedKeys, prunedKeys
  }

  private var counts = [Int](repeating: 0, count: Count.allCases.count)
  /// The rows of the dialogue's table that were used.
  package private(set) var rows: Set<DialogueRow> = []

  package init() {}

  package subscript(_ count: Count) -> Int {
    get { counts[Self.places[count]!] }
    set { counts[Self.places[count]!] = newValue }
  }

  private static let places = Dictionary(
    uniqueKeysWithValues: Count.allCases.enumerated().map { ($0.element, $0.offset) })

  mutating func add(_ row: DialogueRow) { rows.insert(row) }

  package mutating func add(_ other: SimulationCounts) {
    for index in counts.indices { counts[index] += other.counts[index] }
    rows.formUnion(other.rows)
  }

  package var members: [JSONMember] {
    Count.allCases.map { JSONMember($0.rawValue, .integer(self[$0])) }
      + [JSONMember("rows", .integer(rows.count))]
  }
}
