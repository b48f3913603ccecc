package import SyncCore

/// What the QR symbol of a pairing says.
///
/// docs/formats/qr-payload.md lists the members.
package struct PairingPayload: Equatable, Sendable {
  package var sessionId: UUIDText
  /// The DNS-SD type under which the provider is found.
  package var serviceType: String
  /// The name under which the provider is found, and by which people know it.
  package var expectedPeer: String?
  package var secret: PairingSecret
  /// As it was read: this may be a version that is not known here.
  package var protocolVersion: Int
  /// The first instant at which the payload is not valid any more.
  package var expiresAt: Instant
  /// The provider's, 64 lower-case hex digits; always there in version 2, never in version 1.
  package var publicKeyFingerprint: String?

  package init(
    sessionId: UUIDText, serviceType: String = ServiceTypeName.peers, expectedPeer: String? = nil,
    secret: PairingSecret, version: ProtocolVersion, expiresAt: Instant, publicKeyFingerprint: String? = nil
  ) {
    self.sessionId = sessionId
    self.serviceType = serviceType
    self.expectedPeer = expectedPeer
    self.secret = secret
    protocolVersion = version.rawValue
    self.expiresAt = expiresAt
    self.publicKeyFingerprint = version == .one ? nil : publicKeyFingerprint
  }

  package var version: ProtocolVersion? { ProtocolVersion(rawValue: protocolVersion) }

  /// The most bytes that a QR symbol holds (version 40, level L); a longer text has not come from one.
  package static let longestText = 2_953

  /// A DNS label, which the name of a service is (RFC 6763 §4.1.1), has at most so many bytes.
  package static let longestName = 63
}
