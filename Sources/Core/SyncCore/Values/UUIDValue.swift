import JSONLines

/// The 128 bits of a UUID (RFC 9562).
package struct UUIDValue: Hashable, Sendable {
  package var high: UInt64
  package var low: UInt64

  package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  /// Reads 8-4-4-4-12 hex digits of either case; nil where the text is anything else.
  package init?(_ text: Span<UInt8>) {
    guard text.count == 36 else { return nil }
    var (high, low, digits) = (UInt64(0), UInt64(0), 0)
    for index in 0..<36 {
      if index == 8 || index == 13 || index == 18 || index == 23 {
        guard text[index] == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let digit = Self.value(of: text[index]) else { return nil }
      if digits < 16 { high = high &<< 4 | digit } else { low = low &<< 4 | digit }
      digits &+= 1
    }
    (self.high, self.low) = (high, low)
  }

  package init?(_ text: String) { self.init(Array(text.utf8).span) }

  /// The 36 letters, lower-case.
  package struct Letters: Sendable {
    fileprivate let words: (UInt64, UInt64, UInt64, UInt64)
    fileprivate let rest: UInt32

    @inline(__always)
    package func store(in bytes: inout MutableSpan<UInt8>, at place: Int) {
      bytes.store(orderedWord: words.0, at: place)
      bytes.store(orderedWord: words.1, at: place + 8)
      bytes.store(orderedWord: words.2, at: place + 16)
      bytes.store(orderedWord: words.3, at: place + 24)
      bytes.store(orderedWord: rest, at: place + 32)
    }
  }

  @inline(__always)
  package var letters: Letters {
    // 8-4-4-4-12 digits, eight letters at a time.
    let dash = UInt64(UInt8(ascii: "-"))
    let (first, second) = (Self.digits(of: high &>> 32), Self.digits(of: high))
    let (third, fourth) = (Self.digits(of: low &>> 32), Self.digits(of: low))
    return Letters(
      words: (
        first,
        dash &<< 56 | (second &>> 32) &<< 24 | dash &<< 16 | (second & 0xFFFF_FFFF) &>> 16,
        second &<< 48 | dash &<< 40 | (third &>> 32) &<< 8 | dash,
        third &<< 32 | fourth &>> 32
      ), rest: UInt32(truncatingIfNeeded: fourth))
  }

  package var text: String {
    var bytes = Array(repeating: UInt8(0), count: 36)
    var span = bytes.mutableSpan
    letters.store(in: &span, at: 0)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The lower 32 bits as eight hex digits, the first of them highest.
  @inline(__always)
  private static func digits(of word: UInt64) -> UInt64 {
    // First each digit's value into a byte of its own.
    var digits = word & 0xFFFF_FFFF
    digits = (digits | digits &<< 16) & 0x0000_FFFF_0000_FFFF
    digits = (digits | digits &<< 8) & 0x00FF_00FF_00FF_00FF
    digits = (digits | digits &<< 4) & 0x0F0F_0F0F_0F0F_0F0F
    // What is 10 or more runs over with 6 added; from 9 to the letters there are 39 more.
    let isLetter = (digits &+ 0x0606_0606_0606_0606) &>> 4 & 0x0101_0101_0101_0101
    return digits &+ 0x3030_3030_3030_3030 &+ isLetter &* 39
  }

  private static func value(of digit: UInt8) -> UInt64? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(digit &- 48)
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(digit &- 87)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(digit &- 55)
    default: nil
    }
  }
}
