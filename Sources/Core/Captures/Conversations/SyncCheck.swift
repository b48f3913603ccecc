import JSONLines
import SyncCore

/// Checks the order of requests, responses and acks, and which side has the turn.
struct SyncCheck: Equatable, Sendable {
  private struct Question: Equatable {
    var id: UUIDText
    var since: [UInt8]?
    var isResync = false
    /// How many pages may wait for an ack.
    var window = 1
    /// Whether a finding has already reported that the answer may be missing; then it is not awaited.
    var isExcused: Bool
    /// Whether the request was not seen; only a page announced it.
    var isUnseen = false
  }

  private struct Page: Equatable {
    /// The id of the response.
    var id: UUIDText
    var token: [UInt8]
    /// Whether the next page is sent without a request.
    var isFollowed = false
    /// Whether a finding already explains a missing ack.
    var isExcused = false
  }

  /// A page that does not answer a request, and its sender; the other side may acknowledge the page.
  private struct Stray: Equatable {
    var from: Side
    var page: Page
  }

  typealias Place = ConversationReading.Place
  typealias Side = ConversationPeers.Side

  /// The side that may send a request; nil if both may.
  private var turn: Side?
  /// The requests of each side that wait for an answer, the oldest first.
  private var asked: [Side: [Question]] = [:]
  /// The pages that each side has received but not acknowledged, the oldest first.
  private var owed: [Side: [Page]] = [:]
  private var stray: [Stray] = []
  /// The number of acks that each side sent for pages that have not appeared yet.
  private var early: [Side: Int] = [:]

  // MARK: Requests

  mutating func check(_ request: SyncRequest, _ place: Place) -> [ConversationFinding] {
    let side = place.side
    var question = Question(
      id: place.id, since: request.since, isResync: request.resync, window: request.windowInEffect,
      isExcused: place.isAnswered)
    defer {
      turn = side
      asked[side, default: []].appendWaiting(question)
    }
    if place.hasTurns, !mayAsk(side) {
      // Continue as if the other side had passed the turn with an ack that may still arrive.
      excusePages(of: side.other)
      excuseQuestions(of: side.other)
      return [.init(.notYourTurn, "a request of '\(place.peer.shown)' out of turn")]
    }
    if asked[side]?.contains(where: { !$0.isExcused }) == true {
      excuseQuestions(of: side)
      question.isExcused = true
      return [.init(.unexpectedMessage, "a request before the previous one was answered")]
    }
    if owed[side]?.contains(where: { !$0.isExcused }) == true {
      excusePages(of: side)
      return [.init(.unexpectedMessage, "a request before the previous page was acknowledged")]
    }
    early[side] = nil
    return []
  }

  private mutating func excuseQuestions(of side: Side) {
    for index in asked[side, default: []].indices { asked[side]?[index].isExcused = true }
  }

  private mutating func excusePages(of side: Side) {
    for index in owed[side, default: []].indices { owed[side]?[index].isExcused = true }
  }

  /// Excuses all awaited messages.
  mutating func excuse() {
    for side in [Side.first, .second] {
      excuseQuestions(of: side)
      excusePages(of: side)
    }
  }

  private func mayAsk(_ side: Side) -> Bool { turn == nil || turn == side }

  // MARK: Responses

  mutating func check(_ response: SyncResponse, _ place: Place) -> [ConversationFinding] {
    var page = Page(id: place.id, token: response.token)
    let stranger = ConversationFinding(.responseWithoutRequest, "a response without an open request")
    let requester = place.side.other
    guard let index = open(for: place.reply, of: requester),
      let question = asked[requester]?.remove(at: index)
    else {
      stray.appendWaiting(Stray(from: place.side, page: page))
      turn = nil
      // The later pages of a series are excused, so that only the first page is a finding.
      if response.announcesPage {
        asked[requester, default: []].appendWaiting(
          Question(id: place.reply ?? place.id, since: response.token, isExcused: true, isUnseen: true))
      }
      return [stranger]
    }
    // Without a request, the pages may be a fault of their sender, and then they do not get acks.
    page.isExcused = question.isUnseen
    if let acks = early[requester], acks > 0 {
      early[requester] = acks - 1
      page.isExcused = true
    }
    let isBeyond = !question.isExcused && waiting(of: requester) >= question.window
    if isBeyond { excusePages(of: requester) }
    if response.announcesPage, question.window > 1 || question.isExcused {
      page.isFollowed = true
      var next = question
      (next.since, next.isResync) = (response.token, false)
      // Further pages beyond the window are the same fault.
      if isBeyond { next.isExcused = true }
      asked[requester]?.insert(next, at: index)
    }
    owed[requester, default: []].appendWaiting(page, limit: max(64, question.window))
    guard place.reply == nil || place.reply == question.id else { return [stranger] }
    return faults(of: response, to: question, isBeyondWindow: isBeyond)
  }

  /// The number of pages that a side has received but not acknowledged.
  private func waiting(of side: Side) -> Int { owed[side, default: []].count { !$0.isExcused } }

  /// The request that a response answers: the request that it names, otherwise the newest waiting one.
  private func open(for reply: UUIDText?, of requester: Side) -> Int? {
    let questions = asked[requester] ?? []
    return questions.firstIndex { $0.id == reply } ?? questions.lastIndex { !$0.isExcused }
      ?? questions.indices.last
  }

