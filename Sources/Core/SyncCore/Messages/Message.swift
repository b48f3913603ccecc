/// One message of the peer protocol, of version 1 or 2.
///
/// docs/formats/message.md lists the members. Further members of a message are skipped.
package struct Message: Equatable, Sendable {
  package var id: UUIDText
  package var version: ProtocolVersion
  package var sentAt: Instant
  /// The message that this one answers; version 2 only.
  package var inReplyTo: UUIDText?
  package var body: Body

  package init(
    id: UUIDText, version: ProtocolVersion, sentAt: Instant, inReplyTo: UUIDText? = nil, body: Body
  ) {
    (self.id, self.version, self.sentAt) = (id, version, sentAt)
    self.inReplyTo = version == .one ? nil : inReplyTo
    self.body = body
  }

  /// The content of a message, by its type.
  package enum Body: Equatable, Sendable {
    case pairHello(PairHello)
    case pairConfirm(PairReply)
    case pairDone(PairReply)
    case syncRequest(SyncRequest)
    case syncResponse(SyncResponse)
    case ack(SyncAck)
    case error(PeerError)
  }

  /// The names of the types on the wire.
  package enum Kind: String, Sendable, CaseIterable {
    case pairHello, pairConfirm, pairDone, syncRequest, syncResponse, ack, error
  }

  package var kind: Kind {
    switch body {
    case .pairHello: .pairHello
    case .pairConfirm: .pairConfirm
    case .pairDone: .pairDone
    case .syncRequest: .syncRequest
    case .syncResponse: .syncResponse
    case .ack: .ack
    case .error: .error
    }
  }

  /// The claimed sender of the message; errors do not name a sender.
  package var peerId: String? {
    switch body {
    case .pairHello(let hello): hello.peer.peerId
    case .pairConfirm(let reply), .pairDone(let reply): reply.peer.peerId
    case .syncRequest(let request): request.peerId
    case .syncResponse(let response): response.peerId
    case .ack(let ack): ack.peerId
    case .error: nil
    }
  }

  /// The sender's name, if the message contains it.
  package var deviceName: String? {
    switch body {
    case .pairHello(let hello): hello.peer.deviceName
    case .pairConfirm(let reply), .pairDone(let reply): reply.peer.deviceName
    case .syncRequest(let request): request.deviceName
    case .syncResponse(let response): response.deviceName
    case .ack, .error: nil
    }
  }
}

/// A version of the peer protocol.
package enum ProtocolVersion: Int, Sendable, CaseIterable {
  /// The protocol of the first apps: a delta in one answer, without authentication.
  case one = 1
  /// Change lines in pages, and replies that name the answered message.
  case two = 2
}

/// The scanner's first message.
package struct PairHello: Equatable, Sendable {
  package var sessionId: UUIDText
  package var evidence: Evidence
  package var peer: PeerIntroduction

  /// The evidence that the scanner has read the QR payload.
  package enum Evidence: Equatable, Sendable {
    /// Version 1: the secret itself.
    case secret(String)
    /// Version 2: an HMAC-SHA256 in 64 lower-case hex digits.
    case proof(String)
  }

  package init(sessionId: UUIDText, evidence: Evidence, peer: PeerIntroduction) {
    (self.sessionId, self.evidence, self.peer) = (sessionId, evidence, peer)
  }
}

/// `pairConfirm` of the provider, or `pairDone` of the scanner.
package struct PairReply: Equatable, Sendable {
  package var sessionId: UUIDText
  /// The proof in a `pairConfirm` of version 2: an HMAC-SHA256 in 64 lower-case hex digits.
  package var proof: String?
  package var peer: PeerIntroduction

  package init(sessionId: UUIDText, proof: String? = nil, peer: PeerIntroduction) {
    (self.sessionId, self.proof, self.peer) = (sessionId, proof, peer)
  }
}

/// A side's introduction of itself in a pairing.
package struct PeerIntroduction: Equatable, Sendable {
  package var peerId: String
  package var deviceName: String
  /// 64 lower-case hex digits in version 2, any text in version 1.
  package var publicKeyFingerprint: String

  package init(peerId: String, deviceName: String, publicKeyFingerprint: String) {
    (self.peerId, self.deviceName, self.publicKeyFingerprint) = (peerId, deviceName, publicKeyFingerprint)
  }
}
