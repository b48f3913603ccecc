import Pairing

internal import SyncCore
internal import SystemIO

/// Who this device is: its names, and the key that proves them.
package struct DeviceIdentity {
  /// A lower-case UUID, made once.
  package let peerId: String
  /// What people call the device; it is no identity.
  package internal(set) var deviceName: String
  /// What stands for a fingerprint in protocol version 1: 32 random hexadecimal digits with no key behind them.
  package let version1Fingerprint: String
  package let material: KeyMaterial

  package var fingerprint: KeyFingerprint { material.fingerprint }

  /// A new key, certificate, id and version 1 fingerprint.
  init(creating deviceName: String) throws(TransportError) {
    try DeviceName.check(deviceName)
    let random = try TransportError.wrapping { () throws(SystemError) in
      (id: try RandomBytes.make(16), fingerprint: try RandomBytes.make(16))
    }
    self.init(
      peerId: UUIDText(random: random.id).description.lowercased(), deviceName: deviceName,
      version1Fingerprint: HexDigits.text(random.fingerprint), material: try KeyMaterial.make())
  }

  init(peerId: String, deviceName: String, version1Fingerprint: String, material: KeyMaterial) {
    self.peerId = peerId
    self.deviceName = deviceName
    self.version1Fingerprint = version1Fingerprint
    self.material = material
  }
}

extension DeviceName {
  /// Throws where a device must not be called so.
  static func check(_ name: String) throws(TransportError) {
    if let problem = problem(of: name) { throw .invalidDeviceName(name, reason: problem) }
  }
}