  /// The faults that make the requesting side end the session.
  private func faults(
    of response: SyncResponse, to question: Question, isBeyondWindow: Bool
  ) -> [ConversationFinding] {
    var findings: [ConversationFinding] = []
    if response.hasMore, response.token.isEmpty || response.token == question.since {
      findings.append(.init(.unexpectedMessage, "a page that does not advance the token, but is not last"))
    } else if response.hasMore, response.content == .lines([]) {
      findings.append(.init(.unexpectedMessage, "a page without changes that is not last"))
    } else if response.continues, !response.hasMore {
      findings.append(.init(.unexpectedMessage, "'continues' in the last page"))
    } else if isBeyondWindow {
      findings.append(.init(.unexpectedMessage, "a page beyond the window of its request"))
    }
    if question.isResync, response.resync == nil {
      findings.append(.init(.unexpectedMessage, "a resync answered without 'heldTokenData'"))
    } else if !question.isResync, response.resync != nil {
      findings.append(.init(.unexpectedMessage, "'heldTokenData' without a resync"))
    }
    return findings
  }

  /// An error answers the request that it names, otherwise all open requests.
  mutating func checkError(_ reply: UUIDText?) {
    for side in asked.keys { asked[side]?.removeAll { reply == nil || $0.id == reply } }
  }

  // MARK: Acks

  mutating func check(_ ack: SyncAck, _ place: Place) -> [ConversationFinding] {
    let side = place.side
    if ack.token.isEmpty, ack.yourTurn, !place.isReply, isReading(side) { return [] }
    let (page, isEarly) = checkPage(ack, place)
    if page == nil, !ack.token.isEmpty || place.isReply {
      excuseQuestions(of: side)
      early[side, default: 0] += 1
    }
    var findings = faults(of: ack, place, to: page, isEarly: isEarly)
    guard ack.yourTurn else {
      // The sender of a faulty message may have intended to pass the turn.
      if !findings.isEmpty { turn = nil }
      return findings
    }
    if findings.isEmpty, page == nil, !mayAsk(side) {
      findings = [.init(.notYourTurn, "'\(place.peer.shown)' passes on a turn that it does not have")]
    }
    turn = side.other
    return findings
  }

  /// The page that an ack acknowledges: the page that it names, or else the oldest waiting one.
  ///
  /// If neither exists, the result is a page that does not answer a request, or an excused page. The ack is
  /// early if an earlier page still waits.
  private mutating func checkPage(_ ack: SyncAck, _ place: Place) -> (page: Page?, isEarly: Bool) {
    let pages = owed[place.side] ?? []
    let named =
      pages.firstIndex { $0.token == ack.token && $0.id == place.reply }
      ?? pages.firstIndex { $0.token == ack.token } ?? pages.firstIndex { $0.id == place.reply }
    let namedStray = stray.firstIndex { $0.from != place.side && $0.page.id == place.reply }
    let oldest = namedStray == nil ? pages.firstIndex { !$0.isExcused } : nil
    if let index = named ?? oldest {
      let isEarly = pages[..<index].contains { !$0.isExcused }
      for earlier in 0..<index { owed[place.side]?[earlier].isExcused = true }
      return (owed[place.side]?.remove(at: index), isEarly)
    }
    if let index = namedStray ?? stray.lastIndex(where: { $0.from != place.side }) {
      excuseQuestions(of: place.side)
      return (stray.remove(at: index).page, false)
    }
    // An ack in reply to another message acknowledges an error, not a page.
    guard place.reply == nil, !pages.isEmpty else { return (nil, false) }
    return (owed[place.side]?.removeFirst(), false)
  }

  private func faults(
    of ack: SyncAck, _ place: Place, to page: Page?, isEarly: Bool
  ) -> [ConversationFinding] {
    if !ack.token.isEmpty, !place.isTokenKnown {
      return [.init(.unknownToken, "an ack of a token that no response carried")]
    }
    guard let page else {
      return ack.token.isEmpty && ack.yourTurn
        ? [] : [.init(.unexpectedMessage, "an ack that does not acknowledge anything")]
    }
    if !ack.token.isEmpty, ack.token != page.token {
      return [.init(.unexpectedMessage, "an ack of another page's token")]
    }
    if let reply = place.reply, reply != page.id {
      return [.init(.unexpectedMessage, "an ack in reply to another message than the page")]
    }
    if isEarly { return [.init(.unexpectedMessage, "an ack before the ack of an earlier page")] }
    if ack.yourTurn, page.isFollowed {
      return [.init(.unexpectedMessage, "a turn passed before the last page")]
    }
    return []
  }

  /// Whether a peer has announced, while its request waits, that the ack of the answer will pass the turn.
  ///
  /// The answer may have been sent before that announcement arrived.
  private func isReading(_ side: Side) -> Bool {
    asked[side]?.isEmpty == false || owed[side]?.isEmpty == false || stray.contains { $0.from != side }
  }
}

extension SyncResponse {
  /// The next page is sent without a request.
  fileprivate var announcesPage: Bool { hasMore && continues }
}
