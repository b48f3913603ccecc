/// A UUID as text, compared without regard to case.
///
/// It is written in capitals, as Foundation writes UUIDs; any case is read.
package struct UUIDText: Hashable, Sendable, CustomStringConvertible {
  package let description: String

  /// Reads 8-4-4-4-12 hex digits in either case; nil for any other text.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 36 else { return nil }
    for (index, byte) in bytes.enumerated() {
      let isHyphen = byte == UInt8(ascii: "-")
      guard [8, 13, 18, 23].contains(index) ? isHyphen : byte.isHex else { return nil }
    }
    description = text.uppercased()
  }

  /// A random UUID (RFC 9562 §5.4) of 16 random bytes.
  package init(random bytes: [UInt8]) {
    precondition(bytes.count == 16, "'random' must return 16 bytes")
    var bytes = bytes
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    self.init(bytes: bytes)
  }

  /// The UUID of these 16 bytes, unchanged.
  package init(bytes: [UInt8]) {
    precondition(bytes.count == 16, "a UUID has 16 bytes")
    let digits = Array(HexDigits.text(bytes, capitals: true))
    description = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
  }

  /// The 16 bytes of the digits.
  package var bytes: [UInt8] { HexDigits.bytes(description.filter { $0 != "-" }) ?? [] }
}

extension UInt8 {
  /// Whether this is a hex digit, in either case.
  var isHex: Bool { self &- 48 < 10 || (self | 32) &- 97 < 6 }

  /// Whether this is a lower-case hex digit.
  var isLowerHex: Bool { self &- 48 < 10 || self &- 97 < 6 }
}

/// Ids of peers are UUIDs, which may be written in either case (RFC 9562).
package enum PeerID {
  package static func areSame(_ one: String, _ other: String) -> Bool {
    one == other || one.lowercased() == other.lowercased()
  }
}

/// Bytes written as pairs of hex digits.
package enum HexDigits {
  package static func text(_ bytes: [UInt8], capitals: Bool = false) -> String {
    let digits = Array((capitals ? "0123456789ABCDEF" : "0123456789abcdef").utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// The bytes of pairs of hex digits in either case; nil for any other text.
  package static func bytes(_ text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2), digits.allSatisfy({ $0.isHex }) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { value(digits[$0]) << 4 | value(digits[$0 + 1]) }
  }

  /// Whether the text is a SHA-256 digest in the form used here: 64 lower-case digits.
  package static func isDigest(_ text: String) -> Bool { isLower(text, count: 64) }

  /// Whether the text is this many lower-case digits.
  package static func isLower(_ text: String, count: Int) -> Bool {
    text.utf8.count == count && text.utf8.allSatisfy { $0.isLowerHex }
  }

  private static func value(_ digit: UInt8) -> UInt8 { digit < 58 ? digit - 48 : (digit | 32) - 87 }
}
