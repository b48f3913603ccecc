import SyncCore

/// The order of the messages of a pairing, and the side that each has to come from.
struct PairingCheck: Sendable {
  private enum Step { case greeted, confirmed, done }

  private struct Session {
    var step = Step.greeted
    /// A message that came too early has been told of: the one before it may still come.
    var isAhead = false
    /// The side that has read the symbol; nil where its `pairHello` was not seen.
    var scanner: String?
  }

  private var sessions: [UUIDText: Session] = [:]
  /// The `pairDone` messages, which version 2 acknowledges, and who has sent them.
  private var done: [UUIDText: String] = [:]

  typealias Place = ConversationCheck.Place

  mutating func take(_ hello: PairHello, _ place: Place) -> [ConversationFinding] {
    let session = sessions[hello.sessionId]
    if let session, session.isAhead, session.scanner == nil {
      sessions[hello.sessionId]?.scanner = place.peer
      return []
    }
    sessions[hello.sessionId] = Session(scanner: place.peer)
    guard let scanner = session?.scanner, scanner != place.peer else { return [] }
    return [.init(.unexpectedMessage, "a pairHello of the side that shows the symbol")]
  }

  mutating func take(confirm: PairReply, _ place: Place) -> [ConversationFinding] {
    let session = sessions[confirm.sessionId] ?? Session(step: .done)
    let isLate = session.isAhead && session.scanner != nil
    let isEarly = session.step != .greeted && !isLate
    sessions[confirm.sessionId] = Session(
      step: isLate ? session.step : .confirmed, isAhead: isEarly, scanner: session.scanner)
    if isEarly { return [.init(.unexpectedMessage, "pairConfirm without a pairHello of its session")] }
    guard session.scanner != place.peer else {
      return [.init(.unexpectedMessage, "a pairConfirm of the side that has sent the pairHello")]
    }
    return []
  }

  /// The scanner may repeat its `pairDone` while it has no ack.
  mutating func take(done reply: PairReply, _ place: Place) -> [ConversationFinding] {
    let session = sessions[reply.sessionId]
    let scanner = session?.scanner ?? place.peer
    let isEarly = session.map { $0.step == .greeted } ?? true
    done[place.id] = scanner
    sessions[reply.sessionId] = Session(
      step: .done, isAhead: isEarly || session?.isAhead == true, scanner: scanner)
    if isEarly { return [.init(.unexpectedMessage, "pairDone without a pairConfirm of its session")] }
    guard scanner == place.peer else {
      return [.init(.unexpectedMessage, "a pairDone of the side that has sent the pairConfirm")]
    }
    return []
  }

  /// Nil for an ack of something else than a `pairDone`.
  func take(ack place: Place) -> [ConversationFinding]? {
    guard let reply = place.reply, let scanner = done[reply] else { return nil }
    guard scanner == place.peer else { return [] }
    return [.init(.unexpectedMessage, "an ack of a pairDone by the side that has sent it")]
  }
}
