import JSONLines
import SyncCore

/// The state of a record in comparison with a remote.
package enum RecordState: String, Sendable {
  case synced
  /// Changed in this store since the last acknowledgement of the remote.
  case pendingPush
  /// The store would accept the remote's version.
  case pendingPull
  /// Changed in this store, and different on the remote.
  case conflict
}

/// The differences from a remote, by canonical key: records that it lacks or has in another version.
package struct Differences: Equatable, Sendable {
  /// Whether the store would accept the remote's version.
  private(set) var isTaken: [[UInt8]: Bool] = [:]

  package init() {}

  mutating func add(_ key: [UInt8], isTaken: Bool) {
    if isTaken { self.isTaken[key] = true } else if self.isTaken[key] == nil { self.isTaken[key] = false }
  }

  package mutating func add(_ others: Self) {
    for (key, isTaken) in others.isTaken { add(key, isTaken: isTaken) }
  }
}

extension ChangeStore {
  /// Passes the state of each record with a peer, in key order, then the records that only the peer has.
  ///
  /// A `peer` of nil means that the peer has not received any change. `held` is the peer's own report of how far it has
  /// read this store; nil without such a report. Deletions that are in sync are left out.
  package func forEachState(
    for peer: StorePeer?, _ differences: Differences, held: [UInt8]? = nil,
    _ body: (_ key: Span<UInt8>, RecordState, _ isDeleted: Bool) throws -> Void
  ) throws {
    var others = differences.isTaken
    try read {
      let acknowledged = try acknowledged(by: peer, held)
      try database.statement(
        "SELECT key, \(Self.isMissing) AND origin <> ?2, tombstone FROM changes ORDER BY key", isLong: true
      ).bind(1, acknowledged).bind(2, peer?.number ?? Self.nobody).forEachRow { row in
        var key: [UInt8] = []
        key.append(row.span(0))
        let state = Self.state(isPending: row.integer(1) != 0, others.removeValue(forKey: key))
        let isDeleted = row.integer(2) != 0
        if state != .synced || !isDeleted { try body(row.span(0), state, isDeleted) }
      }
    }
    for key in others.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      try body(key.span, .pendingPull, false)
    }
  }

  /// The numbers of the differences that are `pendingPull` and `conflict`.
  package func count(
    _ differences: Differences, for peer: StorePeer?, held: [UInt8]? = nil
  ) throws -> (pendingPull: Int, conflicts: Int) {
    var counts = (pendingPull: 0, conflicts: 0)
    try read {
      let acknowledged = try acknowledged(by: peer, held)
      let pending = try database.statement(
        "SELECT \(Self.isMissing) AND origin <> ?2 FROM changes WHERE key = ?3")
      for (key, isTaken) in differences.isTaken {
        let isPending = try pending.bind(1, acknowledged).bind(2, peer?.number ?? Self.nobody).bind(3, key)
          .first { $0.integer(0) != 0 }
        switch Self.state(isPending: isPending == true, isTaken) {
        case .pendingPull: counts.pendingPull += 1
        case .conflict: counts.conflicts += 1
        case .synced, .pendingPush: break
        }
      }
    }
    return counts
  }

  /// The sequence up to which a peer has our changes; a restored remote may lack changes that it has
  /// acknowledged.
  private func acknowledged(by peer: StorePeer?, _ held: [UInt8]?) throws(StoreError) -> Int64 {
    let remembered = try peer.map { peer throws(StoreError) in try acknowledged(by: peer) } ?? 0
    guard let held else { return remembered }
    guard let token = StoreToken(bytes: held), try standing(of: token) != .foreign else { return 0 }
    return min(remembered, token.sequence)
  }

  /// The number of changes that a peer lacks; `held` is its own report of how far it has read this store.
  ///
  /// Changes that came from the peer count only with `givingBack`: the peer has lost them.
  package func pending(
    for peer: StorePeer?, held: [UInt8]? = nil, givingBack: Bool = false
  ) throws -> Int {
    try read {
      guard let peer else { return state.live + state.tombstones }
      return try database.statement(
        "SELECT count(*) FROM changes WHERE CASE origin WHEN ?2 THEN ?3 ELSE \(Self.isMissing) END"
      ).bind(1, acknowledged(by: peer, held)).bind(2, peer.number).bind(3, givingBack ? 1 : 0)
        .first { Int($0.integer(0)) } ?? 0
    }
  }

  /// Passes the changes that a peer lacks, in the order of their sequences.
  ///
  /// These are the changes that did not come from the peer and that the peer has not acknowledged.
  package func forEachPending(for peer: StorePeer, _ body: (_ line: Span<UInt8>) throws -> Void) throws {
    try read {
      try database.statement(
        "SELECT line, key, checksum FROM changes WHERE \(Self.isMissing) AND origin <> ?2 ORDER BY sequence",
        isLong: true
      ).bind(1, acknowledged(by: peer, nil)).bind(2, peer.number).forEachRow { row in
        try RowChecksum.require(row.integer(2), row.span(1), row.span(0))
        try body(row.span(0))
      }
    }
  }

  /// A value that is never the number of a peer or an origin.
  private static let nobody = Int64.min

  /// The condition for a change that the peer ?2 lacks after it has acknowledged all changes up to ?1.
  private static let isMissing =
    "(sequence > ?1 OR EXISTS (SELECT 1 FROM unsent WHERE unsent.peer = ?2 AND unsent.key = changes.key))"

  private static func state(isPending: Bool, _ isTaken: Bool?) -> RecordState {
    switch (isPending, isTaken) {
    case (true, nil): .pendingPush
    case (true, .some): .conflict
    case (false, true): .pendingPull
    case (false, _): .synced
    }
  }

  /// Notes the lines of a page that the store has in another version or lacks.
  func noteDifferences(of page: [UInt8], _ shape: RecordShape, in differences: inout Differences) throws {
    var (reader, key) = (LineReader(shape), [UInt8]())
    for line in page.split(separator: 10) {
      let line = Array(line)
      key.removeAll(keepingCapacity: true)
      // A line that is not a change would be quarantined, and does not belong to a record.
      guard (try? reader.read(line.span, key: &key)) != nil, try self.line(of: key.span)?.line != line else {
        continue
      }
      differences.add(key, isTaken: false)
    }
  }

  /// Notes the lines that have been stored after a sequence, or only the deletions among them.
  func noteTaken(
    after sequence: Int64, onlyDeletions: Bool = false, in differences: inout Differences
  ) throws {
    let kind = onlyDeletions ? " AND tombstone" : ""
    try database.statement("SELECT key FROM changes WHERE sequence > ?1\(kind)").bind(1, sequence)
      .forEachRow { row in
        var key: [UInt8] = []
        key.append(row.span(0))
        differences.add(key, isTaken: true)
      }
  }
}
