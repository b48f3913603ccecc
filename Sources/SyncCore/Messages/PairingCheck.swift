/// The order of the messages of a pairing.
struct PairingCheck: Sendable {
  private enum Step { case greeted, confirmed, done }

  private var sessions: [UUIDText: Step] = [:]
  /// The `pairDone` messages, which version 2 acknowledges.
  private var done: Set<UUIDText> = []

  mutating func take(_ message: Message) -> [ConversationFinding] {
    switch message.body {
    case .pairHello(let hello):
      sessions[hello.sessionId] = .greeted
      return []
    case .pairConfirm(let reply):
      return take(reply, .confirmed, after: [.greeted], "pairConfirm without a pairHello of its session")
    case .pairDone(let reply):
      done.insert(message.id)
      // The scanner may repeat it while it has no ack.
      return take(reply, .done, after: [.confirmed, .done], "pairDone without a pairConfirm of its session")
    default: return []
    }
  }

  /// Whether an ack is that of a `pairDone`.
  func isAnswered(by message: Message) -> Bool {
    guard let reply = message.inReplyTo else { return false }
    return done.contains(reply)
  }

  private mutating func take(
    _ reply: PairReply, _ step: Step, after earlier: [Step], _ fault: String
  ) -> [ConversationFinding] {
    defer { sessions[reply.sessionId] = step }
    guard let last = sessions[reply.sessionId], earlier.contains(last) else {
      return [.init(.unexpectedMessage, fault)]
    }
    return []
  }
}
