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
}

extension UInt8 {
  /// A hex digit in either case.
  var isHex: Bool { self &- 48 < 10 || (self | 32) &- 97 < 6 }

  /// A hex digit, no capital.
  var isLowerHex: Bool { self &- 48 < 10 || self &- 97 < 6 }
}
