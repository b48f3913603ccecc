package import JSONLines

extension ChangeStore {
  /// How many live records there are, in the transaction under way or after the last one.
  package var live: Int { state.live }

  /// What there is to count, as one object.
  package func statistics() throws -> JSONValue {
    try read {
      let id = id.map { byte in
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
      }
      return [
        "store": .string(id.joined()), "schema": .integer(Schema.version), "records": .integer(state.live),
        "tombstones": .integer(state.tombstones), "sequence": .integer(state.sequence),
        "compacted": .integer(state.compacted), "peers": .integer(try peers().count),
        "quarantined": .integer(try quarantineCount()),
      ]
    }
  }

  /// How many changes a peer has not acknowledged yet, those that came from it not counted.
  package func pending(for peer: StorePeer?) throws -> Int {
    try read {
      guard let peer else { return state.live + state.tombstones }
      let count = try database.statement(
        "SELECT count(*) FROM changes WHERE sequence > ?1 AND origin <> ?2"
      ).bind(1, acknowledged(by: peer)).bind(2, peer.number).first { Int($0.integer(0)) }
      return count ?? 0
    }
  }

  /// Keeps no more of the file in memory than so many KiB.
  package func limitCache(toKiB size: Int) throws { try database.run("PRAGMA cache_size = -\(size)") }

  /// Waits so long for a lock of another process from here on; with zero what is locked is `busy` at once.
  package func limitWait(to wait: Duration) { database.limitWait(to: wait) }

  /// One object a peer: when it was heard of, what it has, and its checkpoints.
  package func peerStatus() throws -> [JSONValue] {
    try read {
      try peers().map { peer in
        let acknowledged = try acknowledged(by: peer)
        var members: [JSONMember] = [
          .init("peer", .string(peer.id)), .init("seenAt", .string(try seenAt(peer))),
          .init("acknowledged", .integer(acknowledged)),
          .init("behind", .integer(state.sequence - acknowledged)),
        ]
        let held = try heldCount(from: peer)
        if held > 0 { members.append(.init("held", .integer(held))) }
        for direction in CheckpointDirection.allCases {
          if let token = try checkpoint(peer, direction) {
            members.append(.init(direction.rawValue, .string(token)))
          }
        }
        return .object(members)
      }
    }
  }
}
