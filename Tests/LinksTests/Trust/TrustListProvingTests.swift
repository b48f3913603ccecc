import JSONLines
import Links
import Pairing
import SyncCore
import Testing

/// Whether anybody could connect to whoever listens over protocol version 2.
@Suite struct TrustListProvingTests {
  private func list(_ versions: ProtocolVersion...) throws -> TrustList {
    var list = TrustList()
    for (number, version) in versions.enumerated() {
      let peer = PeerIntroduction(
        peerId: "6f2c9a4e-0000-4000-8000-00000000000\(number)", deviceName: "Peer \(number)",
        publicKeyFingerprint: String(repeating: "\(number)", count: 32))
      list.store(
        TrustRecord(peer, version: version, pairedAt: try #require(Instant("2026-01-01T00:00:00Z"))))
    }
    return list
  }

  @Test func aPeerOfVersion2IsEnough() throws {
    #expect(try list(.two).lackOfProof == nil)
    #expect(try list(.one, .two, .one).lackOfProof == nil)
  }

  @Test func nobodyIsTrusted() throws {
    let lack = try #require(try list().lackOfProof)
    #expect(lack.code == .unknownPeer)
    #expect(lack.text == "no trusted peers yet")
    #expect(lack.hint == "pair with one: peersync pair")
  }

  @Test func peersOfVersion1CannotProveWhoTheyAre() throws {
    let one = try #require(try list(.one).lackOfProof)
    #expect(one.code == .otherProtocolVersion)
    #expect(one.text == "Peer 0: the only trusted peer uses protocol version 1")
    #expect(one.hint == "update it and pair again: peersync pair")
    #expect(
      try list(.one, .one).lackOfProof?.message == "all 2 trusted peers use protocol version 1")
  }
}
