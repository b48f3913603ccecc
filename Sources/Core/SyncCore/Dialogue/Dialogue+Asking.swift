extension Dialogue {
  /// Begins to ask: first the store reports how far this side has read.
  mutating func ask(_ row: DialogueRow) -> DialogueStep {
    state = .readsCheckpoint
    if case .on = pull { pull = .normal }
    progress = PageProgress()
    return DialogueStep(row: row, next: .store(.checkpoint))
  }

  mutating func sendRequest(checkpoint: [UInt8]?, _ acked: [UInt8]?, _ stamp: MessageStamp) -> DialogueStep {
    // A request may wait only after everything has been read once.
    let mayWait = settings.follows && hasCaughtUp && pull == .normal
    if mayWait, let idleSince, stamp.sentAt < idleSince.advanced(by: .seconds(Self.shortestTurn)) {
      self.idleSince = nil
      state = .rests
      return DialogueStep(row: .rest, next: .rest(seconds: Self.shortestTurn))
    }
    var request = SyncRequest(peerId: settings.ownId, deviceName: settings.ownName)
    if settings.version == .two { request.acked = acked }
    switch pull {
    case .normal: request.since = checkpoint
    case .on(let end): request.since = end
    case .anew: request.acked = nil
    case .resync(let next):
      request.since = next
      request.resync = next == nil
      request.acked = nil
    }
    if let shared = settings.shared {
      request.rulesDigest = shared.digest
      if !hasIntroducedStore {
        request.facts = SyncRequest.Facts(
          mergeRules: shared.mergeRules, entities: shared.entities, mixesEntities: settings.mixesEntities)
      }
      hasIntroducedStore = true
    }
    request.deflate = settings.inflates && settings.version == .two
    if mayWait { request.waitSeconds = settings.waitSeconds }
    let waits = request.waitSeconds > 0
    if !waits, !isResync, settings.version == .two { request.window = settings.window }
    var question = Question(id: stamp.id, since: request.since, waits: waits, sentAt: stamp.sentAt)
    question.allowsSeries = request.window > 1
    state = .awaitsResponse(question)
    return send(
      .ask, .syncRequest(request), replyTo: nil, stamp,
      then: .receive(extraSeconds: request.waitSeconds, wantsChanges: waits && settings.mayHandOver))
  }

  private var isResync: Bool { if case .resync = pull { true } else { false } }

  /// The minimum duration of a turn without changes, in seconds, even if the other side does not let requests
  /// wait.
  private static let shortestTurn = 1

  // MARK: Responses

  mutating func handle(_ response: SyncResponse, _ message: Message, _ question: Question) -> DialogueStep {
    guard settings.version == .one || message.inReplyTo == question.id else {
      return broken("a response to another request")
    }
    if response.hasMore, !movesOn(response, question) { return broken("a page without progress") }
    let mode: ReceivedPage.Mode
    switch pull {
    case .normal, .on, .anew: mode = .merge
    case .resync(let next):
      if next == nil, response.resync == nil { return broken("the first page of a resync lacks its facts") }
      let facts = next == nil ? response.resync : nil
      mode = response.hasMore ? .resync(facts: facts) : .resyncEnd(facts: facts)
    }
    var page = wire.page(of: response, mode)
    (page.hasMore, page.remaining) = (response.hasMore, response.remaining)
    if settings.version == .two, settings.shared == nil {
      page.rules = response.rules.flatMap { try? RecordShape(rules: $0.span) }
      if page.rules == nil, response.rules != nil || !page.lines.isEmpty || !page.unusable.isEmpty {
        return broken("changes without the rules to merge them by")
      }
    }
    var answer = Answer(
      id: message.id, token: response.token, hasMore: response.hasMore, hasYielded: question.hasYielded,
      askedAt: question.waits && !question.hasYielded ? question.sentAt : nil)
    if response.hasMore, response.continues, question.allowsSeries {
      answer.next = question
      answer.next?.since = response.token
    }
    state = .applies(answer)
    return DialogueStep(row: .page, next: .store(.apply(page)))
  }

  /// Whether a page before the last one makes progress: it has at least one change, and its end is new.
  private mutating func movesOn(_ response: SyncResponse, _ question: Question) -> Bool {
    guard !response.token.isEmpty, response.token != question.since,
      response.content != .lines([]) || !response.unusable.isEmpty
    else { return false }
    return progress.advance(to: response.token)
  }

  /// Handles an error in place of the response.
  mutating func handle(
    _ error: PeerError, _ id: UUIDText, _ question: Question, _ stamp: MessageStamp
  ) -> DialogueStep {
    guard settings.version == .two, error.known == .tokenForeign || error.known == .tokenExpired else {
      return DialogueStep(row: .refused, next: .end(.peerError(error)))
    }
    guard recovery == .unused, question.since != nil else {
      return DialogueStep(row: .tokenLost, next: .end(.tokenLost))
    }
    if error.known == .tokenExpired {
      recovery = .used
      pull = .resync(next: nil)
      return ask(.expired)
    }
    state = .disowns(replyTo: id)
    return DialogueStep(row: .foreign, next: .store(.disownChanges))
  }

  mutating func handleDisowned(replyTo: UUIDText, _ stamp: MessageStamp) -> DialogueStep {
    // The other side has also disowned changes and is waiting, so its current changes are complete.
    if hasGivenForeign {
      recovery = .used
      pull = .resync(next: nil)
      return ask(.disownedBoth)
    }
    // Records that the other side has lost can be sent back only in a session that may pass the turn.
    guard settings.mayHandOver else {
      recovery = .used
      pull = .anew
      return ask(.disownedAlone)
    }
    recovery = .handedOver
    return handOver(.disowned, SyncAck(peerId: settings.ownId, yourTurn: true), replyTo: replyTo, stamp)
  }

  // MARK: Acks

  mutating func handleApplied(_ outcome: ApplyAnswer, _ page: Answer, _ stamp: MessageStamp) -> DialogueStep {
    var ack = SyncAck(peerId: settings.ownId, token: page.token)
    switch outcome {
    case .busy: return busy(replyTo: page.id, stamp)
    case .refused:
      return refuse(
        .tooManyDeletes, .tooManyDeletions, "more records would be deleted than is allowed here",
        replyTo: page.id, stamp, end: .tooManyDeletes)
    case .quarantineFull:
      return refuse(
        .quarantineFull, .quarantineFull, "no room for more changes that cannot be applied",
        replyTo: page.id, stamp, end: .quarantineFull)
    case .applied(let quarantined, let isIdle):
      setAside += quarantined
      idleSince = isIdle ? page.askedAt : nil
      if !settings.isDryRun { ack.quarantined = quarantined }
    }
    // A resync does not count as read before its last page.
    if isResync, page.hasMore { ack.token = [] }
    if settings.isDryRun { ack.token = [] }
    if page.hasYielded { return finishTurn(ack, page, stamp) }
    guard page.hasMore else {
      hasCaughtUp = true
      pull = .normal
      return finishTurn(ack, page, stamp)
    }
    if isResync { pull = .resync(next: page.token) } else { pull = .on(from: page.token) }
    if let next = page.next {
      state = .awaitsResponse(next)
      return send(.pageFollows, .ack(ack), replyTo: page.id, stamp, then: .receive)
    }
    state = .readsCheckpoint
    return send(.askOn, .ack(ack), replyTo: page.id, stamp, then: .store(.checkpoint))
  }

  private mutating func finishTurn(_ ack: SyncAck, _ page: Answer, _ stamp: MessageStamp) -> DialogueStep {
    if settings.version == .one { return finishReading(ack, page, stamp) }
    var ack = ack
    if settings.mayHandOver {
      ack.yourTurn = true
      return handOver(.handOver, ack, replyTo: page.id, stamp)
    }
    guard settings.follows else {
      return send(.allRead, .ack(ack), replyTo: page.id, stamp, then: .end(.done(setAside: setAside)))
    }
    state = .readsCheckpoint
    return send(.askAgain, .ack(ack), replyTo: page.id, stamp, then: .store(.checkpoint))
  }
}

/// Detects cycles in the ends of pages; stores only one end.
///
/// The stored end is replaced after 1, 2, 4, 8 … pages (Brent's method), so a cycle is found before its third
/// repetition.
struct PageProgress: Equatable, Sendable {
  private var kept: [UInt8]?
  private var count = 0
  private var limit = 1

  /// Notes the end of a page; false if it equals the stored end of an earlier page.
  mutating func advance(to token: [UInt8]) -> Bool {
    guard token != kept else { return false }
    count += 1
    if count == limit { (kept, count, limit) = (token, 0, limit * 2) }
    return true
  }
}
