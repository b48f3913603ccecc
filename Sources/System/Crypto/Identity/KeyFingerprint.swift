internal import SyncCore

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
    guard HexDigits.isDigest(text), let bytes = HexDigits.bytes(text) else { return nil }
    self.bytes = bytes
  }

  init(subjectPublicKeyInfo: Span<UInt8>) throws(TransportError) {
    bytes = try Digest.sha256(subjectPublicKeyInfo)
  }

  /// 64 lower-case hexadecimal digits, the form of every message and file.
  package var text: String { HexDigits.text(bytes) }
  package var description: String { text }
}
