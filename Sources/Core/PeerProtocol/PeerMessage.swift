import JSONLines
public import SyncCore

/// A message of the peer protocol, as described in docs/formats/message.md.
public struct PeerMessage: Equatable, Sendable {
  /// The type of a message.
  public enum Kind: String, CaseIterable, Sendable {
    case pairHello, pairConfirm, pairDone, syncRequest, syncResponse, ack, error
  }

  private let message: Message

  /// Reads one JSON text, UTF-8; unknown members are skipped.
  ///
  /// - Throws: `otherProtocolVersion`, `notAMessage`.
  public init(_ text: [UInt8]) throws(SyncError) {
    do throws(MessageError) {
      message = try Message(parsing: text.span)
    } catch {
      var code = ErrorCode.notAMessage
      if case .incompatibleProtocolVersion = error { code = .otherProtocolVersion }
      throw SyncError(Diagnostic(code, error.message))
    }
  }

  /// The type.
  public var kind: Kind { Kind(message.kind) }
  /// A UUID that is unique to the message.
  public var id: String { message.id.description }
  /// The version of the protocol: 1 or 2.
  public var version: Int { message.version.rawValue }
  /// When the message was sent, by the clock of its sender.
  public var sentAt: Instant { message.sentAt }
  /// The id of the message that this one answers; nil in version 1.
  public var inReplyTo: String? { message.inReplyTo?.description }
  /// The id of the claimed sender; missing in an error.
  public var sender: String? { message.peerId }
  /// The message as one line without its line feed, with its members in the documented order.
  public var text: [UInt8] { message.line }
}

extension PeerMessage.Kind {
  fileprivate init(_ kind: Message.Kind) {
    self =
      switch kind {
      case .pairHello: .pairHello
      case .pairConfirm: .pairConfirm
      case .pairDone: .pairDone
      case .syncRequest: .syncRequest
      case .syncResponse: .syncResponse
      case .ack: .ack
      case .error: .error
      }
  }
}
