/// Validates UTF-8 (RFC 3629 §4).
enum UTF8Scanner {
  /// The offset of the first ASCII byte, or the end, after the non-ASCII bytes that begin at `start`.
  static func end(_ text: Span<UInt8>, from start: Int) throws(JSONError) -> Int {
    var offset = start
    while true {
      let lead = text.byte(at: offset)
      guard lead >= 0x80 else { return offset }
      offset = try endOfSequence(text, from: offset, lead: lead)
    }
  }

  @inline(__always)
  private static func endOfSequence(
    _ text: Span<UInt8>, from start: Int, lead: UInt8
  ) throws(JSONError) -> Int {
    switch lead {
    case 0xC2...0xDF:
      try require(0x80...0xBF, text, at: start + 1)
      return start + 2
    case 0xE0...0xEF:
      // 0xE0 must not be overlong, 0xED must not encode a surrogate.
      try require((lead == 0xE0 ? 0xA0 : 0x80)...(lead == 0xED ? 0x9F : 0xBF), text, at: start + 1)
      try require(0x80...0xBF, text, at: start + 2)
      return start + 3
    case 0xF0...0xF4:
      // 0xF0 must not be overlong, 0xF4 must not go beyond U+10FFFF.
      try require((lead == 0xF0 ? 0x90 : 0x80)...(lead == 0xF4 ? 0x8F : 0xBF), text, at: start + 1)
      try require(0x80...0xBF, text, at: start + 2)
      try require(0x80...0xBF, text, at: start + 3)
      return start + 4
    default:
      throw JSONError(.invalidUTF8, at: start)
    }
  }

  @inline(__always)
  private static func require(
    _ range: ClosedRange<UInt8>, _ text: Span<UInt8>, at offset: Int
  ) throws(JSONError) {
    guard range.contains(text.byte(at: offset)) else {
      throw JSONError.unexpected(text, at: offset, .invalidUTF8)
    }
  }
}
