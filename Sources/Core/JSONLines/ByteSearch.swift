/// Finds bytes, a word at a time.
package enum ByteSearch {
  /// The offset of the first `byte` in `text` at or after `start`, or nil.
  package static func firstIndex(of byte: UInt8, in text: Span<UInt8>, from start: Int = 0) -> Int? {
    firstIndex(of: byte, in: text, start..<text.count)
  }

  /// The offset of the first `byte` in the given range of `text`, or nil.
  package static func firstIndex(of byte: UInt8, in text: Span<UInt8>, _ range: Range<Int>) -> Int? {
    precondition(range.lowerBound >= 0 && range.upperBound <= text.count)
    let pattern = ByteMask.every(byte)
    var offset = range.lowerBound
    // Each loop checks that the bytes it reads exist.
    while range.upperBound &- offset >= 32 {
      let a = text.word(unchecked: offset) ^ pattern
      let b = text.word(unchecked: offset &+ 8) ^ pattern
      let c = text.word(unchecked: offset &+ 16) ^ pattern
      let d = text.word(unchecked: offset &+ 24) ^ pattern
      if (zeroes(a) | zeroes(b) | zeroes(c) | zeroes(d)) & ByteMask.every(0x80) != 0 { break }
      offset &+= 32
    }
    while range.upperBound &- offset >= 8 {
      let mask = ByteMask.equal(to: byte, in: text.word(unchecked: offset))
      if mask != 0 { return offset &+ ByteMask.firstIndex(mask) }
      offset &+= 8
    }
    while offset < range.upperBound {
      if text[offset] == byte { return offset }
      offset &+= 1
    }
    return nil
  }

  /// Whether two ranges hold the same bytes.
  package static func isEqual(
    _ a: Span<UInt8>, _ aRange: Range<Int>, _ b: Span<UInt8>, _ bRange: Range<Int>
  ) -> Bool {
    let (i, j, count) = (aRange.lowerBound, bRange.lowerBound, aRange.count)
    guard count == bRange.count else { return false }
    guard count >= 8 else { return commonPrefix(a, aRange, b, bRange) == count }
    var offset = 0
    while count &- offset > 8 {
      guard a.word(at: i &+ offset) == b.word(at: j &+ offset) else { return false }
      offset &+= 8
    }
    // The last eight bytes, some of which may have been compared already.
    return a.word(at: i &+ count &- 8) == b.word(at: j &+ count &- 8)
  }

  /// The length of the common prefix of both ranges.
  package static func commonPrefix(
    _ a: Span<UInt8>, _ aRange: Range<Int>, _ b: Span<UInt8>, _ bRange: Range<Int>
  ) -> Int {
    let (i, j) = (aRange.lowerBound, bRange.lowerBound)
    let limit = min(aRange.count, bRange.count)
    var count = 0
    while limit &- count >= 8 {
      let difference = a.word(at: i &+ count) ^ b.word(at: j &+ count)
      if difference != 0 { return count &+ ByteMask.firstIndex(difference) }
      count &+= 8
    }
    while count < limit, a[i &+ count] == b[j &+ count] { count &+= 1 }
    return count
  }

  /// Compares two texts as unsigned bytes; a prefix sorts before any longer text.
  ///
  /// - Returns: a negative number, zero or a positive one if `a` is before, equal to or after `b`.
  package static func compare(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Int {
    let common = commonPrefix(a, 0..<a.count, b, 0..<b.count)
    guard common < a.count, common < b.count else { return a.count - b.count }
    return Int(a[common]) - Int(b[common])
  }

  /// Marks zero bytes but leaves noise in the other bits, so that several words can be tested at once.
  @inline(__always)
  private static func zeroes(_ word: UInt64) -> UInt64 {
    (word &- ByteMask.every(1)) & ~word
  }
}

/// Arithmetic on eight bytes at once, held in a word with the first byte lowest.
///
/// A mask has the top bit of a byte set where the byte matches. Only its lowest set bit is exact: a borrow
/// may mark bytes above a match, never below the first.
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
