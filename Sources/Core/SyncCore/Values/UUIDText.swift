/// A UUID as text, compared without regard to case.
///
/// Written in capitals, as Foundation writes them; any case is read.
package struct UUIDText: Hashable, Sendable, CustomStringConvertible {
  package let description: String

  /// Nil where the text is not 8-4-4-4-12 hex digits.
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
    precondition(bytes.count == 16, "a UUID has 16 bytes")
    var bytes = bytes
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = Array(HexDigits.text(bytes, capitals: true))
    description = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
  }

  /// The 16 bytes that the digits stand for.
  package var bytes: [UInt8] { HexDigits.bytes(description.filter { $0 != "-" }) ?? [] }
}

extension UInt8 {
  /// A hex digit in either case.
  var isHex: Bool { self &- 48 < 10 || (self | 32) &- 97 < 6 }

  /// A hex digit, no capital.
  var isLowerHex: Bool { self &- 48 < 10 || self &- 97 < 6 }
}
