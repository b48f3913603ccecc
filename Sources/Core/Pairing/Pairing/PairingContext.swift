package import SyncCore

/// The facts that stay the same while two peers pair over one connection.
package struct PairingContext: Sendable {
  package var role: PairingRole
  package var version: ProtocolVersion
  package var payload: PairingPayload
  /// This device, with its fingerprint for this version.
  package var own: PeerIntroduction
  /// The SPKI digest of the other side as seen in TLS, in 64 lower-case hex digits; version 2.
  package var peerFingerprint: String?
  /// The proofs of this connection; version 2.
  package var proofs: Proofs?
  /// Whether two arrays are equal, in a time that depends only on their lengths.
  package var areEqual: @Sendable ([UInt8], [UInt8]) -> Bool
  package var newId: @Sendable () -> UUIDText

  /// The right proofs, in lower-case hex digits.
  package struct Proofs: Equatable, Sendable {
    package var hello, confirm: String

    package init(hello: [UInt8], confirm: [UInt8]) {
      self.hello = HexDigits.text(hello)
      self.confirm = HexDigits.text(confirm)
    }
  }

  package init(
    role: PairingRole, version: ProtocolVersion, payload: PairingPayload, own: PeerIntroduction,
    peerFingerprint: String? = nil, proofs: Proofs? = nil,
    areEqual: @escaping @Sendable ([UInt8], [UInt8]) -> Bool, newId: @escaping @Sendable () -> UUIDText
  ) {
    precondition(version == .one || peerFingerprint != nil && proofs != nil, "version 2 requires TLS")
    self.role = role
    self.version = version
    self.payload = payload
    self.own = own
    self.peerFingerprint = peerFingerprint
    self.proofs = proofs
    self.areEqual = areEqual
    self.newId = newId
  }

  /// Whether two texts are equal; one of them may be secret.
  func isSame(_ a: String, _ b: String) -> Bool { areEqual(Array(a.utf8), Array(b.utf8)) }
}

/// The facts that may change between messages; they are read again for each message.
package struct PairingFacts: Sendable {
  package var now: Instant
  package var session: PairingSession
  package var trust: TrustList

  package init(now: Instant, session: PairingSession, trust: TrustList) {
    self.now = now
    self.session = session
    self.trust = trust
  }
}

/// An input from outside.
package enum PairingInput: Sendable {
  case connected
  case message(Message)
  case unreadable(MessageError)
  case tooLarge
  case end
  case timeOut
}

/// An effect that the caller must carry out, in order.
package enum PairingEffect: Equatable, Sendable {
  case keep(PairingSession)
  case trust(TrustRecord)
  case send(Message)
}
