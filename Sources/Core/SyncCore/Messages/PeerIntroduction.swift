/// How a side of a pairing names itself.
package struct PeerIntroduction: Equatable, Sendable {
  package var peerId: String
  package var deviceName: String
  /// 64 lower-case hex digits in version 2, any text in version 1.
  package var publicKeyFingerprint: String

  package init(peerId: String, deviceName: String, publicKeyFingerprint: String) {
    self.peerId = peerId
    self.deviceName = deviceName
    self.publicKeyFingerprint = publicKeyFingerprint
  }
}
