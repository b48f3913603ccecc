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
