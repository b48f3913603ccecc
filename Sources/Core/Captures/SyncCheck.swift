import JSONLines
import SyncCore

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
    /// A finding has told that the answer is missing or may be: it is not waited for.
    var isExcused = false
  }

  private struct Page {
    /// That of the response.
    var id: UUIDText
    var token: [UInt8]
    /// A finding has told that the ack is missing or may be.
    var isExcused = false
  }

  typealias Place = ConversationCheck.Place

  private var turn = Turn.open
  /// The requests of each peer that wait for an answer, the oldest first.
  private var asked: [String: [Question]] = [:]
  /// The pages that each peer has and has not acknowledged, the oldest first.
  private var owed: [String: [Page]] = [:]
  /// Pages that nobody had asked for, by the peer that they are of: another may acknowledge them.
  private var stray: [(from: String, page: Page)] = []
  /// How many acks each peer has sent for pages that have not come: these may still come.
  private var early: [String: Int] = [:]
  private var tokens: Set<[UInt8]> = []

  // MARK: Requests

  mutating func take(_ request: SyncRequest, _ place: Place) -> [ConversationFinding] {
    let peer = place.peer
    var question = Question(id: place.id, since: request.since, isResync: request.resync)
    defer {
      turn = .of(peer)
      asked[peer, default: []].append(question)
    }
    if place.hasTurns, !mayAsk(peer) {
      // As if the other side had handed the turn over, with an ack that may still come.
      for other in owed.keys where other != peer { excusePages(of: other) }
      for other in asked.keys where other != peer { excuseQuestions(of: other) }
      return [.init(.notYourTurn, "a request of '\(peer.shown)' out of turn")]
    }
    if asked[peer]?.contains(where: { !$0.isExcused }) == true {
      excuseQuestions(of: peer)
      question.isExcused = true
      return [.init(.unexpectedMessage, "a request while the one before it is not answered")]
    }
    if owed[peer]?.contains(where: { !$0.isExcused }) == true {
      excusePages(of: peer)
      return [.init(.unexpectedMessage, "a request while the page before it is not acknowledged")]
    }
    early[peer] = nil
    return []
  }

  private mutating func excuseQuestions(of peer: String) {
    for index in asked[peer, default: []].indices { asked[peer]?[index].isExcused = true }
  }

  private mutating func excusePages(of peer: String) {
    for index in owed[peer, default: []].indices { owed[peer]?[index].isExcused = true }
  }

  private func mayAsk(_ peer: String) -> Bool {
    switch turn {
    case .open: true
    case .of(let holder): holder == peer
    case .notOf(let giver): giver != peer
    }
  }

  // MARK: Responses

  mutating func take(_ response: SyncResponse, _ place: Place) -> [ConversationFinding] {
    if !response.token.isEmpty { tokens.insert(response.token) }
    var page = Page(id: place.id, token: response.token)
    let stranger = ConversationFinding(.responseWithoutRequest, "a response to no open request")
    guard let (asker, index) = open(for: place.reply, notOf: place.peer) else {
      stray.append((place.peer, page))
      turn = .open
      return [stranger]
    }
    let question = asked[asker]?.remove(at: index)
    if let acks = early[asker], acks > 0 {
      early[asker] = acks - 1
      page.isExcused = true
    }
    owed[asker, default: []].append(page)
    guard let question, place.reply == nil || place.reply == question.id else { return [stranger] }
    return faults(of: response, to: question)
  }

  /// The request that a response answers: the one that it names, else the newest that waits.
  private func open(for reply: UUIDText?, notOf peer: String) -> (asker: String, index: Int)? {
    let open = asked.filter { $0.key != peer }.sorted { $0.key < $1.key }
    for (asker, questions) in open {
      if let index = questions.firstIndex(where: { $0.id == reply }) { return (asker, index) }
    }
    for (asker, questions) in open {
      let waiting = questions.lastIndex { !$0.isExcused } ?? questions.indices.last
      if let waiting { return (asker, waiting) }
    }
    return nil
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

  /// An error answers the request that it names, or whichever is open.
  mutating func takeError(_ reply: UUIDText?) {
    for peer in asked.keys { asked[peer]?.removeAll { reply == nil || $0.id == reply } }
  }

  // MARK: Acks

  mutating func take(_ ack: SyncAck, _ place: Place) -> [ConversationFinding] {
    let peer = place.peer
    if ack.token.isEmpty, ack.yourTurn, place.reply == nil, isReading(peer) { return [] }
    let page = takePage(ack, place)
    if page == nil, !ack.token.isEmpty || place.reply != nil {
      excuseQuestions(of: peer)
      early[peer, default: 0] += 1
    }
    var findings = faults(of: ack, place.reply, to: page)
    if !ack.token.isEmpty { tokens.insert(ack.token) }
    guard ack.yourTurn else { return findings }
    if findings.isEmpty, page == nil, !mayAsk(peer) {
      findings = [.init(.notYourTurn, "'\(peer.shown)' hands over a turn that is not its own")]
    }
    turn = .notOf(peer)
    return findings
  }

  /// The page that an ack is about: the one that it names, else the oldest that waits, else one that nobody asked for.
  private mutating func takePage(_ ack: SyncAck, _ place: Place) -> Page? {
    let pages = owed[place.peer] ?? []
    let named = pages.firstIndex { $0.id == place.reply } ?? pages.firstIndex { $0.token == ack.token }
    if let index = named ?? pages.firstIndex(where: { !$0.isExcused }) ?? pages.indices.first {
      return owed[place.peer]?.remove(at: index)
    }
    guard let index = stray.lastIndex(where: { $0.from != place.peer }) else { return nil }
    excuseQuestions(of: place.peer)
    return stray.remove(at: index).page
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
  private func isReading(_ peer: String) -> Bool {
    asked[peer]?.isEmpty == false || owed[peer]?.isEmpty == false
  }
}
