/// `pairConfirm` of the provider, or `pairDone` of the scanner.
package struct PairReply: Equatable, Sendable {
  package var sessionId: UUIDText
  /// In a `pairConfirm` of version 2: an HMAC-SHA256 in 64 lower-case hex digits.
  package var proof: String?
  package var peer: PeerIntroduction

  package init(sessionId: UUIDText, proof: String? = nil, peer: PeerIntroduction) {
    self.sessionId = sessionId
    self.proof = proof
    self.peer = peer
  }
}
