/// Validates numbers (RFC 8259 §6).
@usableFromInline
enum NumberScanner {
  /// The largest magnitude of an exponent, as written and in scientific notation.
  static let exponentLimit = 1_000_000_000

  /// The offset just after the number that begins at `start`.
  @inlinable
  @inline(__always)
  static func end(_ text: Span<UInt8>, from start: Int) throws(JSONError) -> Int {
    // Most numbers are short and positive, without an exponent.
    if text.byte(at: start) &- UInt8(ascii: "1") < 9 {
      var end = endOfDigits(text, from: start &+ 1)
      if text.byte(at: end) == UInt8(ascii: "."), isDigit(text.byte(at: end &+ 1)) {
        end = endOfDigits(text, from: end &+ 2)
      }
      let next = text.byte(at: end)
      if end &- start < 20, next != UInt8(ascii: "."), next | 0x20 != UInt8(ascii: "e") { return end }
    }
    return try endOfAny(text, from: start)
  }

  @usableFromInline
  static func endOfAny(_ text: Span<UInt8>, from start: Int) throws(JSONError) -> Int {
    let integer = text.byte(at: start) == UInt8(ascii: "-") ? start + 1 : start
    guard isDigit(text.byte(at: integer)) else { throw JSONError.unexpected(text, at: integer) }
    var offset = integer + 1
    if text[integer] != UInt8(ascii: "0") { offset = endOfDigits(text, from: offset) }
    if text.byte(at: offset) == UInt8(ascii: ".") {
      guard isDigit(text.byte(at: offset + 1)) else { throw JSONError.unexpected(text, at: offset + 1) }
      offset = endOfDigits(text, from: offset + 2)
    }
    if text.byte(at: offset) | 0x20 == UInt8(ascii: "e") {
      return try endOfExponent(text, from: offset + 1, mantissa: integer..<offset)
    }
    let digits = integer..<offset
    if digits.count > exponentLimit, let shift = SignificantDigits.exponent(text, mantissa: digits),
      shift.magnitude > exponentLimit
    {
      throw JSONError(.exponentTooLarge, at: offset - 1)
    }
    return offset
  }

  @inlinable
  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") < 10
  }

  @inlinable
  @inline(__always)
  static func endOfDigits(_ text: Span<UInt8>, from start: Int) -> Int {
    var offset = start
    while isDigit(text.byte(at: offset)) { offset &+= 1 }
    return offset
  }

  /// Reads the sign and digits of an exponent and fails at the digit that makes it too large.
  private static func endOfExponent(
    _ text: Span<UInt8>, from start: Int, mantissa: Range<Int>
  ) throws(JSONError) -> Int {
    let isNegative = text.byte(at: start) == UInt8(ascii: "-")
    var offset = isNegative || text.byte(at: start) == UInt8(ascii: "+") ? start + 1 : start
    guard isDigit(text.byte(at: offset)) else { throw JSONError.unexpected(text, at: offset) }
    let shift = SignificantDigits.exponent(text, mantissa: mantissa) ?? 0
    let limit = min(exponentLimit, exponentLimit + (isNegative ? shift : -shift))
    var magnitude = 0
    while isDigit(text.byte(at: offset)) {
      magnitude = magnitude * 10 + Int(text[offset] - UInt8(ascii: "0"))
      if magnitude > limit { throw JSONError(.exponentTooLarge, at: offset) }
      offset += 1
    }
    // A mantissa of more than a billion digits can be too large even with a negative exponent.
    if shift - (isNegative ? magnitude : 0) > exponentLimit {
      throw JSONError(.exponentTooLarge, at: offset - 1)
    }
    return offset
  }
}

/// Validates `true`, `false` and `null`.
@usableFromInline
enum LiteralScanner {
  /// The offset just after the literal whose first letter is at `start`.
  @usableFromInline
  static func end(_ text: Span<UInt8>, from start: Int) throws(JSONError) -> Int {
    switch text.byte(at: start) {
    case UInt8(ascii: "t"): try end(text, from: start, 0x65_75_72_74, count: 4)
    case UInt8(ascii: "f"): try end(text, from: start, 0x65_73_6C_61_66, count: 5)
    default: try end(text, from: start, 0x6C_6C_75_6E, count: 4)
    }
  }

  /// Compares with `letters`, the first one lowest.
  @inline(__always)
  private static func end(
    _ text: Span<UInt8>, from start: Int, _ letters: UInt64, count: Int
  ) throws(JSONError) -> Int {
    for index in 0..<count
    where text.byte(at: start + index) != UInt8(truncatingIfNeeded: letters &>> (8 * index)) {
      throw JSONError.unexpected(text, at: start + index)
    }
    return start + count
  }
}
