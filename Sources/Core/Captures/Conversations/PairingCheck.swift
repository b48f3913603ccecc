import SyncCore

/// Checks the order of the messages of a pairing, and the side that sends each of them.
struct PairingCheck: Equatable, Sendable {
  private enum Step { case greeted, confirmed, done }

  private struct Session: Equatable {
    var id: UUIDText
    var step = Step.greeted
    /// Whether a message was reported as early; the message before it may still arrive.
    var isAhead = false
    /// The side that read the symbol, and its key; nil if its `pairHello` is missing.
    var scanner: Side?
    var key: String?
  }

  /// A `pairDone`, which version 2 acknowledges, and the side that sent it.
  private struct Done: Equatable {
    var id: UUIDText
    var sender: Side
  }

  /// The session of the latest message comes last.
  private var sessions: [Session] = []
  private var done: [Done] = []

  typealias Place = ConversationReading.Place
  typealias Side = ConversationPeers.Side

  /// The session of the latest message.
  var latest: UUIDText? { sessions.last?.id }

  private func session(_ id: UUIDText) -> Session? { sessions.first { $0.id == id } }

  private mutating func keep(_ session: Session) {
    sessions.removeAll { $0.id == session.id }
    sessions.appendWaiting(session)
  }

  mutating func check(_ hello: PairHello, _ place: Place) -> [ConversationFinding] {
    let id = place.session ?? hello.sessionId
    var session = session(id) ?? Session(id: id)
    let scanner = session.scanner
    // A pairConfirm that arrived too early still counts.
    if !session.isAhead || session.step != .confirmed { session = Session(id: id) }
    session.scanner = place.side
    session.key = hello.peer.publicKeyFingerprint
    keep(session)
    guard let scanner, scanner != place.side else { return [] }
    return [.init(.unexpectedMessage, "a pairHello of the side that shows the symbol")]
  }

  mutating func check(confirm: PairReply, _ place: Place) -> [ConversationFinding] {
    let id = place.session ?? confirm.sessionId
    var session = session(id) ?? Session(id: id, step: .done)
    let isLate = session.isAhead && session.scanner != nil
    let isEarly = session.step != .greeted && !isLate
    if !isLate { session.step = .confirmed }
    session.isAhead = isEarly
    keep(session)
    if isEarly { return [.init(.unexpectedMessage, "pairConfirm without a pairHello of its session")] }
    guard session.scanner != place.side else {
      return [.init(.unexpectedMessage, "a pairConfirm of the side that sent the pairHello")]
    }
    return []
  }

  mutating func check(done reply: PairReply, _ place: Place) -> [ConversationFinding] {
    let id = place.session ?? reply.sessionId
    let session = session(id) ?? Session(id: id)
    let scanner = session.scanner ?? place.side
    done.appendWaiting(Done(id: place.id, sender: place.side))
    var next = session
    (next.step, next.scanner) = (.done, scanner)
    if session.step == .greeted { next.isAhead = true }
    keep(next)
    return fault(of: reply, place, in: session).map { [.init(.unexpectedMessage, $0)] } ?? []
  }

  private func fault(of done: PairReply, _ place: Place, in session: Session) -> String? {
    if session.step == .greeted { return "pairDone without a pairConfirm of its session" }
    if session.step == .done { return "a second pairDone of its session" }
    if let scanner = session.scanner, scanner != place.side {
      return "a pairDone of the side that sent the pairConfirm"
    }
    if let key = session.key, key != done.peer.publicKeyFingerprint {
      return "a pairDone with another key than the pairHello of its session"
    }
    return nil
  }

  /// The findings about an ack; nil if it does not acknowledge a `pairDone`.
  func check(ack place: Place) -> [ConversationFinding]? {
    guard let done = done.last(where: { $0.id == place.reply }) else { return nil }
    guard done.sender == place.side else { return [] }
    return [.init(.unexpectedMessage, "an ack of a pairDone by the side that sent it")]
  }
}
