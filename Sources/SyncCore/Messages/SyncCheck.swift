/// The order of requests, responses and acks, and whose turn it is.
struct SyncCheck: Sendable {
  /// Whose turn it is to ask.
  private enum Turn: Equatable {
    case open
    case of(String)
    /// Handed over by this peer to one that has not spoken yet.
    case notOf(String)
  }

  private var turn = Turn.open
  /// The request that each peer waits for an answer to.
  private var asked: [String: UUIDText] = [:]
  /// The peers that have a page and have not acknowledged it.
  private var owing: Set<String> = []
  private var tokens: Set<[UInt8]> = []

  mutating func take(_ request: SyncRequest, _ id: UUIDText) -> [ConversationFinding] {
    var findings: [ConversationFinding] = []
    let peer = request.peerId
    if !mayAsk(peer) { findings.append(.init(.notYourTurn, "a request of '\(peer.shown)' out of turn")) }
    if asked[peer] != nil {
      findings.append(.init(.unexpectedMessage, "a request while the one before it is not answered"))
    }
    if owing.remove(peer) != nil {
      findings.append(.init(.unexpectedMessage, "a request while the page before it is not acknowledged"))
    }
    turn = .of(peer)
    asked[peer] = id
    return findings
  }

  mutating func take(_ response: SyncResponse, _ reply: UUIDText?) -> [ConversationFinding] {
    if !response.token.isEmpty { tokens.insert(response.token) }
    let asker = asked.first { $0.key != response.peerId && (reply == nil || $0.value == reply) }?.key
    guard let asker else { return [.init(.responseWithoutRequest, "a response to no open request")] }
    asked[asker] = nil
    owing.insert(asker)
    return []
  }

  mutating func take(_ ack: SyncAck, _ reply: UUIDText?) -> [ConversationFinding] {
    if ack.token.isEmpty, ack.yourTurn, reply == nil, isReading(ack.peerId) { return [] }
    var findings: [ConversationFinding] = []
    let owed = owing.remove(ack.peerId) != nil
    if !ack.token.isEmpty, !tokens.contains(ack.token) {
      findings.append(.init(.unknownToken, "an ack of a token that no response carried"))
    } else if !owed, !ack.yourTurn {
      findings.append(.init(.unexpectedMessage, "an ack with nothing to acknowledge"))
    }
    guard ack.yourTurn else { return findings }
    if !mayAsk(ack.peerId), !owed {
      findings.append(.init(.notYourTurn, "'\(ack.peerId.shown)' hands over a turn that is not its own"))
    }
    turn = .notOf(ack.peerId)
    return findings
  }

  /// While its request waits, a peer says that it will give the turn away, and does so with the ack of the answer.
  ///
  /// The answer may have been sent before that was heard.
  private func isReading(_ peer: String) -> Bool { asked[peer] != nil || owing.contains(peer) }

  /// An error answers the request that it names, or whichever is open.
  mutating func takeError(_ reply: UUIDText?) {
    asked = asked.filter { reply != nil && $0.value != reply }
  }

  private func mayAsk(_ peer: String) -> Bool {
    switch turn {
    case .open: true
    case .of(let holder): holder == peer
    case .notOf(let giver): giver != peer
    }
  }
}
