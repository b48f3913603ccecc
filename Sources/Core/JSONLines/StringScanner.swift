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

  /// Goes on from the first byte that is not plain ASCII.
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
