import JSONLines
package import SyncCore

/// The first frame on a link of protocol version 2, from the listening side.
///
/// `{}` accepts the client, and an `error` message gives the reason for a refusal.
///
/// In TLS 1.3, a client finishes the handshake before the server has checked the client's certificate. So the
/// client needs a message from the server before it reports "connected". The link removes that frame from the
/// stream, so programs on either end do not receive it.
package enum LinkGreeting: Equatable, Sendable {
  case welcome
  case refused(PeerError)

  /// The longest accepted greeting, in bytes of payload.
  package static let limit = 8 << 10

  /// The frame of a welcome.
  package static let welcomeFrame: [UInt8] = [0, 0, 0, 2] + Array("{}".utf8)

  /// The frame that refuses a client with this `error` message.
  package static func frame(of message: Message) -> [UInt8] {
    var payload: [UInt8] = []
    message.append(to: &payload)
    let count = UInt32(payload.count)
    return (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) } + payload
  }

  /// The length of the frame that begins with `bytes`, or 4 until its header is complete.
  ///
  /// Nil if the frame is too long for a greeting.
  package static func byteCount(_ bytes: [UInt8], limit: Int = LinkGreeting.limit) -> Int? {
    guard bytes.count >= 4 else { return 4 }
    let count = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    return count <= limit ? 4 + count : nil
  }

  /// Reads a complete frame; nil if it is not a greeting.
  package init?(frame: [UInt8]) {
    let payload = Array(frame.dropFirst(4))
    if payload == Array("{}".utf8) {
      self = .welcome
      return
    }
    guard let message = try? JSONValue(parsing: payload.span), message["type"]?.stringValue == "error",
      let code = message["errorCode"]?.stringValue
    else { return nil }
    self = .refused(PeerError(code: code, message: message["errorMessage"]?.stringValue ?? ""))
  }
}

/// The first message to a listener over protocol version 1, the only one that names the caller.
package enum FirstMessage {
  /// The longest accepted first message, in bytes of payload: a request with a token of maximal length.
  package static let limit = 128 << 10

  /// The error for a stream that begins with a TLS handshake record (RFC 8446 §5.1); nil for any other.
  ///
  /// As the length of a frame, these bytes exceed the limit for messages.
  package static func foreignness(of bytes: Span<UInt8>) -> String? {
    guard bytes.count >= 2, bytes[0] == 0x16, bytes[1] == 0x03 else { return nil }
    return "the other side uses TLS, which is protocol version 2; this is version 1"
  }

  /// Reads a complete frame.
  package static func read(frame: [UInt8]) throws(MessageError) -> Message {
    let payload = Array(frame.dropFirst(4))
    return try Message(parsing: payload.span, over: .one)
  }
}

/// The facts about the link that `peerlink` passes to its command in the environment.
package enum LinkVariable: String, CaseIterable, Sendable {
  /// The id of the trusted peer at the other end.
  case peerId = "PEERLINK_PEER_ID"
  /// Version 2: the SPKI digest of the other side as seen in TLS, 64 lower-case hex digits.
  case fingerprint = "PEERLINK_FINGERPRINT"
  /// Version 2: the TLS exporter, 64 lower-case hex digits.
  case exporter = "PEERLINK_EXPORTER"
  /// The other side's address and port.
  case remote = "PEERLINK_REMOTE"
  /// The protocol version: 1 or 2.
  case version = "PEERLINK_PROTOCOL"
  /// The id and the name of this device.
  case selfId = "PEERLINK_SELF_ID"
  case selfName = "PEERLINK_SELF_NAME"

  /// Names with this prefix are set only by the link; inherited ones are removed.
  package static let prefix = "PEERLINK_"
}
