import Pairing

internal import SyncCore

/// The text of an identity file.
enum IdentityText {
  private static let version = "peersync-identity: 1"

  static func write(_ identity: DeviceIdentity) throws(TransportError) -> [UInt8] {
    let head = """
      \(version)
      peerId: \(identity.peerId)
      deviceName: \(identity.deviceName)
      version1Fingerprint: \(identity.version1Fingerprint)

      """
    return Array(head.utf8) + (try identity.material.pem())
  }

  static func read(_ text: [UInt8], path: String) throws(TransportError) -> DeviceIdentity {
    func damaged(_ reason: String) -> TransportError { .damagedIdentity(path: path, reason: reason) }
    let head = String(decoding: text, as: UTF8.self).split(separator: "\n").prefix { !$0.hasPrefix("-----") }
    guard head.first.map(String.init) == version else { throw damaged("it does not begin '\(version)'") }
    func value(_ name: String) throws(TransportError) -> String {
      let values = head.filter { $0.hasPrefix("\(name): ") }.map { String($0.dropFirst(name.count + 2)) }
      guard values.count == 1, let value = values.first, !value.isEmpty else {
        throw damaged("it needs one line '\(name): …'")
      }
      return value
    }
    let name = try value("deviceName")
    try DeviceName.check(name)
    let (peerId, fingerprint) = (try value("peerId"), try value("version1Fingerprint"))
    let own = PeerIntroduction(peerId: peerId, deviceName: name, publicKeyFingerprint: fingerprint)
    if let flaw = own.flaw(over: .one) { throw damaged("as others would see it: \(flaw)") }
    guard let material = try KeyMaterial.read(pem: text.span) else {
      throw damaged("it has no certificate with its private key")
    }
    return DeviceIdentity(
      peerId: peerId, deviceName: name, version1Fingerprint: fingerprint, material: material)
  }
}
