import JSONLines
import SyncCore

extension PairingMachine {
  // MARK: Scanner

  /// The other side's key is checked before a message is sent.
  mutating func judgeConnection(_ facts: PairingFacts) -> PairingEvent {
    if context.payload.isExpired(at: facts.now) { return .expired }
    guard let seen = context.peerFingerprint else { return .connected }
    if seen == context.own.publicKeyFingerprint {
      detail = TrustConflict.ourselves.message
      return .stranger
    }
    return context.payload.allows(keyOf: seen) ? .connected : .wrongFingerprint
  }

  mutating func judgeConfirm(
    _ reply: PairReply, _ inReplyTo: UUIDText?, _ facts: PairingFacts
  ) -> PairingEvent {
    guard state == .greeted else { return .outOfOrder }
    if context.payload.isExpired(at: facts.now) { return .expired }
    guard reply.sessionId == context.payload.sessionId, isAnswer(inReplyTo) else { return .wrongSession }
    if let proofs = context.proofs {
      guard let proof = reply.proof, context.isSame(proof, proofs.confirm) else { return .wrongProof }
    }
    guard isExpected(reply.peer) else {
      detail =
        "'\(reply.peer.deviceName.shown)' has answered, but the pairing code names "
        + "'\(context.payload.expectedPeer?.shown ?? "")'"
      return .stranger
    }
    if isStranger(reply.peer, facts) { return .stranger }
    peer = reply.peer
    return .rightConfirm
  }

  /// Whether the payload may be from a provider that introduces itself like this.
  ///
  /// In version 1, only the name in the payload distinguishes providers: the device's name for people, or its
  /// id. In version 2, the key distinguishes them.
  private func isExpected(_ peer: PeerIntroduction) -> Bool {
    guard context.version == .one, let expected = context.payload.expectedPeer else { return true }
    return DeviceName.likeness(of: expected) == DeviceName.likeness(of: peer.deviceName)
      || expected.lowercased() == peer.peerId.lowercased()
  }

  /// Classifies the ack of a `pairDone`; an ack after the expiry is valid.
  ///
  /// The proof was checked before, and the provider already trusts this device.
  mutating func judge(_ ack: SyncAck, _ inReplyTo: UUIDText?) -> PairingEvent {
    guard state == .finishing, inReplyTo == question, let peer, PeerID.areSame(ack.peerId, peer.peerId) else {
      return .outOfOrder
    }
    return .rightAck
  }

  // MARK: Provider

  mutating func judge(_ hello: PairHello, _ facts: PairingFacts) -> PairingEvent {
    guard state == .waiting else { return .outOfOrder }
    guard hello.sessionId == context.payload.sessionId else { return .wrongSession }
    if context.payload.isExpired(at: facts.now) { return .expired }
    guard !facts.session.isEnded else { return .wrongSession }
    guard isRight(hello.evidence) else { return .wrongProof }
    guard facts.session.isOpen(to: hello.peer) else { return .wrongSession }
    if isStranger(hello.peer, facts) { return .stranger }
    peer = hello.peer
    return .rightHello
  }

  private func isRight(_ evidence: PairHello.Evidence) -> Bool {
    switch (evidence, context.proofs) {
    // The case of hex digits does not matter, as the payload may have either.
    case (.secret(let secret), nil):
      context.isSame(secret.uppercased(), context.payload.secret.text.uppercased())
    case (.proof(let proof), let proofs?): context.isSame(proof, proofs.hello)
    default: false
    }
  }

  mutating func judgeDone(_ reply: PairReply, _ inReplyTo: UUIDText?, _ facts: PairingFacts) -> PairingEvent {
    guard state == .confirmed, let peer, reply.sessionId == context.payload.sessionId, isAnswer(inReplyTo)
    else {
      return .wrongSession
    }
    if context.payload.isExpired(at: facts.now) { return .expired }
    // Another connection may have ended or bound the session in the meantime.
    guard !facts.session.isEnded, facts.session.isOpen(to: peer) else { return .wrongSession }
    guard PairingSession.PeerKey(reply.peer) == PairingSession.PeerKey(peer) else {
      detail = "the other side has changed its id or its key"
      return .stranger
    }
    if isStranger(reply.peer, facts) { return .stranger }
    self.peer = reply.peer
    return .rightDone
  }

  /// Whether a message answers our last one; messages of version 1 do not name the message that they answer.
  private func isAnswer(_ inReplyTo: UUIDText?) -> Bool { context.version == .one || inReplyTo == question }
}
