import JSONLines
package import SyncCore

/// One side of a pairing over one connection: accepts inputs and returns the next steps.
///
/// It classifies each input (``PairingEvent``), and ``PairingTable`` defines the reaction.
package struct PairingMachine: Sendable {
  package let context: PairingContext
  package private(set) var state: PairingState
  /// The event that led to the final state.
  package private(set) var last: PairingEvent?
  /// A detail for people; lower-case, no final period.
  package internal(set) var detail: String?
  /// The code of the other side's error, if the code is known.
  package private(set) var refusal: PeerErrorCode?
  /// The other side; nil before its right proof.
  package internal(set) var peer: PeerIntroduction?
  /// The id of our last message, which the next message must answer; version 2.
  var question: UUIDText?

  package init(_ context: PairingContext) {
    self.context = context
    state = context.role == .provider ? .waiting : .ready
  }

  package mutating func handle(_ input: PairingInput, _ facts: PairingFacts) -> [PairingEffect] {
    var answered: UUIDText?
    let event = judge(input, facts, &answered)
    guard let row = PairingTable.row(context.role, context.version, state, event) else { return [] }
    state = row.next
    if state.isFinal { last = row.event == event ? event : .outOfOrder }
    var session = facts.session
    return row.actions.map { effect(of: $0, answering: answered, &session, facts) }
  }

  private mutating func judge(
    _ input: PairingInput, _ facts: PairingFacts, _ answered: inout UUIDText?
  ) -> PairingEvent {
    switch input {
    case .connected: return judgeConnection(facts)
    case .message(let message):
      answered = message.id
      return judge(message, facts)
    case .unreadable(.incompatibleProtocolVersion(let version)):
      detail = "protocol version \(version.shown)"
      return .wrongVersion
    case .unreadable(.secretInClear): return context.version == .two ? .secretInClear : .wrongVersion
    case .unreadable(let error):
      detail = error.message
      return Self.isAboutSender(error) ? .stranger : .unreadable
    case .tooLarge: return .tooLarge
    case .end: return .end
    case .timeOut: return .timeOut
    }
  }

  /// Whether the message cannot be read because the sender's introduction is malformed.
  private static func isAboutSender(_ error: MessageError) -> Bool {
    guard case .invalidValue(let name, _) = error else { return false }
    return [MessageName.peerId, .deviceName, .publicKeyFingerprint].contains { $0.name == name }
  }

  private mutating func judge(_ message: Message, _ facts: PairingFacts) -> PairingEvent {
    guard message.version == context.version else {
      detail = "protocol version \(message.version.rawValue)"
      return .wrongVersion
    }
    switch message.body {
    case .pairHello(let hello): return context.role == .provider ? judge(hello, facts) : .outOfOrder
    case .pairConfirm(let reply):
      return context.role == .scanner ? judgeConfirm(reply, message.inReplyTo, facts) : .outOfOrder
    case .pairDone(let reply):
      return context.role == .provider ? judgeDone(reply, message.inReplyTo, facts) : .outOfOrder
    case .ack(let ack): return judge(ack, message.inReplyTo)
    case .error(let error): return judge(error)
    case .syncRequest, .syncResponse:
      detail = "a peer that is not paired tries to sync"
      return .stranger
    }
  }

  private mutating func judge(_ error: PeerError) -> PairingEvent {
    refusal = error.known
    detail = error.code.shown + (error.message.isEmpty ? "" : ": \(error.message.shown)")
    return [.busy, .rateLimited].contains(error.known) ? .peerIsBusy : .peerRefuses
  }

  /// Whether the peer's introduction contradicts the connection or known facts.
  mutating func isStranger(_ peer: PeerIntroduction, _ facts: PairingFacts) -> Bool {
    if let seen = context.peerFingerprint, peer.publicKeyFingerprint != seen {
      detail = "the other side names another key than that of its connection"
      return true
    }
    guard let conflict = facts.trust.conflict(with: peer, over: context.version, own: context.own) else {
      return false
    }
    detail = conflict.message
    return true
  }

  // MARK: Effects

  private mutating func effect(
    of action: PairingAction, answering answered: UUIDText?, _ session: inout PairingSession,
    _ facts: PairingFacts
  ) -> PairingEffect {
    switch action {
    case .countWrongProof: session.wrongProofs += 1
    case .bindSession: session.bound = peer.map(PairingSession.PeerKey.init)
    case .endSession: session.isDone = true
    case .storeTrust: return .trust(record(facts.now))
    case .sendHello, .sendConfirm, .sendDone, .sendAck, .sendError:
      let message = Message(
        id: context.newId(), version: context.version, sentAt: facts.now, inReplyTo: answered,
        body: body(of: action))
      question = message.id
      return .send(message)
    }
    return .keep(session)
  }

  private func record(_ now: Instant) -> TrustRecord {
    guard let peer else { preconditionFailure("trust without a peer") }
    return TrustRecord(peer, version: context.version, pairedAt: now)
  }

  private func body(of action: PairingAction) -> Message.Body {
    let session = context.payload.sessionId
    switch action {
    case .sendHello:
      let evidence =
        context.proofs.map { .proof($0.hello) } ?? PairHello.Evidence.secret(context.payload.secret.text)
      return .pairHello(PairHello(sessionId: session, evidence: evidence, peer: context.own))
    case .sendConfirm:
      return .pairConfirm(PairReply(sessionId: session, proof: context.proofs?.confirm, peer: context.own))
    case .sendAck: return .ack(SyncAck(peerId: context.own.peerId))
    case .sendError(let code): return .error(PeerError(inPairing: code))
    default: return .pairDone(PairReply(sessionId: session, peer: context.own))
    }
  }
}

extension PeerError {
  /// The code sent to the other side of a pairing, without details that could help an attacker.
  package init(inPairing code: PeerErrorCode) { self.init(code, code.meaning) }
}

extension PeerErrorCode {
  fileprivate var meaning: String {
    switch self {
    case .invalidPairingSecret: "the pairing secret or proof is wrong"
    case .invalidPairingSession: "unknown pairing session"
    case .expiredPairingPayload: "the pairing code has expired"
    case .incompatibleProtocolVersion: "this pairing is of another protocol version"
    case .untrustedPeer: "this peer is not trusted"
    case .frameTooLarge: "the message is too large for a pairing"
    default: ""
    }
  }
}
