package import SyncCore

/// What is kept about a peer after pairing.
package struct TrustRecord: Equatable, Sendable {
  /// A UUID; compared without regard to case.
  package var peerId: String
  /// What people call the device; it proves nothing.
  package var deviceName: String
  /// The pin, 64 lower-case hex digits; in version 1 what the peer has said, with no key behind it.
  package var publicKeyFingerprint: String
  /// The only version over which the peer is believed.
  package var version: ProtocolVersion
  package var pairedAt: Instant
  package var lastSuccessfulSyncAt: Instant?
  /// Members that are not known here, kept for the version that has written them.
  var others: [UnknownMember] = []

  package init(
    _ peer: PeerIntroduction, version: ProtocolVersion, pairedAt: Instant,
    lastSuccessfulSyncAt: Instant? = nil
  ) {
    peerId = peer.peerId
    deviceName = peer.deviceName
    publicKeyFingerprint = peer.publicKeyFingerprint
    self.version = version
    self.pairedAt = pairedAt
    self.lastSuccessfulSyncAt = lastSuccessfulSyncAt
  }

  /// How the peer has named itself.
  package var introduction: PeerIntroduction {
    PeerIntroduction(peerId: peerId, deviceName: deviceName, publicKeyFingerprint: publicKeyFingerprint)
  }

  /// Whether that is its fingerprint: those of the two versions have nothing to do with each other.
  func hasKey(_ fingerprint: String, over version: ProtocolVersion) -> Bool {
    self.version == version && publicKeyFingerprint == fingerprint
  }

  /// Whether the record is about the peer of that id.
  package func isAbout(_ id: String) -> Bool { PeerID.areSame(peerId, id) }
}
