extension Dialogue {
  mutating func handle(_ request: SyncRequest, _ id: UUIDText, _ stamp: MessageStamp) -> DialogueStep {
    let difference = settings.shared?.difference(
      from: request, own: .init(settings.ownId, settings.ownName), mixing: settings.mixesEntities)
    if let difference {
      return refuse(
        .rulesDiffer, difference.code, difference.text, replyTo: id, stamp, end: .differs(difference))
    }
    // A request for the next page starts at the end of the previous page; any other request starts over.
    if request.since == nil || request.since != owed { beginnings += 1 }
    if settings.isConnector, !settings.follows, beginnings > Self.mostBeginnings {
      return broken("the other side started reading too often")
    }
    // A side that follows waits between its turns, so it has new changes each time.
    if request.waitSeconds > 0 { turns = 0 }
    var request = request
    request.waitSeconds = min(request.waitSeconds, SyncRequest.longestWaitGranted)
    // A run should end, so it answers without waiting. It still sends one page at a time, because the window
    // follows from the requested wait.
    request.window = request.windowInEffect
    if settings.isConnector { request.waitSeconds = 0 }
    return readPage(.request, id, request, mayWait: request.waitSeconds > 0)
  }

  /// How often the other side may start reading: once, and again after each error about a lost token.
  private static let mostBeginnings = 3

  mutating func readPage(
    _ row: DialogueRow, _ id: UUIDText, _ request: SyncRequest, mayWait: Bool
  ) -> DialogueStep {
    state = .readsPage(id: id, request, mayWait: mayWait)
    return DialogueStep(row: row, next: .store(.page(page(for: request))))
  }

  func page(for request: SyncRequest) -> PageRequest {
    let limit = settings.version == .one ? nil : settings.pageLimit
    var page = PageRequest(
      since: request.since, limit: limit, isResync: request.resync,
      acked: request.resync ? nil : request.acked)
    page.tellsNoAck = settings.version == .one
    page.wantsRules = settings.version == .two && request.rulesDigest == nil
    return page
  }

  // MARK: Pages

  mutating func handle(
    _ answer: PageAnswer, _ id: UUIDText, _ request: SyncRequest, mayWait: Bool, _ stamp: MessageStamp
  ) -> DialogueStep {
    switch answer {
    case .busy: return busy(replyTo: id, stamp)
    case .tokenExpired, .tokenForeign: return handleLostToken(answer, id, request, stamp)
    case .page(let page):
      if mayWait, page.lines.isEmpty, !page.hasMore {
        state = .awaitsChange(id: id, request, end: page.token)
        return DialogueStep(row: .wait, next: .awaitChange(seconds: request.waitSeconds))
      }
      let waits = request.waitSeconds > 0
      return give(mayWait || !waits ? .give : .giveAgain, page, id, request, mayBeCrossed: waits, stamp)
    }
  }

  /// Answers a request with a lost token: with an error, or in version 1 with everything in one delta.
  private mutating func handleLostToken(
    _ answer: PageAnswer, _ id: UUIDText, _ request: SyncRequest, _ stamp: MessageStamp
  ) -> DialogueStep {
    guard settings.version == .two else {
      var everything = request
      everything.since = nil
      return readPage(.completeInstead, id, everything, mayWait: false)
    }
    state = .awaitsRequest
    // An answer in progress is restarted or dropped.
    owed = nil
    let isExpired = answer == .tokenExpired
    if !isExpired { hasGivenForeign = true }
    let error = PeerError(
      isExpired ? .tokenExpired : .tokenForeign,
      isExpired ? "deletions after the token are no longer known" : "the token is not from this store")
    return send(isExpired ? .expiredGiven : .foreignGiven, .error(error), replyTo: id, stamp, then: .receive)
  }

  private mutating func give(
    _ row: DialogueRow, _ page: StorePage, _ id: UUIDText, _ request: SyncRequest, mayBeCrossed: Bool,
    _ stamp: MessageStamp
  ) -> DialogueStep {
    var response = response(page, continues: page.hasMore && window(of: request) > 1)
    if settings.version == .one {
      let packed = wire.pack(page)
      setAside += packed.leftOut
      leftOut += packed.leftOut
      response.content = .delta(packed.delta)
      response.token = packed.token
    }
    let given = GivenPage(
      id: stamp.id, token: response.token, isLast: !response.hasMore, mayBeCrossed: mayBeCrossed,
      isOversized: isOversized(page))
    owed = response.hasMore ? response.token : nil
    series = response.continues ? Series(id: id, request: request) : nil
    return send(
      row, .syncResponse(response), replyTo: id, stamp,
      then: response.continues && !given.isOversized
        ? readAhead(after: page.token, first: given) : awaitAck(given))
  }

  func response(_ page: StorePage, continues: Bool) -> SyncResponse {
    var response = SyncResponse(
      peerId: settings.ownId, deviceName: settings.ownName, content: .lines(page.lines), token: page.token,
      hasMore: page.hasMore, resync: page.resync)
    (response.rules, response.remaining) = (page.rules, page.remaining)
    response.continues = continues
    return response
  }

  mutating func awaitAck(_ page: GivenPage) -> DialogueStep.Next {
    state = .awaitsAck(page)
    return .receive
  }

  /// Answers a request that has waited without a new change.
  mutating func giveNothing(
    _ row: DialogueRow, _ id: UUIDText, _ request: SyncRequest, _ end: [UInt8], mayBeCrossed: Bool,
    _ stamp: MessageStamp
  ) -> DialogueStep {
    give(row, StorePage(lines: [], token: end), id, request, mayBeCrossed: mayBeCrossed, stamp)
  }

  // MARK: Acks

  mutating func handle(
    _ ack: SyncAck, _ message: Message, _ page: GivenPage, _ stamp: MessageStamp
  ) -> DialogueStep {
    // A session may last for years, so the sum must not overflow.
    quarantinedThere = quarantinedThere.addingReportingOverflow(ack.quarantined).partialValue
    if ack.token.isEmpty, ack.yourTurn, page.mayBeCrossed, message.inReplyTo != page.id {
      var page = page
      page.mayBeCrossed = false
      state = .awaitsAck(page)
      return DialogueStep(row: .crossed, next: .receive)
    }
    guard message.inReplyTo ?? page.id == page.id else { return broken("an ack in reply to another message") }
    if ack.token.isEmpty {
      return handleRecorded(.ackEmpty, message.id, yourTurn: ack.yourTurn, isLast: page.isLast, stamp)
    }
    guard ack.token == page.token else { return broken("an ack of another token") }
    state = .recordsAck(id: message.id, yourTurn: ack.yourTurn, isLast: page.isLast)
    return DialogueStep(row: .ackRecorded, next: .store(.acknowledge(page.token)))
  }

  mutating func handleRecorded(
    _ row: DialogueRow, _ id: UUIDText, yourTurn: Bool, isLast: Bool, _ stamp: MessageStamp
  ) -> DialogueStep {
    if isLast { (peerHasRead, series) = (true, nil) }
    if settings.version == .one { return finishAnswering(row, stamp) }
    if !isLast, let series { return goOn(row, series, yourTurn: yourTurn) }
    return yourTurn ? handleTurn(replyTo: id, stamp) : listen(row)
  }
}
