import SyncCore

/// Which of the two sides the peers of a conversation are.
struct ConversationPeers: Sendable {
  enum Side: Hashable, Sendable {
    case first, second

    var other: Side { self == .first ? .second : .first }
  }

  /// The ids of the first and the second side, as they appear first.
  private var own: [String] = []
  private var strangers: Set<String> = []

  /// Whether a peer is a third one that has not been seen yet.
  func isNewStranger(_ peer: String) -> Bool {
    own.count == 2 && side(of: peer) == nil && !strangers.contains(peer)
  }

  /// The side of a peer; both for a third one, whose messages either may have sent.
  ///
  /// A message without a peer is an error, which is the same of either side.
  mutating func sides(of peer: String?) -> [Side] {
    guard let peer else { return [.first] }
    if let side = side(of: peer) { return [side] }
    if own.count < 2 {
      own.append(peer)
      return [own.count == 1 ? .first : .second]
    }
    strangers.insert(peer)
    return [.first, .second]
  }

  private func side(of peer: String) -> Side? {
    own.firstIndex { PeerID.areSame($0, peer) }.map { $0 == 0 ? .first : .second }
  }
}
