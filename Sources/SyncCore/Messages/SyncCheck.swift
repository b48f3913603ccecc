/// The order of requests, responses and acks, and whose turn it is.
struct SyncCheck: Sendable {
  /// Whose turn it is to ask.
  private enum Turn: Equatable {
    case open
    case of(String)
    /// Handed over by this peer to one that has not spoken yet.
    case notOf(String)
  }

  private struct Question {
    var id: UUIDText
    var since: [UInt8]?
    var isResync: Bool
  }

  private struct Page {
    /// That of the response.
    var id: UUIDText
    var token: [UInt8]
  }

  private var turn = Turn.open
  /// The request that each peer waits for an answer to.
  private var asked: [String: Question] = [:]
  /// The page that each peer has and has not acknowledged.
  private var owed: [String: Page] = [:]
  private var tokens: Set<[UInt8]> = []

  mutating func take(_ request: SyncRequest, _ id: UUIDText) -> [ConversationFinding] {
    var findings: [ConversationFinding] = []
    let peer = request.peerId
    if !mayAsk(peer) { findings.append(.init(.notYourTurn, "a request of '\(peer.shown)' out of turn")) }
    if asked[peer] != nil {
      findings.append(.init(.unexpectedMessage, "a request while the one before it is not answered"))
    }
    if owed.removeValue(forKey: peer) != nil {
      findings.append(.init(.unexpectedMessage, "a request while the page before it is not acknowledged"))
    }
    turn = .of(peer)
    asked[peer] = Question(id: id, since: request.since, isResync: request.resync)
    return findings
  }

  mutating func take(
    _ response: SyncResponse, _ id: UUIDText, _ reply: UUIDText?
  ) -> [ConversationFinding] {
    if !response.token.isEmpty { tokens.insert(response.token) }
    let open = asked.first { $0.key != response.peerId && (reply == nil || $0.value.id == reply) }
    guard let (asker, question) = open else {
      return [.init(.responseWithoutRequest, "a response to no open request")]
    }
    asked[asker] = nil
    owed[asker] = Page(id: id, token: response.token)
    return faults(of: response, to: question)
  }

  /// What an asker ends the session for.
  private func faults(of response: SyncResponse, to question: Question) -> [ConversationFinding] {
    var findings: [ConversationFinding] = []
    if response.hasMore,
      response.token.isEmpty || response.token == question.since || response.content == .lines([])
    {
      findings.append(.init(.unexpectedMessage, "a page that does not move on, and is not the last one"))
    }
    if question.isResync, response.resync == nil {
      findings.append(.init(.unexpectedMessage, "a resync answered without 'heldTokenData'"))
    } else if !question.isResync, response.resync != nil {
      findings.append(.init(.unexpectedMessage, "'heldTokenData' that no resync has asked for"))
    }
    return findings
  }

  mutating func take(_ ack: SyncAck, _ reply: UUIDText?) -> [ConversationFinding] {
    if ack.token.isEmpty, ack.yourTurn, reply == nil, isReading(ack.peerId) { return [] }
    let page = owed.removeValue(forKey: ack.peerId)
    var findings = faults(of: ack, reply, to: page)
    guard ack.yourTurn else { return findings }
    if !mayAsk(ack.peerId), page == nil {
      findings.append(.init(.notYourTurn, "'\(ack.peerId.shown)' hands over a turn that is not its own"))
    }
    turn = .notOf(ack.peerId)
    return findings
  }

  private func faults(of ack: SyncAck, _ reply: UUIDText?, to page: Page?) -> [ConversationFinding] {
    if !ack.token.isEmpty, !tokens.contains(ack.token) {
      return [.init(.unknownToken, "an ack of a token that no response carried")]
    }
    guard let page else {
      return ack.token.isEmpty && ack.yourTurn
        ? [] : [.init(.unexpectedMessage, "an ack with nothing to acknowledge")]
    }
    if !ack.token.isEmpty, ack.token != page.token {
      return [.init(.unexpectedMessage, "an ack of another page's token")]
    }
    if let reply, reply != page.id {
      return [.init(.unexpectedMessage, "an ack in reply to another message than the page")]
    }
    return []
  }

  /// While its request waits, a peer says that it will give the turn away, and does so with the ack of the answer.
  ///
  /// The answer may have been sent before that was heard.
  private func isReading(_ peer: String) -> Bool { asked[peer] != nil || owed[peer] != nil }

  /// An error answers the request that it names, or whichever is open.
  mutating func takeError(_ reply: UUIDText?) {
    asked = asked.filter { reply != nil && $0.value.id != reply }
  }

  private func mayAsk(_ peer: String) -> Bool {
    switch turn {
    case .open: true
    case .of(let holder): holder == peer
    case .notOf(let giver): giver != peer
    }
  }
}
