package import SyncCore

extension RecordShape {
  /// What stands for the rules in a dialogue: the SHA-256 of their canonical form in lower-case hex digits.
  package func rulesDigest() throws(TransportError) -> String {
    HexDigits.text(try Digest.sha256(mergeRules.span))
  }
}
