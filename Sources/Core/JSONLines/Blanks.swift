/// The bytes that may stand between tokens, a bit each.
@usableFromInline
package struct Blanks: Sendable {
  @usableFromInline let bits: UInt64

  /// White space of JSON (RFC 8259 §2).
  @inlinable package static var json: Blanks { Blanks(bits: 1 << 0x20 | 1 << 0x09 | 1 << 0x0A | 1 << 0x0D) }

  /// The same without the line feed: what may stand between the tokens of one line of a longer text.
  @inlinable package static var line: Blanks { Blanks(bits: 1 << 0x20 | 1 << 0x09 | 1 << 0x0D) }

  @inlinable
  init(bits: UInt64) { self.bits = bits }

  /// The offset of the first byte at or after `offset` that is no blank.
  @inlinable
  @inline(__always)
  package func skip(_ text: Span<UInt8>, from offset: Int) -> Int {
    // One comparison settles the usual case, a byte that is none.
    text.byte(at: offset) > 0x20 ? offset : skipAll(text, from: offset)
  }

  /// Moves to the first byte at or after `position` that is no blank, and returns it, or 0 at the end.
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
