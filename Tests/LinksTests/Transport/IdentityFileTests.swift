@testable import Crypto
import Foundation
@testable import Links
import Testing

struct IdentityFileTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path

  private func inFolder(_ body: (IdentityFile) throws -> Void) throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(IdentityFile(in: "\(folder)/a/b"))
  }

  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? Int)
  }

  @Test func isMadeOnce() throws {
    try inFolder { file in
      #expect(throws: TransportError.noIdentity(path: file.path)) { try file.load() }
      let made = try file.loadOrCreate(deviceName: "Laptop")
      let again = try file.loadOrCreate(deviceName: "another name")
      #expect(again.deviceName == "Laptop" && again.peerId == made.peerId)
      #expect(again.fingerprint == made.fingerprint && again.version1Fingerprint == made.version1Fingerprint)
      #expect(try mode(file.path) == 0o600 && mode("\(folder)/a") == 0o700 && mode("\(folder)/a/b") == 0o700)
    }
  }

  @Test func twoIdentitiesShareNothing() throws {
    let (one, two) = (try DeviceIdentity(creating: "x"), try DeviceIdentity(creating: "x"))
    #expect(one.peerId != two.peerId && one.fingerprint != two.fingerprint)
    #expect(one.version1Fingerprint != two.version1Fingerprint)
    #expect(!one.fingerprint.text.hasPrefix(one.version1Fingerprint))
  }

  @Test func isRenamedAndStaysWhoItIs() throws {
    try inFolder { file in
      let made = try file.loadOrCreate(deviceName: "Laptop")
      #expect(try file.rename(to: "Jan's MacBook: 2").fingerprint == made.fingerprint)
      #expect(try file.load().deviceName == "Jan's MacBook: 2")
    }
  }

  /// Such a scalar joins the one before it to one character, even the blank before the name.
  @Test(arguments: ["\u{301}x", "\u{200D}x", "\u{FE0F}x"])
  func aNameMayBeginWithAScalarThatJoins(_ name: String) throws {
    try inFolder { file in
      let made = try file.loadOrCreate(deviceName: name)
      let loaded = try file.load()
      #expect(loaded.deviceName == name && loaded.fingerprint == made.fingerprint)
    }
  }

  @Test(arguments: ["", "a\nb", String(repeating: "é", count: 32)])
  func refusesNames(_ name: String) throws {
    try inFolder { file in
      #expect(throws: TransportError.self) { try file.loadOrCreate(deviceName: name) }
      #expect(!FileManager.default.fileExists(atPath: file.path))
    }
  }

  @Test(arguments: [("a/b/identity.pem", 0o640), ("a/b", 0o770)])
  func refusesLooserModes(path: String, mode: Int) throws {
    try inFolder { file in
      _ = try file.loadOrCreate(deviceName: "Laptop")
      try FileManager.default.setAttributes(
        [.posixPermissions: mode], ofItemAtPath: "\(folder)/\(path)")
      do {
        _ = try file.load()
        Issue.record("a loose file was read")
      } catch TransportError.looseFile {}
    }
  }

  /// A file cut anywhere, or with a damaged line, is refused and left as it is: a new identity would end all trust.
  @Test func refusesDamage() throws {
    try inFolder { file in
      _ = try file.loadOrCreate(deviceName: "Laptop")
      let whole = try Data(contentsOf: URL(fileURLWithPath: file.path))
      for count in stride(from: 0, to: whole.count - 2, by: 7) {
        try whole.prefix(count).write(to: URL(fileURLWithPath: file.path))
        #expect(throws: TransportError.self) { try file.loadOrCreate(deviceName: "Laptop") }
        #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)).count == count)
      }
    }
  }

  @Test func refusesANameThatPeersWouldReject() throws {
    let text = String(decoding: try IdentityText.write(DeviceIdentity(creating: "x")), as: UTF8.self)
    let damaged = text.replacing("deviceName: x", with: "deviceName: a\tb")
    #expect(
      throws: TransportError.damagedIdentity(
        path: "f", reason: "peers would reject it: invalid device name: it has a control character")
    ) { try IdentityText.read(Array(damaged.utf8), path: "f") }
  }

  @Test func refusesTheKeyOfAnother() throws {
    let (one, two) = (try DeviceIdentity(creating: "x"), try DeviceIdentity(creating: "x"))
    let mixed = DeviceIdentity(
      peerId: one.peerId, deviceName: "x", version1Fingerprint: one.version1Fingerprint,
      material: one.material)
    let key = String(decoding: try two.material.pem(), as: UTF8.self).split(separator: "-----BEGIN PRI")[1]
    let text = String(decoding: try IdentityText.write(mixed), as: UTF8.self)
    let forged = text.split(separator: "-----BEGIN PRI")[0] + "-----BEGIN PRI" + key
    #expect(
      throws: TransportError.damagedIdentity(
        path: "f", reason: "the certificate or its private key is missing")
    ) { try IdentityText.read(Array(forged.utf8), path: "f") }
  }
}
