extension TrustList {
  /// What a PEER on a command line stands for.
  package enum Match: Equatable, Sendable {
    case one(TrustRecord)
    case none
    case several([TrustRecord])
  }

  /// The shortest beginning of an id that may stand for it.
  package static let shortestPrefix = 4

  /// Finds a peer by its id, the beginning of its id, or its name, where that is no other's too.
  package func find(_ peer: String) -> Match {
    if let record = record(of: peer) { return .one(record) }
    let isPrefix = peer.utf8.count >= Self.shortestPrefix
    let matches = records.filter {
      isPrefix && $0.peerId.lowercased().hasPrefix(peer.lowercased()) || $0.deviceName == peer
    }
    if matches.count > 1 { return .several(matches) }
    return matches.first.map { .one($0) } ?? .none
  }
}
