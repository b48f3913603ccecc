/// One message of the peer protocol, of version 1 or 2.
///
/// docs/formats/message.md lists the members. What a message has besides is passed over.
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
    self.id = id
    self.version = version
    self.sentAt = sentAt
    self.inReplyTo = version == .one ? nil : inReplyTo
    self.body = body
  }

  /// What a message says, by its type.
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

  /// Who says that it sent the message; an error does not say.
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

  /// What the sender calls itself, where the message says so.
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
