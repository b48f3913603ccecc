package import SyncCore

/// The secret of a pairing: 128 random bits.
package struct PairingSecret: Equatable, Sendable {
  /// The secret as it appears in the payload.
  package let text: String

  package init(_ text: String) { self.text = text }

  /// 32 upper-case hex digits of 16 bytes.
  package init(bytes: [UInt8]) { text = HexDigits.text(bytes, capitals: true) }

  /// A new secret from the output of `random`, 16 bytes at a time.
  ///
  /// Bytes that would be rejected as weak are drawn again, once in 10¹¹ cases.
  package static func make<Failure: Error>(
    _ random: () throws(Failure) -> [UInt8]
  ) throws(Failure) -> PairingSecret {
    while true {
      let secret = PairingSecret(bytes: try random())
      if secret.weakness == nil { return secret }
    }
  }

  /// The 16 bytes; nil if the text is not 32 hex digits.
  package var bytes: [UInt8]? { text.utf8.count == 32 ? HexDigits.bytes(text) : nil }

  /// Why the secret is unsafe; nil for a safe secret.
  ///
  /// A random secret is rejected in less than one of 10¹¹ cases.
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

/// Proves in protocol version 2 that a side knows the QR payload, without revealing the secret.
///
/// The proof is an HMAC-SHA256 with the 16 bytes of the secret as key. It covers one purpose, session, TLS
/// connection and pair of keys, so it is invalid anywhere else.
package struct PairingProof: Equatable, Sendable {
  package enum Purpose: String, Sendable, CaseIterable {
    /// The proof of the scanner.
    case hello = "peersync-pair-hello"
    /// The proof of the provider.
    case confirm = "peersync-pair-confirm"
  }

  /// The facts about the connection that both sides know.
  package struct Channel: Equatable, Sendable {
    /// 32 bytes of the TLS exporter with the label `EXPORTER-peersync-pair` and no context (RFC 8446 §7.5).
    package var exporter: [UInt8]
    /// SHA-256 of the SubjectPublicKeyInfo of each side, as seen in TLS.
    package var scanner, provider: [UInt8]

    package init(exporter: [UInt8], scanner: [UInt8], provider: [UInt8]) {
      self.exporter = exporter
      self.scanner = scanner
      self.provider = provider
    }
  }

  /// The input of the HMAC: each part preceded by its length in four bytes, most significant first.
  package static func message(
    _ purpose: Purpose, version: ProtocolVersion, session: UUIDText, _ channel: Channel
  ) -> [UInt8] {
    let parts = [
      Array(purpose.rawValue.utf8), Array("\(version.rawValue)".utf8), session.bytes, channel.exporter,
      channel.scanner, channel.provider,
    ]
    return parts.flatMap { part in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: part.count >> $0) } + part
    }
  }
}
