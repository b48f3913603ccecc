import JSONLines

/// A compressed payload of a frame: the length of the message as four big-endian bytes, and the message as a
/// zlib stream (RFC 1950).
///
/// Such a payload cannot be mistaken for a message: a message begins with a brace, and a length never begins
/// with the byte of a brace.
package enum DeflatedPayload {
  /// The number of bytes of the length.
  package static let headerLength = 4

  /// The largest length of a message: with this limit, the first byte of a length is 0 or 1.
  private static let longest = 1 << 25 - 1

  package enum Failure: Error, Equatable, Sendable {
    case tooLarge(length: Int, limit: Int)
    /// The stream ends before the end of the message.
    case cut
    case damaged
    /// The message does not have the announced length; `actual` is nil if it is longer than the limit.
    case wrongLength(announced: Int, actual: Int?)
    /// This many bytes follow the stream.
    case trailing(Int)

    /// The error in words: lower-case, no final period.
    package var message: String {
      switch self {
      case .tooLarge(let length, let limit):
        "a deflated message: \(length) bytes announced, above the limit of \(limit)"
      case .cut: "a deflated message: the stream ends early"
      case .damaged: "a deflated message: the stream is damaged"
      case .wrongLength(let announced, let actual?):
        "a deflated message: \(announced) bytes announced, the stream has \(actual)"
      case .wrongLength(let announced, nil):
        "a deflated message: \(announced) bytes announced, but the stream is longer than the limit"
      case .trailing(1): "a deflated message: 1 byte follows the stream"
      case .trailing(let count): "a deflated message: \(count) bytes follow the stream"
      }
    }
  }

  package static func isPacked(_ payload: Span<UInt8>) -> Bool { !payload.isEmpty && payload[0] <= 1 }

  /// The announced length; nil if the payload is too short.
  package static func length(of payload: Span<UInt8>) -> Int? {
    guard payload.count >= headerLength else { return nil }
    return (0..<headerLength).reduce(0) { $0 << 8 | Int(payload[$1]) }
  }

  /// Inflates the message.
  ///
  /// The announced length is compared with `limit` before inflating. A stream longer than announced is
  /// inflated up to the limit, to report its real length.
  package static func unpack(_ payload: Span<UInt8>, limit: Int) throws(Failure) -> [UInt8] {
    var effort = Int.max
    return try unpack(payload, limit: limit, effort: &effort)
  }

  /// Inflates the message, and subtracts the number of bytes read and inflated from `effort`.
  static func unpack(_ payload: Span<UInt8>, limit: Int, effort: inout Int) throws(Failure) -> [UInt8] {
    guard let length = length(of: payload) else { throw .cut }
    guard length <= limit else { throw .tooLarge(length: length, limit: limit) }
    let stream = payload.extracting(headerLength...)
    var inflater = Inflater(limit: min(limit, longest))
    defer { effort -= inflater.position + inflater.output.count }
    do throws(Inflater.Fault) {
      try inflater.inflate(stream)
    } catch {
      switch error {
      case .ended: throw .cut
      case .damaged: throw .damaged
      case .tooLong: throw .wrongLength(announced: length, actual: nil)
      }
    }
    guard inflater.output.count == length else {
      throw .wrongLength(announced: length, actual: inflater.output.count)
    }
    guard inflater.position == stream.count else { throw .trailing(stream.count - inflater.position) }
    return inflater.output
  }

  /// Whether a payload may begin with these bytes; checks at most the first six.
  static func mayBegin(_ payload: Span<UInt8>, limit: Int) -> Bool {
    guard let length = length(of: payload) else { return true }
    guard length <= limit, payload.count >= headerLength + 2 else { return length <= limit }
    return Inflater.mayBegin(payload[headerLength], payload[headerLength + 1])
  }
}
