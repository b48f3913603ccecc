extension Dialogue {
  /// Checks the sender and the version of a message before its content.
  mutating func handle(_ message: Message, _ stamp: MessageStamp) -> DialogueStep {
    guard message.version == settings.version else {
      let reason = "this side uses version \(settings.version.rawValue)"
      return refuse(.otherVersion, .incompatibleProtocolVersion, reason, replyTo: message.id, stamp)
    }
    if let peer = message.peerId, !PeerID.areSame(peer, settings.peerId) {
      return refuse(.untrusted, .untrustedPeer, "another peer is trusted here", replyTo: message.id, stamp)
    }
    if settings.version == .one, let step = handleBesides(message, stamp) { return step }
    switch (state, message.body) {
    case (.awaitsResponse(let question), .error(let error)): return handle(error, message.id, question, stamp)
    case (_, .error(let error)): return DialogueStep(row: .peerError, next: .end(.peerError(error)))
    case (.awaitsResponse(let question), .syncResponse(let response)):
      return handle(response, message, question)
    case (.awaitsRequest, .syncRequest(let request)): return handle(request, message.id, stamp)
    case (.awaitsRequest, .ack(let ack)) where ack.yourTurn && ack.token.isEmpty:
      return handleTurn(replyTo: message.id, stamp)
    case (.awaitsChange(let id, let request, let end), .ack(let ack)) where ack.yourTurn && ack.token.isEmpty:
      return giveNothing(.waitYielded, id, request, end, mayBeCrossed: false, stamp)
    case (.awaitsAck(let page), .ack(let ack)): return handle(ack, message, page, stamp)
    default: return broken("\(message.kind.rawValue) out of place")
    }
  }

  /// Handles the store's answer to the requested operation.
  mutating func handle(_ answer: StoreAnswer, _ stamp: MessageStamp) -> DialogueStep {
    switch (state, answer) {
    case (.readsAhead(let first), .busy): giveAhead(.busy, first, stamp)
    case (.readsAhead(let first), .page(let page)): giveAhead(page, first, stamp)
    case (_, .busy): busy(replyTo: nil, stamp)
    case (.readsCheckpoint, .checkpoint(let token, let acked)): sendRequest(checkpoint: token, acked, stamp)
    case (.applies(let page), .applied(let outcome)): handleApplied(outcome, page, stamp)
    case (.disowns(let id), .disowned): handleDisowned(replyTo: id, stamp)
    case (.readsPage(let id, let request, let mayWait), .page(let page)):
      handle(page, id, request, mayWait: mayWait, stamp)
    case (.recordsAck(let id, let yourTurn, let isLast), .acknowledged):
      handleRecorded(.acknowledged, id, yourTurn: yourTurn, isLast: isLast, stamp)
    default: preconditionFailure("the store answers a question that was not asked")
    }
  }

  // MARK: Sending

  func message(_ body: Message.Body, replyTo: UUIDText?, _ stamp: MessageStamp) -> Message {
    Message(id: stamp.id, version: settings.version, sentAt: stamp.sentAt, inReplyTo: replyTo, body: body)
  }

  func send(
    _ row: DialogueRow, _ body: Message.Body, replyTo: UUIDText?, _ stamp: MessageStamp,
    then next: DialogueStep.Next
  ) -> DialogueStep {
    DialogueStep(row: row, message: message(body, replyTo: replyTo, stamp), next: next)
  }

  /// Sends an error and ends the dialogue.
  func refuse(
    _ row: DialogueRow, _ code: PeerErrorCode, _ reason: String, replyTo: UUIDText?, _ stamp: MessageStamp,
    end: DialogueEnd? = nil
  ) -> DialogueStep {
    send(
      row, .error(PeerError(code, reason)), replyTo: replyTo, stamp, then: .end(end ?? .refused(code)))
  }

  /// Ends the dialogue without an error message, because the protocol does not have a code for this fault.
  func broken(_ reason: String) -> DialogueStep {
    DialogueStep(row: .unexpected, next: .end(.protocolBroken(reason)))
  }

  func busy(replyTo: UUIDText?, _ stamp: MessageStamp) -> DialogueStep {
    refuse(.busy, .busy, "the store is in use", replyTo: replyTo, stamp, end: .busy)
  }

  /// Waits for requests of the other side.
  mutating func listen(_ row: DialogueRow) -> DialogueStep {
    state = .awaitsRequest
    return DialogueStep(row: row, next: .receive)
  }

  /// How often the other side may pass the turn: once, and again after each error about a lost token.
  private static let mostTurns = 3

  /// Passes the turn to the other side.
  mutating func handOver(
    _ row: DialogueRow, _ ack: SyncAck, replyTo: UUIDText?, _ stamp: MessageStamp
  ) -> DialogueStep {
    peerHasRead = false
    (owed, beginnings) = (nil, 0)
    state = .awaitsRequest
    return send(row, .ack(ack), replyTo: replyTo, stamp, then: .receive)
  }

  /// Handles a turn that the other side passes to this side.
  mutating func handleTurn(replyTo: UUIDText, _ stamp: MessageStamp) -> DialogueStep {
    turns += 1
    if !settings.isConnector, turns > Self.mostTurns { return broken("the turn was passed too often") }
    if recovery == .handedOver {
      // The answer to a foreign token is complete only when the other side has all changes of this side.
      guard peerHasRead else {
        return refuse(
          .turnAlone, .tokenForeign, "the turn was passed before changes were read", replyTo: replyTo, stamp,
          end: .cannotHandOver)
      }
      recovery = .used
      pull = .resync(next: nil)
      return ask(.turnTaken)
    }
    guard settings.isConnector else { return ask(.turnTaken) }
    if !peerHasRead {
      // The other side knows that its token is foreign, and lets this side read first.
      guard settings.mayPull else { return DialogueStep(row: .turnRefused, next: .end(.cannotHandOver)) }
      if wasLetFirst { return broken("the other side returned the turn unused too often") }
      wasLetFirst = true
      return ask(.turnTaken)
    }
    if settings.follows { return ask(.turnTaken) }
    return DialogueStep(row: .turnBack, next: .end(.done(setAside: setAside)))
  }
}
