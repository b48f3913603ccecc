package import SyncCore

/// A device, as it introduces itself to others.
public struct Peer: Hashable, Sendable {
  /// A UUID; its case does not matter.
  public let id: String
  /// The name for people, 1 to 63 bytes; it does not prove anything.
  public let name: String
  /// The SHA-256 of the SubjectPublicKeyInfo of the device's key, 64 lower-case hex digits.
  public let keyFingerprint: String

  /// Creates a device with this id, name and key.
  public init(id: String, name: String, keyFingerprint: String) {
    (self.id, self.name, self.keyFingerprint) = (id, name, keyFingerprint)
  }

  package init(_ peer: PeerIntroduction) {
    (id, name, keyFingerprint) = (peer.peerId, peer.deviceName, peer.publicKeyFingerprint)
  }

  package var introduction: PeerIntroduction {
    PeerIntroduction(peerId: id, deviceName: name, publicKeyFingerprint: keyFingerprint)
  }
}
