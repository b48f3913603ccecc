/// Validates strings (RFC 8259 §7).
@usableFromInline
enum StringScanner {
  /// The offset of the quote that closes the string whose content begins at `start`.
  @inlinable
  @inline(__always)
  static func end(_ text: Span<UInt8>, from start: Int) throws(JSONError) -> Int {
    let end = endOfPlain(text, from: start)
    if text.byte(at: end) == UInt8(ascii: "\"") { return end }
    return try endAfterSpecial(text, from: end)
  }

  /// Continues from the first byte that is not plain ASCII.
  @usableFromInline
  static func endAfterSpecial(_ text: Span<UInt8>, from start: Int) throws(JSONError) -> Int {
    var offset = start
    while true {
      let byte = text.byte(at: offset)
      switch byte {
      case UInt8(ascii: "\""): return offset
      case UInt8(ascii: "\\"): offset = try EscapeScanner.end(text, from: offset)
      case 0x80...: offset = try UTF8Scanner.end(text, from: offset)
      default: throw JSONError.unexpected(text, at: offset, .controlCharacter)
      }
      offset = endOfPlain(text, from: offset)
    }
  }

  /// The offset of the first byte that is a quote, a backslash, a control or not ASCII; else the end.
  @inlinable
  @inline(__always)
  static func endOfPlain(_ text: Span<UInt8>, from start: Int) -> Int {
    var offset = start
    while text.count &- offset >= 8 {
      let mask = specials(text.word(unchecked: offset))
      if mask != 0 { return offset &+ ByteMask.firstIndex(mask) }
      offset &+= 8
    }
    while offset < text.count, specials(UInt64(text[offset]) | 0x2020_2020_2020_2000) == 0 { offset &+= 1 }
    return offset
  }

  @inlinable
  @inline(__always)
  static func specials(_ word: UInt64) -> UInt64 {
    // The xor with 2 swaps the quote with the blank, so that one subtraction marks it and all controls.
    let quoteOrControl = (word ^ ByteMask.every(0x02)) &- ByteMask.every(0x21)
    let backslash = (word ^ ByteMask.every(UInt8(ascii: "\\"))) &- ByteMask.every(1)
    return (quoteOrControl | backslash | word) & ByteMask.every(0x80)
  }
}

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

  /// Validates four hex digits: a low surrogate is required after a high surrogate, and is invalid elsewhere.
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

/// Hexadecimal digits in ASCII.
enum HexDigit {
  /// The value, 0 to 15, of a digit in either case; nil for any other byte.
  static func value(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// The lower-case digit of a value from 0 to 15.
  static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}
