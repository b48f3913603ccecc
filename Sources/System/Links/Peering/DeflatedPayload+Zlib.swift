import CZlibOnDemand
import Captures
import JSONLines

extension DeflatedPayload {
  /// The zlib library; nil if it is not installed.
  private static let library: peersync_zlib? = {
    var library = peersync_zlib()
    return unsafe peersync_zlib_load(&library) != 0 ? library : nil
  }()

  static var isAvailable: Bool { library != nil }

  /// The length from which messages are deflated; shorter messages are sent unchanged.
  private static let shortest = 1 << 10

  /// The deflated message; nil if it is short, or does not become shorter.
  static func pack(_ message: [UInt8]) -> [UInt8]? {
    guard var library, message.count >= shortest, message.count < 1 << 24 else { return nil }
    var payload = [UInt8](repeating: 0, count: message.count)
    for index in 0..<headerLength {
      payload[index] = UInt8(truncatingIfNeeded: message.count >> (24 - 8 * index))
    }
    let room = payload.count - headerLength
    // This is safe because both arrays outlive the call, which receives their lengths.
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

  /// Inflates a message by zlib; if zlib rejects it, our own decoder reads it again to report the error.
  static func unpackFast(_ payload: Span<UInt8>, limit: Int) throws(Failure) -> [UInt8] {
    if let message = inflate(payload, limit: limit) { return message }
    return try unpack(payload, limit: limit)
  }

  private static func inflate(_ payload: Span<UInt8>, limit: Int) -> [UInt8]? {
    guard var library, let length = length(of: payload), length <= limit else { return nil }
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
