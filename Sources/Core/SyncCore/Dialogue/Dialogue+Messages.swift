extension Dialogue {
  /// Who sent it and in which version comes before what it says.
  mutating func take(_ message: Message, _ stamp: MessageStamp) -> DialogueStep {
    guard message.version == settings.version else {
      let reason = "version \(settings.version.rawValue) is spoken here"
      return refuse(.otherVersion, .incompatibleProtocolVersion, reason, replyTo: message.id, stamp)
    }
    if let peer = message.peerId, !PeerID.areSame(peer, settings.peerId) {
      return refuse(.untrusted, .untrustedPeer, "another peer is trusted here", replyTo: message.id, stamp)
    }
    if settings.version == .one, let step = takeBesides(message, stamp) { return step }
    switch (state, message.body) {
    case (.awaitsResponse(let question), .error(let error)): return take(error, message.id, question, stamp)
    case (_, .error(let error)): return DialogueStep(row: .peerError, next: .end(.peerError(error)))
    case (.awaitsResponse(let question), .syncResponse(let response)):
      return take(response, message, question)
    case (.awaitsRequest, .syncRequest(let request)): return take(request, message.id, stamp)
    case (.awaitsRequest, .ack(let ack)) where ack.yourTurn && ack.token.isEmpty:
      return takeTurn(replyTo: message.id, stamp)
    case (.awaitsChange(let id, _, let end), .ack(let ack)) where ack.yourTurn && ack.token.isEmpty:
      return giveNothing(.waitYielded, id, end, mayBeCrossed: false, stamp)
    case (.awaitsAck(let page), .ack(let ack)): return take(ack, message, page, stamp)
    default: return broken("\(message.kind.rawValue) out of place")
    }
  }

  /// The store's answer; the driver gives the one that was asked for.
  mutating func take(_ answer: StoreAnswer, _ stamp: MessageStamp) -> DialogueStep {
    switch (state, answer) {
    case (_, .busy): busy(replyTo: nil, stamp)
    case (.readsCheckpoint, .checkpoint(let token, let acked)): sendRequest(checkpoint: token, acked, stamp)
    case (.applies(let page), .applied(let outcome)): takeApplied(outcome, page, stamp)
    case (.disowns(let id), .disowned): takeDisowned(replyTo: id, stamp)
    case (.readsPage(let id, let request, let mayWait), .page(let page)):
      take(page, id, request, mayWait: mayWait, stamp)
    case (.recordsAck(let id, let yourTurn, let isLast), .acknowledged):
      takeRecorded(.acknowledged, id, yourTurn: yourTurn, isLast: isLast, stamp)
    default: preconditionFailure("the store answers what it was not asked")
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

  /// Sends an error and ends.
  func refuse(
    _ row: DialogueRow, _ code: PeerErrorCode, _ reason: String, replyTo: UUIDText?, _ stamp: MessageStamp,
    end: DialogueEnd? = nil
  ) -> DialogueStep {
    send(
      row, .error(PeerError(code, reason)), replyTo: replyTo, stamp, then: .end(end ?? .refused(code)))
  }

  /// The protocol has no code for this: the connection just ends.
  func broken(_ reason: String) -> DialogueStep {
    DialogueStep(row: .unexpected, next: .end(.protocolBroken(reason)))
  }

  func busy(replyTo: UUIDText?, _ stamp: MessageStamp) -> DialogueStep {
    refuse(.busy, .busy, "the store is in use", replyTo: replyTo, stamp, end: .busy)
  }
}
