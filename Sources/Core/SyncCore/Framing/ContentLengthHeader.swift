/// The header block of the Language Server Protocol: fields that end in CRLF, then an empty line.
package enum ContentLengthHeader {
  /// A block longer than this, including its empty line, is not a header.
  private static let longest = 1_024

  private static let tooLong = FrameError.invalidHeader("longer than \(longest) bytes")

  static func parse(_ bytes: Span<UInt8>, from start: Int) throws(FrameError) -> FrameHeader? {
    var position = start
    var length: UInt64?
    while true {
      guard let end = try lineEnd(bytes, from: position, blockStart: start) else { return nil }
      if end == position {
        guard end + 2 - start <= longest else { throw tooLong }
        guard let length else { throw .invalidHeader("no Content-Length field") }
        return FrameHeader(size: end + 2 - start, length: length)
      }
      if let value = try contentLength(bytes, position..<end) {
        if length != nil { throw .invalidHeader("two Content-Length fields") }
        length = value
      }
      position = end + 2
    }
  }

  /// Whether the bytes at `start` begin like `Content-Length` or `Content-Type`, the protocol's only fields.
  ///
  /// A search skips all other places.
  package static func mayStart(in bytes: Span<UInt8>, at start: Int) -> Bool {
    let name: StaticString = "content-"
    return zip(start..<min(start + 8, bytes.count), name.description.utf8).allSatisfy {
      bytes[$0] | 0x20 == $1
    }
  }

  /// The position of the CRLF; throws at the first byte that cannot be part of a header, without waiting for
  /// more.
  private static func lineEnd(
    _ bytes: Span<UInt8>, from start: Int, blockStart: Int
  ) throws(FrameError) -> Int? {
    var index = start
    while index < bytes.count {
      if index - blockStart >= longest { throw tooLong }
      let byte = bytes[index]
      if byte == 13 {
        guard index + 1 < bytes.count else { return nil }
        guard bytes[index + 1] == 10 else { throw .invalidHeader("CR without LF") }
        return index
      }
      guard byte >= 32 && byte < 127 || isBlank(byte) else {
        throw .invalidHeader("a byte that a header field cannot contain")
      }
      index += 1
    }
    return nil
  }

  /// The field's value if it is a Content-Length, nil for any other field.
  private static func contentLength(_ bytes: Span<UInt8>, _ line: Range<Int>) throws(FrameError) -> UInt64? {
    guard let colon = line.first(where: { bytes[$0] == UInt8(ascii: ":") }), colon > line.lowerBound else {
      throw .invalidHeader("a line that is not a field")
    }
    guard isContentLength(bytes, line.lowerBound..<colon) else { return nil }
    var start = colon + 1
    var end = line.upperBound
    while start < end, isBlank(bytes[start]) { start += 1 }
    while end > start, isBlank(bytes[end - 1]) { end -= 1 }
    guard start < end, end - start <= 19, (start..<end).allSatisfy({ bytes[$0] &- 48 < 10 }) else {
      throw .invalidHeader("Content-Length is not a number of at most 19 digits")
    }
    return FrameHeader.decimal(bytes, start..<end)
  }

  /// Whether a byte is white space in a field value (RFC 9110 §5.6.3).
  private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }

  /// Whether a field name is `Content-Length`, without regard to case (RFC 9110 §5.1).
  private static func isContentLength(_ bytes: Span<UInt8>, _ name: Range<Int>) -> Bool {
    let wanted: StaticString = "content-length"
    guard name.count == wanted.utf8CodeUnitCount else { return false }
    return zip(name, wanted.description.utf8).allSatisfy { index, letter in
      bytes[index] == letter || bytes[index] | 0x20 == letter && letter != UInt8(ascii: "-")
    }
  }
}
