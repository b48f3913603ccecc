/// Arithmetic on eight bytes at once, held in a word with the first byte lowest.
///
/// A mask has the top bit of a byte set where the byte matches. Only its lowest set bit is exact: a
/// borrow may mark bytes above a match, never below the first.
@usableFromInline
enum ByteMask {
  /// The word with every byte equal to `byte`.
  @inlinable
  @inline(__always)
  static func every(_ byte: UInt8) -> UInt64 {
    UInt64(byte) &* 0x0101_0101_0101_0101
  }

  /// Marks the bytes of `word` below `limit`, which is at most 0x80.
  @inlinable
  @inline(__always)
  static func below(_ limit: UInt8, in word: UInt64) -> UInt64 {
    (word &- every(limit)) & ~word & every(0x80)
  }

  /// Marks the bytes of `word` equal to `byte`.
  @inlinable
  @inline(__always)
  static func equal(to byte: UInt8, in word: UInt64) -> UInt64 {
    below(1, in: word ^ every(byte))
  }

  /// The index, 0 to 7, of the first byte marked in a mask other than 0.
  @inlinable
  @inline(__always)
  static func firstIndex(_ mask: UInt64) -> Int {
    mask.trailingZeroBitCount &>> 3
  }
}
