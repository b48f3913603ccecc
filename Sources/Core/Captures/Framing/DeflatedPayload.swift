import JSONLines

/// The payload of a frame in fewer bytes: the length of the message, four bytes, the most significant first, and the
/// message as a zlib stream (RFC 1950).
///
/// It cannot be mistaken for a message, which begins with a brace: no message has a length that begins with
/// this byte.
package enum DeflatedPayload {
  /// The bytes of the length.
  package static let headerLength = 4

  /// No message has more: the first byte of its length is 0 or 1.
  private static let longest = 1 << 25 - 1

  package enum Failure: Error, Equatable, Sendable {
    case tooLarge(length: Int, limit: Int)
    /// The stream ends before the message does.
    case cut
    case damaged
    /// `actual` is nil if there are more bytes than may be inflated.
    case wrongLength(announced: Int, actual: Int?)
    /// This many bytes follow the stream.
    case trailing(Int)

    /// Lower-case, no final period.
    package var message: String {
      switch self {
      case .tooLarge(let length, let limit):
        "a deflated message: \(length) bytes announced, above the limit of \(limit)"
      case .cut: "a deflated message: the stream ends early"
      case .damaged: "a deflated message: the stream is damaged"
      case .wrongLength(let announced, let actual?):
        "a deflated message: \(announced) bytes announced, the stream has \(actual)"
      case .wrongLength(let announced, nil):
        "a deflated message: \(announced) bytes announced, the stream has more than may be read"
      case .trailing(1): "a deflated message: 1 byte follows the stream"
      case .trailing(let count): "a deflated message: \(count) bytes follow the stream"
      }
    }
  }

  package static func isPacked(_ payload: Span<UInt8>) -> Bool { !payload.isEmpty && payload[0] <= 1 }

  /// The length that is announced; nil if there are too few bytes.
  package static func length(of payload: Span<UInt8>) -> Int? {
    guard payload.count >= headerLength else { return nil }
    return (0..<headerLength).reduce(0) { $0 << 8 | Int(payload[$1]) }
  }

  /// The message.
  ///
  /// Its length is held to `limit` before anything is inflated. A stream that has more than it announces is inflated up to the
  /// limit, for the words about it.
  package static func unpack(_ payload: Span<UInt8>, limit: Int) throws(Failure) -> [UInt8] {
    var effort = Int.max
    return try unpack(payload, limit: limit, effort: &effort)
  }

  /// The same; what is read and inflated is taken from `effort`.
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

  /// Whether these may be the first bytes of a payload, as far as its first six bytes say.
  static func mayBegin(_ payload: Span<UInt8>, limit: Int) -> Bool {
    guard let length = length(of: payload) else { return true }
    guard length <= limit, payload.count >= headerLength + 2 else { return length <= limit }
    return Inflater.mayBegin(payload[headerLength], payload[headerLength + 1])
  }
}
