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

  /// Appends the 36 letters, lower-case.
  package func append(to bytes: inout [UInt8]) {
    Self.append(high &>> 32, digits: 8, to: &bytes)
    bytes.append(UInt8(ascii: "-"))
    Self.append(high &>> 16, digits: 4, to: &bytes)
    bytes.append(UInt8(ascii: "-"))
    Self.append(high, digits: 4, to: &bytes)
    bytes.append(UInt8(ascii: "-"))
    Self.append(low &>> 48, digits: 4, to: &bytes)
    bytes.append(UInt8(ascii: "-"))
    Self.append(low, digits: 12, to: &bytes)
  }

  package var text: String {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @inline(__always)
  private static func append(_ word: UInt64, digits: UInt64, to bytes: inout [UInt8]) {
    var shift = digits &* 4
    while shift > 0 {
      shift &-= 4
      let digit = UInt8(truncatingIfNeeded: word &>> shift) & 15
      bytes.append(digit < 10 ? digit &+ 48 : digit &+ 87)
    }
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
