import Pairing
internal import SyncCore
internal import SystemIO

/// The identity of a device: its id and name, and the key that proves the identity.
package struct DeviceIdentity {
  /// The id of the device: a lower-case UUID, made once.
  package let peerId: String
  /// The name that people see; it does not identify the device.
  package internal(set) var deviceName: String
  /// The substitute for a fingerprint in protocol version 1: 32 random hexadecimal digits, unrelated to the key.
  package let version1Fingerprint: String
  package let material: KeyMaterial

  package var fingerprint: KeyFingerprint { material.fingerprint }

  /// A new key, certificate, id and version 1 fingerprint.
  package init(creating deviceName: String) throws(TransportError) {
    try DeviceName.check(deviceName)
    let random = try TransportError.wrapping { () throws(SystemError) in
      (id: try RandomBytes.make(16), fingerprint: try RandomBytes.make(16))
    }
    self.init(
      peerId: UUIDText(random: random.id).description.lowercased(), deviceName: deviceName,
      version1Fingerprint: HexDigits.text(random.fingerprint), material: try KeyMaterial.make())
  }

  /// The same device with another name.
  package func renamed(_ deviceName: String) throws(TransportError) -> DeviceIdentity {
    try DeviceName.check(deviceName)
    var identity = self
    identity.deviceName = deviceName
    return identity
  }

  init(peerId: String, deviceName: String, version1Fingerprint: String, material: KeyMaterial) {
    self.peerId = peerId
    self.deviceName = deviceName
    self.version1Fingerprint = version1Fingerprint
    self.material = material
  }
}

extension DeviceName {
  /// Throws if the name is invalid.
  static func check(_ name: String) throws(TransportError) {
    if let problem = problem(of: name) { throw .invalidDeviceName(name, reason: problem) }
  }
}

/// The SHA-256 digest of a public key: of the SubjectPublicKeyInfo (RFC 5280 §4.1.2.7) in DER, as in the
/// certificate.
///
/// A pin contains this digest. Two encodings of one key, such as a compressed and an uncompressed point, have
/// two fingerprints.
package struct KeyFingerprint: Equatable, Hashable, Sendable, CustomStringConvertible {
  /// The 32 bytes of the digest.
  package let bytes: [UInt8]

  /// Takes the 32 bytes of a digest; nil for another number of bytes.
  package init?(bytes: [UInt8]) {
    guard bytes.count == Digest.byteCount else { return nil }
    self.bytes = bytes
  }

  /// Reads 64 lower-case hexadecimal digits; nil for any other text.
  package init?(text: String) {
    guard HexDigits.isDigest(text), let bytes = HexDigits.bytes(text) else { return nil }
    self.bytes = bytes
  }

  init(subjectPublicKeyInfo: Span<UInt8>) throws(TransportError) {
    bytes = try Digest.sha256(subjectPublicKeyInfo)
  }

  /// The digest as 64 lower-case hexadecimal digits, as in every message and file.
  package var text: String { HexDigits.text(bytes) }
  package var description: String { text }
}

/// The file that holds a device's identity: lines of names, then a certificate and a private key as PEM.
///
///     peersync-identity: 1
///     peerId: 5f0c1b0e-…
///     deviceName: Laptop
///     version1Fingerprint: 0123…
///     -----BEGIN CERTIFICATE-----
///
/// PEM allows text before its blocks (RFC 7468 §2), so `openssl x509 -in` can read the file. The file is
/// replaced as a whole. It must be 0600 in a folder that others cannot write to; looser permissions are
/// refused.
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

  /// Reads the identity; if it does not exist, makes one first with the name `deviceName`.
  ///
  /// If several processes do this at once, one of them makes the identity, and all return it.
  package func loadOrCreate(deviceName: String) throws(TransportError) -> DeviceIdentity {
    if let identity = try loadIfPresent() { return identity }
    do throws(TransportError) {
      return try file.locked { () throws(TransportError) in
        if let identity = try loadIfPresent() { return identity }
        let identity = try DeviceIdentity(creating: deviceName)
        try write(identity)
        return identity
      }
    } catch {
      guard case .system(let obstacle) = error, obstacle.action == .create else { throw error }
      throw .noIdentity(path: path, obstacle: obstacle)
    }
  }

  /// The text of the file; nil if it does not exist.
  package func text() throws(TransportError) -> [UInt8]? { try file.read() }

  /// Writes the text of an identity; it does not replace a different identity that another process has made
  /// in the meantime.
  package func keep(_ text: [UInt8]) throws(TransportError) {
    try file.locked { () throws(TransportError) in
      let identity = try IdentityText.read(text, path: path)
      if let present = try loadIfPresent(), present.peerId != identity.peerId { return }
      try file.replace(with: text)
    }
  }

  /// Gives the device another name; key and id are unchanged.
  package func rename(to deviceName: String) throws(TransportError) -> DeviceIdentity {
    return try file.locked { () throws(TransportError) in
      let identity = try load().renamed(deviceName)
      try write(identity)
      return identity
    }
  }

  /// Reads the identity; nil if it does not exist.
  package func loadIfPresent() throws(TransportError) -> DeviceIdentity? {
    guard let text = try file.read() else { return nil }
    return try IdentityText.read(text, path: path)
  }

  private func write(_ identity: DeviceIdentity) throws(TransportError) {
    try file.replace(with: try IdentityText.write(identity))
  }
}

/// The text of an identity file.
package enum IdentityText {
  private static let version = "peersync-identity: 1"

  package static func write(_ identity: DeviceIdentity) throws(TransportError) -> [UInt8] {
    let head = """
      \(version)
      peerId: \(identity.peerId)
      deviceName: \(identity.deviceName)
      version1Fingerprint: \(identity.version1Fingerprint)

      """
    return Array(head.utf8) + (try identity.material.pem())
  }

  package static func read(_ text: [UInt8], path: String) throws(TransportError) -> DeviceIdentity {
    func damaged(_ reason: String) -> TransportError { .damagedIdentity(path: path, reason: reason) }
    // Compare bytes: a name may begin with a scalar that forms one character with the blank before it.
    let head = text.split(separator: 10).prefix { !$0.starts(with: "-----".utf8) }
    guard let first = head.first, first.elementsEqual(version.utf8) else {
      throw damaged("it does not begin with '\(version)'")
    }
    func value(_ name: String) throws(TransportError) -> String {
      let label = Array("\(name): ".utf8)
      let values = head.filter { $0.starts(with: label) }.map { $0.dropFirst(label.count) }
      guard values.count == 1, let value = values.first, !value.isEmpty else {
        throw damaged("it does not have exactly one line '\(name): …'")
      }
      return String(decoding: value, as: UTF8.self)
    }
    let name = try value("deviceName")
    let (peerId, fingerprint) = (try value("peerId"), try value("version1Fingerprint"))
    let own = PeerIntroduction(peerId: peerId, deviceName: name, publicKeyFingerprint: fingerprint)
    if let flaw = own.flaw(over: .one) { throw damaged("peers would reject it: \(flaw)") }
    guard let material = try KeyMaterial.read(pem: text.span) else {
      throw damaged("the certificate or its private key is missing")
    }
    return DeviceIdentity(
      peerId: peerId, deviceName: name, version1Fingerprint: fingerprint, material: material)
  }
}
