package import SyncCore

/// Shows in protocol version 2 that a side has read the QR payload, without telling the secret.
///
/// An HMAC-SHA256, whose key is the 16 bytes of the secret. What it covers ties it to one purpose, session, TLS
/// connection and pair of keys, so that it is worth nothing anywhere else.
package struct PairingProof: Equatable, Sendable {
  package enum Purpose: String, Sendable, CaseIterable {
    /// The scanner's.
    case hello = "peersync-pair-hello"
    /// The provider's.
    case confirm = "peersync-pair-confirm"
  }

  /// What both sides know about the connection.
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

  /// What the HMAC is of: each part behind its length in four bytes, the most significant first.
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
