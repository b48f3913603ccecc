/// The scanner's first message.
package struct PairHello: Equatable, Sendable {
  package var sessionId: UUIDText
  package var evidence: Evidence
  package var peer: PeerIntroduction

  /// What shows that the scanner has read the QR payload.
  package enum Evidence: Equatable, Sendable {
    /// Version 1: the secret itself.
    case secret(String)
    /// Version 2: an HMAC-SHA256 in 64 lower-case hex digits.
    case proof(String)
  }

  package init(sessionId: UUIDText, evidence: Evidence, peer: PeerIntroduction) {
    self.sessionId = sessionId
    self.evidence = evidence
    self.peer = peer
  }
}

/// How a side of a pairing names itself.
package struct PeerIntroduction: Equatable, Sendable {
  package var peerId: String
  package var deviceName: String
  /// 64 lower-case hex digits in version 2, any text in version 1.
  package var publicKeyFingerprint: String

  package init(peerId: String, deviceName: String, publicKeyFingerprint: String) {
    self.peerId = peerId
    self.deviceName = deviceName
    self.publicKeyFingerprint = publicKeyFingerprint
  }
}
