import JSONLines

/// UUIDs in quotes with capitals, which become lower-case letters in a key.
///
/// In a quoted UUID, all characters except the capitals have the bit that distinguishes lower-case letters.
/// In a JSON string, setting this bit cannot turn any byte except a capital into one of these characters,
/// because control characters are escaped.
enum UUIDCapitals {
  /// The length with both quotes.
  static let count = 38
  private static let caseBits: UInt64 = 0x2020_2020_2020_2020

  /// Whether the value is a string in the form of a UUID (RFC 9562 §4) with a capital in it.
  ///
  /// It checks eight bytes at a time, because under `uuid` every line of a text may have a UUID.
  @inline(__always)
  static func hasAny(_ text: Span<UInt8>, _ value: Range<Int>) -> Bool {
    guard value.count == count else { return false }
    let start = value.lowerBound
    // 8-4-4-4-12 digits; the last word overlaps the one before.
    let (a, b) = (text.orderedWord(at: start &+ 1), text.orderedWord(at: start &+ 9))
    let (c, d) = (text.orderedWord(at: start &+ 17), text.orderedWord(at: start &+ 25))
    let e = text.orderedWord(at: start &+ 29)
    guard capitals(a) | capitals(b) | capitals(c) | capitals(d) | capitals(e) != 0 else { return false }
    let faults =
      faults(a) | faults(b, dashes: 0xFF00_0000_00FF_0000) | faults(c, dashes: 0x0000_FF00_0000_00FF)
      | faults(d) | faults(e)
    return faults == 0 && text[start] == UInt8(ascii: "\"")
  }

  /// A mask that is not zero if any byte is in 0x40..<0x60; this range includes all capitals.
  @inline(__always)
  private static func capitals(_ word: UInt64) -> UInt64 {
    word & 0x4040_4040_4040_4040 & ~((word & caseBits) &<< 1)
  }

  /// Zero if all eight bytes are hex digits of either case, and dashes where `dashes` has bits.
  @inline(__always)
  private static func faults(_ word: UInt64, dashes: UInt64 = 0) -> UInt64 {
    // Each dash becomes the digit 0, and all letters become lower-case.
    let digits = (word | caseBits) & ~dashes | 0x3030_3030_3030_3030 & dashes
    let letters = (digits &>> 6) & 0x0101_0101_0101_0101
    // The remainder is up to 9 for digits, and up to 5 for a...f; the top bit marks larger ones.
    let rest = (digits &- letters) ^ (0x3030_3030_3030_3030 &+ letters &* 0x30)
    let excess = (rest &+ 0x7676_7676_7676_7676 &+ letters &* 4) | rest | digits
    return excess & 0x8080_8080_8080_8080 | (word ^ 0x2D2D_2D2D_2D2D_2D2D) & dashes
  }

  /// Changes a UUID in quotes, or the rest of one, to lower case.
  static func lower(_ bytes: inout [UInt8], _ range: Range<Int>) {
    for index in range { bytes[index] |= 0x20 }
  }

  /// As `text.keyWord(at:skipping:)`, with the bytes of the UUID in lower case.
  @inline(never)
  static func keyWord(_ text: Span<UInt8>, _ start: Int, skipping skipped: Int) -> UInt64 {
    let word = text.keyWord(at: start, skipping: skipped)
    let left = count - skipped
    guard left > 0 else { return word }
    return left >= 8 ? word | caseBits : word | caseBits & ~(UInt64.max >> UInt64(8 * left))
  }

  /// Whether two values are the same UUID, if the one at `start` is a UUID with capitals.
  static func isSame(_ text: Span<UInt8>, _ start: Int, _ other: Span<UInt8>, _ otherStart: Int) -> Bool {
    guard start + count <= text.count, otherStart + count <= other.count else { return false }
    func difference(_ offset: Int) -> UInt64 {
      text.orderedWord(at: start + offset) ^ other.orderedWord(at: otherStart + offset)
    }
    return (difference(0) | difference(8) | difference(16) | difference(24) | difference(30)) & ~caseBits == 0
  }

  /// How many bytes the UUID at `start` has in common with a range of `bytes`, after `skipped` bytes of the
  /// UUID.
  static func commonPrefix(
    _ bytes: Span<UInt8>, _ range: Range<Int>, _ text: Span<UInt8>, _ start: Int, skipping skipped: Int
  ) -> Int {
    let limit = min(range.count, count - skipped, text.count - start - skipped)
    var common = 0
    while common < limit, bytes[range.lowerBound + common] == text[start + skipped + common] | 0x20 {
      common += 1
    }
    return common
  }
}
