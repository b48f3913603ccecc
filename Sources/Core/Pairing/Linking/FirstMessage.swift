package import SyncCore

/// The first message to a side that listens over protocol version 1: all that says who is there.
package enum FirstMessage {
  /// The longest that is read, in bytes of payload: a request, whose only long member is a token, with the longest one.
  package static let limit = 128 << 10

  /// Reads a whole frame.
  package static func read(frame: [UInt8]) throws(MessageError) -> Message {
    let payload = Array(frame.dropFirst(4))
    return try Message(parsing: payload.span, over: .one)
  }
}
