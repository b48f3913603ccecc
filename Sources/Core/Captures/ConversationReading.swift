import SyncCore

/// One way to read the messages so far: from which side each came, and what that makes of pairing and sync.
struct ConversationReading: Equatable, Sendable {
  /// A message and where it stands among the others.
  struct Said: Sendable {
    var message: Message
    var place: Place
  }

  struct Place: Sendable {
    var id: UUIDText
    var side: ConversationPeers.Side
    /// What the sender calls itself.
    var peer: String
    /// The message that it answers, if that was sent.
    var reply: UUIDText?
    /// It answers some message.
    var isReply: Bool
    /// An earlier message was in reply to this one.
    var isAnswered: Bool
    /// In version 1 either side asks when it likes.
    var hasTurns: Bool
    /// An earlier message had the token of this ack.
    var isTokenKnown = false
    /// The pairing session that the message is read as one of; nil for the one that it names.
    var session: UUIDText?
  }

  private var pairing = PairingCheck()
  private var syncing = SyncCheck()

  /// What is out of order if the next message is read as it is; what follows from that is excused.
  mutating func take(_ said: Said) -> [ConversationFinding] {
    let place = said.place
    switch said.message.body {
    case .pairHello(let hello): return pairing.take(hello, place)
    case .pairConfirm(let reply): return pairing.take(confirm: reply, place)
    case .pairDone(let reply): return pairing.take(done: reply, place)
    case .syncRequest(let request): return syncing.take(request, place)
    case .syncResponse(let response): return syncing.take(response, place)
    case .ack(let ack): return pairing.take(ack: place) ?? syncing.take(ack, place)
    case .error:
      syncing.takeError(place.reply)
      return []
    }
  }

  /// A message that could not be read may have been any that is waited for.
  mutating func excuse() { syncing.excuse() }

  /// The reading after the next message; nil where that is out of order.
  func after(_ said: Said) -> ConversationReading? {
    var next = self
    return next.take(said).isEmpty ? next : nil
  }

  /// What the next message may have been if it is a fault: one of the other side, one of the session that is being
  /// paired, or one that was not to be sent.
  func corrections(of said: Said) -> [ConversationReading] {
    var (otherSide, otherSession) = (said, said)
    otherSide.place.side = said.place.side.other
    otherSession.place.session = pairing.latest
    return [otherSide, otherSession].compactMap(after) + [self]
  }
}

extension Array {
  /// Appends what may be waited for; what has waited for longest is forgotten once there is much of it.
  ///
  /// Readings are compared and copied, so what they hold is bounded.
  mutating func appendWaiting(_ element: Element) {
    append(element)
    if count > 8 { removeFirst() }
  }
}
