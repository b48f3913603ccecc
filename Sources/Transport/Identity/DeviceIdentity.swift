/// Who this device is: its names, and the key that proves them.
package struct DeviceIdentity {
  /// A lower-case UUID, made once.
  package let peerId: String
  /// What people call the device; it is no identity.
  package internal(set) var deviceName: String
  /// What stands for a fingerprint in protocol version 1: 32 random hexadecimal digits with no key behind them.
  package let version1Fingerprint: String
  let material: KeyMaterial

  package var fingerprint: KeyFingerprint { material.fingerprint }

  /// A new key, certificate, id and version 1 fingerprint.
  init(creating deviceName: String) throws(TransportError) {
    try DeviceName.check(deviceName)
    self.init(
      peerId: try SecureRandom.uuid(), deviceName: deviceName,
      version1Fingerprint: Hex.text(try SecureRandom.bytes(16)), material: try KeyMaterial.make())
  }

  init(peerId: String, deviceName: String, version1Fingerprint: String, material: KeyMaterial) {
    self.peerId = peerId
    self.deviceName = deviceName
    self.version1Fingerprint = version1Fingerprint
    self.material = material
  }
}

/// What a device may be called.
package enum DeviceName {
  /// A name is the label of a service instance too: 1 to 63 bytes of UTF-8 (RFC 6763 §4.1.1), no control characters.
  package static func check(_ name: String) throws(TransportError) {
    let count = name.utf8.count
    if count == 0 { throw .invalidDeviceName(name, reason: "it is empty") }
    if count > 63 { throw .invalidDeviceName(name, reason: "it has \(count) bytes, more than 63") }
    if name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      throw .invalidDeviceName(name, reason: "it has a control character")
    }
  }
}
