import JSONLines
package import SyncCore

/// The first frame on a link of protocol version 2, from the side that listens: `{}` says welcome, an `error` message
/// says why not.
///
/// In TLS 1.3 a client is done before the server has looked at its certificate, so it needs a word from the server
/// before it may say "connected". The link takes that frame off the stream again: programs on either end never see it.
package enum LinkGreeting: Equatable, Sendable {
  case welcome
  case refused(PeerError)

  /// The longest greeting that is read, in bytes of payload.
  package static let limit = 8 << 10

  /// The frame of a welcome.
  package static let welcomeFrame: [UInt8] = [0, 0, 0, 2] + Array("{}".utf8)

  /// The frame of a refusal; `id` and `sentAt` are the message's own.
  package static func frame(of message: Message) -> [UInt8] {
    var payload: [UInt8] = []
    message.append(to: &payload)
    let count = UInt32(payload.count)
    return (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) } + payload
  }

  /// How many bytes the greeting has that begins with `bytes`, as far as they tell; nil where it can be none.
  package static func byteCount(_ bytes: [UInt8], limit: Int = LinkGreeting.limit) -> Int? {
    guard bytes.count >= 4 else { return 4 }
    let count = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    return count <= limit ? 4 + count : nil
  }

  /// Reads a whole frame; nil where it is no greeting.
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
