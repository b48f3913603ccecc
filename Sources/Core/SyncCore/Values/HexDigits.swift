/// Bytes written as pairs of hex digits.
package enum HexDigits {
  package static func text(_ bytes: [UInt8], capitals: Bool = false) -> String {
    let digits = Array((capitals ? "0123456789ABCDEF" : "0123456789abcdef").utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// Nil where the text is not pairs of hex digits, in either case.
  package static func bytes(_ text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2), digits.allSatisfy({ $0.isHex }) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { value(digits[$0]) << 4 | value(digits[$0 + 1]) }
  }

  /// Whether the text is a SHA-256 digest as it is written here: 64 lower-case digits.
  package static func isDigest(_ text: String) -> Bool { isLower(text, count: 64) }

  /// Whether the text is so many lower-case digits.
  package static func isLower(_ text: String, count: Int) -> Bool {
    text.utf8.count == count && text.utf8.allSatisfy { $0.isLowerHex }
  }

  private static func value(_ digit: UInt8) -> UInt8 { digit < 58 ? digit - 48 : (digit | 32) - 87 }
}
