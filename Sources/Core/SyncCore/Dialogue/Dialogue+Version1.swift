/// Version 1 has no turns: either side may ask at any time, and a message does not say what it answers.
extension Dialogue {
  /// A message that comes while this side waits for another one; nil where that is not so.
  mutating func takeBesides(_ message: Message, _ stamp: MessageStamp) -> DialogueStep? {
    switch (state, message.body) {
    case (.awaitsResponse, .syncRequest(let request)):
      guard settings.answers else { return DialogueStep(row: .ignored, next: last) }
      besides = state
      return take(request, message.id, stamp)
    // The first apps ask again without having acknowledged.
    case (.awaitsAck, .syncRequest(let request)): return take(request, message.id, stamp)
    case (.awaitsAck, .syncResponse(let response)):
      guard case .awaitsResponse(let question) = besides else { return nil }
      besides = state
      return take(response, message, question)
    default: return nil
    }
  }

  /// This side has read everything.
  mutating func finishReading(_ ack: SyncAck, _ page: Answer, _ stamp: MessageStamp) -> DialogueStep {
    func goOn(_ row: DialogueRow, _ next: DialogueStep.Next) -> DialogueStep {
      send(row, .ack(ack), replyTo: page.id, stamp, then: next)
    }
    if let other = besides {
      (state, besides) = (other, nil)
      return goOn(.readOn, .receive)
    }
    guard settings.isConnector else {
      state = .awaitsRequest
      return goOn(.readOn, .receive)
    }
    guard settings.answers, !peerHasRead else { return goOn(.allRead, .end(.done(setAside: setAside))) }
    state = .awaitsRequest
    return goOn(.linger, .awaitChange(seconds: settings.lingerSeconds))
  }

  /// The other side has acknowledged what it was given.
  mutating func finishAnswering(_ row: DialogueRow, _ stamp: MessageStamp) -> DialogueStep {
    if let other = besides {
      (state, besides) = (other, nil)
      return DialogueStep(row: row, next: .receive)
    }
    if settings.isConnector { return DialogueStep(row: .bothRead, next: .end(.done(setAside: setAside))) }
    return settings.asksBack ? ask(.askBack) : listen(row)
  }

  /// Nothing is owed to this side, nor by it: the first apps keep a connection open, and answer a request only where
  /// somebody there allows it.
  var isQuiet: Bool {
    guard settings.version == .one else { return false }
    switch state {
    case .awaitsRequest: return peerHasRead || hasCaughtUp
    case .awaitsResponse: return !settings.isConnector
    default: return false
    }
  }
}
