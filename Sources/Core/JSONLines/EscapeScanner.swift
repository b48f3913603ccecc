/// Validates escapes in strings (RFC 8259 §7), refusing lone surrogates.
enum EscapeScanner {
  /// The offset just after the escape whose backslash is at `start`; a surrogate pair is one escape.
  @inline(__always)
  static func end(_ text: Span<UInt8>, from start: Int) throws(JSONError) -> Int {
    switch text.byte(at: start + 1) {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return start + 2
    case UInt8(ascii: "u"):
      return try endOfUnit(text, from: start)
    default:
      throw JSONError.unexpected(text, at: start + 1, .invalidEscape)
    }
  }

  private static func endOfUnit(_ text: Span<UInt8>, from start: Int) throws(JSONError) -> Int {
    guard try isHighSurrogate(text, digits: start + 2, afterHigh: false) else { return start + 6 }
    guard text.byte(at: start + 6) == UInt8(ascii: "\\") else {
      throw JSONError.unexpected(text, at: start + 6, .loneSurrogate)
    }
    guard text.byte(at: start + 7) == UInt8(ascii: "u") else {
      throw JSONError.unexpected(text, at: start + 7, .loneSurrogate)
    }
    _ = try isHighSurrogate(text, digits: start + 8, afterHigh: true)
    return start + 12
  }

  /// Validates four hex digits, which must be a low surrogate after a high one and must not be elsewhere.
  private static func isHighSurrogate(
    _ text: Span<UInt8>, digits: Int, afterHigh: Bool
  ) throws(JSONError) -> Bool {
    let first = try digit(text, at: digits)
    if afterHigh && first != 0xD { throw JSONError(.loneSurrogate, at: digits) }
    let second = try digit(text, at: digits + 1)
    if first == 0xD && (second >= 0xC) != afterHigh { throw JSONError(.loneSurrogate, at: digits + 1) }
    _ = try digit(text, at: digits + 2)
    _ = try digit(text, at: digits + 3)
    return first == 0xD && second >= 8 && !afterHigh
  }

  private static func digit(_ text: Span<UInt8>, at offset: Int) throws(JSONError) -> UInt8 {
    guard let value = HexDigit.value(text.byte(at: offset)) else {
      throw JSONError.unexpected(text, at: offset, .invalidEscape)
    }
    return value
  }
}
