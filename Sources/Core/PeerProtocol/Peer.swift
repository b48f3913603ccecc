package import SyncCore

/// A device, as it names itself to others.
public struct Peer: Hashable, Sendable {
  /// A UUID; its case does not matter.
  public let id: String
  /// The name that people see, which proves nothing: 1 to 63 bytes.
  public let name: String
  /// The SHA-256 of the SubjectPublicKeyInfo of the key that it has to prove, 64 lower-case hex digits.
  public let keyFingerprint: String

  /// A device of that id, name and key.
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
