import SyncCore

/// The secret of a pairing: 128 random bits.
package struct PairingSecret: Equatable, Sendable {
  /// As it stands in the payload.
  package let text: String

  package init(_ text: String) { self.text = text }

  /// 32 upper-case hex digits of 16 bytes.
  package init(bytes: [UInt8]) { text = HexDigits.text(bytes, capitals: true) }

  /// A new one of what `random` gives, 16 bytes at a time.
  ///
  /// Once in 10¹¹ times these would be refused as weak, and are drawn again.
  package static func make<Failure: Error>(
    _ random: () throws(Failure) -> [UInt8]
  ) throws(Failure) -> PairingSecret {
    while true {
      let secret = PairingSecret(bytes: try random())
      if secret.weakness == nil { return secret }
    }
  }

  /// The 16 bytes; nil where the text is not 32 hex digits.
  package var bytes: [UInt8]? { text.utf8.count == 32 ? HexDigits.bytes(text) : nil }

  /// Why nobody should rely on the secret; nil where there is no reason.
  ///
  /// The chance that a random secret is called weak is below one in 10¹¹.
  package var weakness: String? {
    guard let bytes else { return "is not 32 hex digits" }
    if (1...8).contains(where: { period in
      bytes.indices.dropFirst(period).allSatisfy { bytes[$0] == bytes[$0 - period] }
    }) {
      return "repeats itself"
    }
    let step = bytes[1] &- bytes[0]
    if bytes.indices.dropFirst().allSatisfy({ bytes[$0] &- bytes[$0 - 1] == step }) { return "counts" }
    return Set(bytes).count < 8 ? "has few different bytes" : nil
  }
}

extension PairingSecret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "(secret)" }
  package var debugDescription: String { "(secret)" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
