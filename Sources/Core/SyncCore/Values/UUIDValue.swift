import JSONLines

/// The 128 bits of a UUID (RFC 9562).
package struct UUIDValue: Hashable, Sendable {
  package var high: UInt64
  package var low: UInt64

  package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  /// Reads 8-4-4-4-12 hex digits of either case; nil for any other text.
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

  /// The 36 characters of the text form, in lower case.
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
    // 8-4-4-4-12 digits, eight characters at a time.
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
    // First each digit's value goes into a separate byte.
    var digits = word & 0xFFFF_FFFF
    digits = (digits | digits &<< 16) & 0x0000_FFFF_0000_FFFF
    digits = (digits | digits &<< 8) & 0x00FF_00FF_00FF_00FF
    digits = (digits | digits &<< 4) & 0x0F0F_0F0F_0F0F_0F0F
    // A digit of 10 or more overflows when 6 is added; its letter's code is 39 above `0` plus the digit.
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

/// UUIDs derived from names (version 5, RFC 9562 §5.5), for names with a common prefix.
package struct UUIDNames: Sendable {
  private let beginning: SHA1

  /// Names are `beginning` followed by the argument of `id(of:)`.
  package init(in namespace: UUIDValue, beginning: [UInt8] = []) {
    var digest = SHA1()
    for word in [namespace.high, namespace.low] {
      let bytes = stride(from: UInt64(56), through: 0, by: -8).map { UInt8(truncatingIfNeeded: word &>> $0) }
      digest.update(bytes.span)
    }
    digest.update(beginning.span)
    self.beginning = digest
  }

  package func id(of rest: Span<UInt8>) -> UUIDValue {
    var digest = beginning
    digest.update(rest)
    return Self.id(digest)
  }

  /// The id of the name that ends with a date, such as `2026-11-20`.
  @inline(__always)
  package func id(ofDate day: Int) -> UUIDValue {
    var digest = beginning
    let date = CivilText.letters(ofDate: day)
    digest.append(date.month, count: 8)
    digest.append(date.day, count: 2)
    return Self.id(digest)
  }

  @inline(__always)
  private static func id(_ digest: consuming SHA1) -> UUIDValue {
    let words = digest.finish()
    let high = UInt64(words.0) &<< 32 | UInt64(words.1)
    let low = UInt64(words.2) &<< 32 | UInt64(words.3)
    return UUIDValue(
      high: high & 0xFFFF_FFFF_FFFF_0FFF | 0x5000, low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }

  package func id(of rest: String) -> UUIDValue { id(of: Array(rest.utf8).span) }

  /// The namespace of domain names (RFC 9562 §6.6).
  package static let dns = UUIDValue(high: 0x6BA7_B810_9DAD_11D1, low: 0x80B4_00C0_4FD4_30C8)
}
