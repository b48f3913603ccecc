import SyncCore

/// What Apple calls a device: hexadecimal digits, which are never shown.
package struct DeviceToken: Hashable, Sendable {
  package let text: String

  /// Reads digits of either case; nil where the text is anything else.
  package init?(_ text: String) {
    let digits = Array(text.utf8)
    guard (2...400).contains(digits.count), digits.count % 2 == 0,
      digits.allSatisfy({ $0 &- 48 < 10 || ($0 | 0x20) &- 97 < 6 })
    else { return nil }
    self.text = text.lowercased()
  }

  /// 12 digits by which people can tell devices apart, and from which the token cannot be made.
  package var handle: String { HexDigits.text(Array(SHA1.digest(Array(text.utf8)).prefix(6))) }
}
