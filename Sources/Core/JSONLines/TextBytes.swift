/// Byte and word access to a text.
extension Span where Element == UInt8 {
  /// The byte at `offset`, or 0 at the end.
  ///
  /// No token holds a raw zero byte, so a scanner that meets one fails and then tells the two cases
  /// apart by the offset.
  @inlinable
  @inline(__always)
  package func byte(at offset: Int) -> UInt8 {
    // Just checked; a second check would be one for every byte of the text.
    UInt(bitPattern: offset) < UInt(bitPattern: count) ? unsafe self[unchecked: offset] : 0
  }

  /// The eight bytes from `offset`, the first one lowest.
  ///
  /// All eight must lie inside the span; a load beyond it traps.
  @inlinable
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    // Unsafe only because any type could be asked for: every bit pattern is a UInt64, bounds are checked.
    unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// The eight bytes from `offset`, which the caller has checked to lie inside the span.
  @inlinable
  @inline(__always)
  func word(unchecked offset: Int) -> UInt64 {
    // For loops that ask themselves whether eight bytes are left.
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
  /// The eight bytes from `offset`, the first one highest: numbers that are ordered as the bytes are.
  ///
  /// All eight must lie inside the span; a load beyond it traps.
  @inlinable
  package func orderedWord(at offset: Int) -> UInt64 { word(at: offset).byteSwapped }
}
