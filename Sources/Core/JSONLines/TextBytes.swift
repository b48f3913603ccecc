/// Byte and word access to a text.
extension Span where Element == UInt8 {
  /// The byte at `offset`, or 0 at the end.
  ///
  /// A token cannot contain a raw zero byte, so a scanner that reads 0 fails. The offset then distinguishes
  /// the two cases.
  @inlinable
  @inline(__always)
  package func byte(at offset: Int) -> UInt8 {
    // The bounds were just checked; a second check would run for every byte of the text.
    UInt(bitPattern: offset) < UInt(bitPattern: count) ? unsafe self[unchecked: offset] : 0
  }

  /// The eight bytes from `offset`, the first one lowest.
  ///
  /// All eight must lie inside the span; a load beyond it traps.
  @inlinable
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    // This is unsafe only because the load returns any type; every bit pattern is a UInt64, and bounds are
    // checked.
    unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// The eight bytes from `offset`, which the caller has checked to lie inside the span.
  @inlinable
  @inline(__always)
  func word(unchecked offset: Int) -> UInt64 {
    // The callers' loops check that eight bytes are left.
    unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
  }

  /// The offset of the first byte at or after `offset` that is not JSON white space.
  @inlinable
  @inline(__always)
  func skippingWhitespace(from offset: Int) -> Int {
    Blanks.json.skip(self, from: offset)
  }
}

extension Span<UInt8> {
  /// The eight bytes from `offset` as a number, the first byte highest, so that numbers sort as the bytes do.
  ///
  /// All eight must lie inside the span; a load beyond it traps.
  @inlinable
  package func orderedWord(at offset: Int) -> UInt64 { word(at: offset).byteSwapped }
}

/// The bytes that may appear between tokens, one bit each.
@usableFromInline
package struct Blanks: Sendable {
  @usableFromInline let bits: UInt64

  /// White space of JSON (RFC 8259 §2).
  @inlinable package static var json: Blanks { Blanks(bits: 1 << 0x20 | 1 << 0x09 | 1 << 0x0A | 1 << 0x0D) }

  /// White space of JSON without the line feed: the blanks between the tokens of one line of a longer text.
  @inlinable package static var line: Blanks { Blanks(bits: 1 << 0x20 | 1 << 0x09 | 1 << 0x0D) }

  @inlinable
  init(bits: UInt64) { self.bits = bits }

  /// The offset of the first byte at or after `offset` that is not a blank.
  @inlinable
  @inline(__always)
  package func skip(_ text: Span<UInt8>, from offset: Int) -> Int {
    // One comparison is enough for a byte that is not a blank, the most frequent case.
    text.byte(at: offset) > 0x20 ? offset : skipAll(text, from: offset)
  }

  /// Moves to the first byte at or after `position` that is not a blank, and returns it, or 0 at the end.
  @inlinable
  @inline(__always)
  func next(_ text: Span<UInt8>, at position: inout Int) -> UInt8 {
    let byte = text.byte(at: position)
    if byte > 0x20 { return byte }
    position = skipAll(text, from: position)
    return text.byte(at: position)
  }

  @usableFromInline
  func skipAll(_ text: Span<UInt8>, from start: Int) -> Int {
    var offset = start
    while text.byte(at: offset) <= 0x20, bits &>> UInt64(text.byte(at: offset)) & 1 != 0 { offset &+= 1 }
    return offset
  }
}

extension Span<UInt8> {
  /// Whether a line has only blanks, tabs and carriage returns; such a line is skipped.
  package var isBlankLine: Bool {
    for index in indices where self[index] != 0x20 && self[index] != 0x09 && self[index] != 0x0D {
      return false
    }
    return true
  }
}
