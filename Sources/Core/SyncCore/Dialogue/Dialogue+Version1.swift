import JSONLines

/// Version 1 does not have turns: either side may ask at any time, and an answer does not name its request.
extension Dialogue {
  /// Handles a message that arrives while this side waits for another one; otherwise nil.
  mutating func handleBesides(_ message: Message, _ stamp: MessageStamp) -> DialogueStep? {
    switch (state, message.body) {
    case (.awaitsResponse, .syncRequest(let request)):
      guard settings.answers else { return DialogueStep(row: .ignored, next: last) }
      besides = state
      return handle(request, message.id, stamp)
    // The first apps repeat requests without sending an acknowledgement.
    case (.awaitsAck, .syncRequest(let request)): return handle(request, message.id, stamp)
    case (.awaitsAck, .syncResponse(let response)):
      guard case .awaitsResponse(let question) = besides else { return nil }
      besides = state
      return handle(response, message, question)
    case (.awaitsAck(let page), .ack(let ack)) where ack.token.isEmpty || ack.token == page.token: return nil
    // The first apps acknowledge each answer to a repeated request.
    case (_, .ack): return DialogueStep(row: .ignored, next: last)
    default: return nil
    }
  }

  /// Continues after this side has read everything.
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
    // A change in this store does not extend the wait, because only a request can deliver it.
    return goOn(.linger, .rest(seconds: settings.lingerSeconds))
  }

  /// Continues after the other side has acknowledged its page.
  mutating func finishAnswering(_ row: DialogueRow, _ stamp: MessageStamp) -> DialogueStep {
    if let other = besides {
      (state, besides) = (other, nil)
      return DialogueStep(row: row, next: .receive)
    }
    if settings.isConnector { return DialogueStep(row: .bothRead, next: .end(.done(setAside: setAside))) }
    return settings.asksBack ? ask(.askBack) : listen(row)
  }

  /// Whether neither side owes an answer.
  ///
  /// The first apps keep a connection open, and answer a request only if a person there allows it.
  var isQuiet: Bool {
    guard settings.version == .one else { return false }
    switch state {
    case .awaitsRequest: return peerHasRead || hasCaughtUp
    case .awaitsResponse: return !settings.isConnector
    default: return false
    }
  }

  /// Adds types that another session has stored since this one began.
  package mutating func learn(_ stored: WireTypes) { wire.types.addMissing(of: stored, since: WireTypes()) }
}

/// Converts change lines to the delta of version 1, and back.
package struct WireCodec: Sendable {
  private let shape: RecordShape
  /// The types that plain JSON cannot distinguish; reading a delta adds to them.
  fileprivate var types: WireTypes
  /// The data lost in packing.
  private(set) var losses = WireLosses()

  package init(_ shape: RecordShape, types: WireTypes) {
    self.shape = shape
    self.types = types
  }

  /// Converts a page to a delta and cuts data that the wire can carry only in part.
  ///
  /// A line that cannot be carried is left out and counted. Then the token is empty, so the peer requests it
  /// again.
  mutating func pack(_ page: StorePage) -> (delta: [UInt8], token: [UInt8], leftOut: Int) {
    var packer = WirePacker(shape, types: types, isLossy: true)
    var leftOut = 0
    var cursor = LineCursor()
    while let line = cursor.next(in: page.lines.span) {
      do throws(WireFailure) {
        try packer.add(page.lines.span.extracting(line.content), number: line.number)
      } catch {
        leftOut += 1
      }
    }
    let token = leftOut == 0 ? page.token : []
    packer.token = token
    losses.add(packer.losses)
    var delta: [UInt8] = []
    packer.appendDelta(to: &delta)
    return (delta, token, leftOut)
  }

  /// Converts a response to a page to apply.
  mutating func page(of response: SyncResponse, _ mode: ReceivedPage.Mode) -> ReceivedPage {
    switch response.content {
    case .lines(let lines):
      var page = ReceivedPage(lines: lines, token: response.token, mode: mode)
      page.unusable = response.unusable
      return page
    case .delta(let delta):
      var page = ReceivedPage(lines: [], token: response.token, mode: mode)
      page.unusable = response.unusable
      unpack(delta.span, into: &page)
      page.equality = .packed(types)
      return page
    }
  }

  /// An invalid entry does not prevent reading the others.
  private mutating func unpack(_ text: Span<UInt8>, into page: inout ReceivedPage) {
    var ignored = 0
    guard let delta = try? WireDelta(text, text.onlyValue, isLossy: true, ignored: &ignored) else { return }
    var reader = WireReader(isLossy: true)
    var entries = WireEntries(delta)
    while let entry = entries.next(in: text) {
      do throws(WireFailure) {
        let record = try reader.read(entry, of: text)
        types.learn(record, of: text)
        let start = page.lines.count
        record.appendLine(text, to: &page.lines)
        guard page.lines.count - start <= SyncResponse.longestLine + 1 else {
          page.lines.removeLast(page.lines.count - start)
          page.unusable.append(UnusableEntry(excerptOf: text.extracting(entry.raw), code: .lineTooLarge))
          continue
        }
      } catch {
        page.unusable.append(UnusableEntry(text: text.withoutLineBreaks(entry.raw), code: error.code))
      }
    }
  }
}
