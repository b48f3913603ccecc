import Foundation
import Links
import Pairing
import SyncCore
import Testing

@Suite struct TrustStoreTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "trust-\(UUID())").path
  private let own = PeerIntroduction(
    peerId: "6f2c9a4e-0000-4000-8000-000000000009", deviceName: "Here", publicKeyFingerprint: "9")

  private func record(_ number: Int) throws -> TrustRecord {
    let peer = PeerIntroduction(
      peerId: "6f2c9a4e-0000-4000-8000-00000000000\(number)", deviceName: "Peer",
      publicKeyFingerprint: String(repeating: "\(number)", count: 32))
    return TrustRecord(peer, version: .one, pairedAt: try #require(Instant("2026-01-01T00:00:00Z")))
  }

  @Test func whatIsAddedIsThere() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let store = TrustStore(in: folder)
    #expect(try store.load().records.isEmpty)
    try store.add(try record(1), own: own)
    try store.add(try record(2), own: own)
    let expected = [try record(1), try record(2)]
    #expect(try store.load().records == expected)
    let attributes = try FileManager.default.attributesOfItem(atPath: store.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  /// Whoever was stored between judging and storing counts too.
  @Test func aContradictionIsNotStored() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let store = TrustStore(in: folder)
    let known = try record(1)
    try store.add(known, own: own)
    var other = known
    other.publicKeyFingerprint = String(repeating: "7", count: 32)
    do throws(TrustError) {
      try store.add(other, own: own)
      Issue.record("stored")
    } catch {
      #expect(error == .conflict(.otherKey(known)))
    }
    #expect(try store.load().records == [known])
  }

  @Test func anUnchangedListIsNotWritten() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let store = TrustStore(in: folder)
    try store.add(try record(1), own: own)
    let before = try FileManager.default.attributesOfItem(atPath: store.path)[.systemFileNumber] as? Int
    try store.change { list throws(TrustError) in list.forget("nobody") }
    let after = try FileManager.default.attributesOfItem(atPath: store.path)[.systemFileNumber] as? Int
    #expect(before == after)
  }
}
