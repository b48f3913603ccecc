import Pairing

internal import SyncCore

/// The file that holds a device's identity: lines of names, then a certificate and a private key as PEM.
///
///     peersync-identity: 1
///     peerId: 5f0c1b0e-…
///     deviceName: Laptop
///     version1Fingerprint: 0123…
///     -----BEGIN CERTIFICATE-----
///
/// PEM allows text before its blocks (RFC 7468 §2), so that `openssl x509 -in` reads the file as it is. It is written
/// whole or not at all, 0600 in a folder of 0700; looser is refused.
package struct IdentityFile: Sendable {
  private let file: PrivateFile
  package var path: String { file.path }

  /// The file `identity.pem` in a folder, usually `Places.configuration()`.
  package init(in folder: String) { file = PrivateFile("identity.pem", in: folder) }

  /// Reads the identity, or fails with `noIdentity`.
  package func load() throws(TransportError) -> DeviceIdentity {
    guard let identity = try loadIfPresent() else { throw .noIdentity(path: path) }
    return identity
  }

  /// Reads the identity; makes one first where there is none, called `deviceName`.
  ///
  /// Of several processes that find none, one makes it and all get that one.
  package func loadOrCreate(deviceName: String) throws(TransportError) -> DeviceIdentity {
    if let identity = try loadIfPresent() { return identity }
    return try file.locked { () throws(TransportError) in
      if let identity = try loadIfPresent() { return identity }
      let identity = try DeviceIdentity(creating: deviceName)
      try write(identity)
      return identity
    }
  }

  /// Gives the device another name; key and id stay.
  package func rename(to deviceName: String) throws(TransportError) -> DeviceIdentity {
    try DeviceName.check(deviceName)
    return try file.locked { () throws(TransportError) in
      var identity = try load()
      identity.deviceName = deviceName
      try write(identity)
      return identity
    }
  }

  private func loadIfPresent() throws(TransportError) -> DeviceIdentity? {
    guard let text = try file.read() else { return nil }
    return try IdentityText.read(text, path: path)
  }

  private func write(_ identity: DeviceIdentity) throws(TransportError) {
    try file.replace(with: try IdentityText.write(identity))
  }
}
