/// The SHA-256 digest of a public key: of the SubjectPublicKeyInfo (RFC 5280 §4.1.2.7) in DER, as a certificate has it.
///
/// It is what a pin pins. Two spellings of one key, such as a point compressed or not, are two fingerprints.
package struct KeyFingerprint: Equatable, Hashable, Sendable, CustomStringConvertible {
  /// 32 bytes.
  package let bytes: [UInt8]

  /// Nil unless there are 32 bytes.
  package init?(bytes: [UInt8]) {
    guard bytes.count == Digest.byteCount else { return nil }
    self.bytes = bytes
  }

  /// Reads 64 lower-case hexadecimal digits; nil where the text is anything else.
  package init?(text: String) {
    let digits = Array(text.utf8)
    guard digits.count == 2 * Digest.byteCount, digits.allSatisfy({ $0 &- 48 < 10 || $0 &- 97 < 6 }) else {
      return nil
    }
    let values = digits.map { $0 < 58 ? $0 - 48 : $0 - 87 }
    bytes = stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
  }

  init(subjectPublicKeyInfo: Span<UInt8>) throws(TransportError) {
    bytes = try Digest.sha256(subjectPublicKeyInfo)
  }

  /// 64 lower-case hexadecimal digits, the form of every message and file.
  package var text: String { Hex.text(bytes) }
  package var description: String { text }
}
