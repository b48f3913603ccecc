internal import CZlibOnDemand
import JSONLines

/// The payload of a frame in fewer bytes.
///
/// It has the length of the message, four bytes, the most significant first, and the message as a zlib stream
/// (RFC 1950).
///
/// It cannot be mistaken for a message, which begins with a brace: no message has a length that begins with
/// this byte.
enum DeflatedPayload {
  /// Nil if zlib is not installed.
  private static let library: peersync_zlib? = {
    var library = peersync_zlib()
    return unsafe peersync_zlib_load(&library) != 0 ? library : nil
  }()

  static var isAvailable: Bool { library != nil }

  /// Shorter messages are sent unchanged.
  private static let shortest = 1 << 10

  private static let headerLength = 4

  /// Nil for a message that is short, or does not become shorter.
  static func pack(_ message: [UInt8]) -> [UInt8]? {
    guard var library, message.count >= shortest, message.count < 1 << 24 else { return nil }
    var payload = [UInt8](repeating: 0, count: message.count)
    for index in 0..<headerLength {
      payload[index] = UInt8(truncatingIfNeeded: message.count >> (24 - 8 * index))
    }
    let room = payload.count - headerLength
    // Both arrays live as long as the call, which gets their lengths.
    let count = unsafe payload.withUnsafeMutableBufferPointer { payload in
      unsafe message.withUnsafeBufferPointer { message in
        guard let input = message.baseAddress, let output = payload.baseAddress else { return 0 }
        return unsafe peersync_zlib_deflate(&library, input, message.count, output + headerLength, room)
      }
    }
    guard count > 0 else { return nil }
    payload.removeSubrange((headerLength + count)...)
    return payload
  }

  static func isPacked(_ payload: Span<UInt8>) -> Bool { payload.count > headerLength && payload[0] <= 1 }

  /// The message; nil if the payload does not contain one, or one of more than `limit` bytes.
  static func unpack(_ payload: Span<UInt8>, limit: Int) -> [UInt8]? {
    let length = (0..<headerLength).reduce(0) { $0 << 8 | Int(payload[$1]) }
    guard var library, length <= limit else { return nil }
    var message = [UInt8](repeating: 0, count: length)
    let stream = payload.extracting(headerLength...)
    let isWhole = unsafe message.withUnsafeMutableBufferPointer { message in
      unsafe stream.withUnsafeBufferPointer { stream in
        guard let input = stream.baseAddress, let output = message.baseAddress else { return false }
        return unsafe peersync_zlib_inflate(&library, input, stream.count, output, length) != 0
      }
    }
    return isWhole ? message : nil
  }
}
