import Crypto
import JSONLines
import Links
import Pairing
@testable import Sessions
import SyncCore
import SystemIO
import TestSupport
import Testing

/// The addresses at which a peer is tried.
@Suite struct PeerPlacesTests {
  /// A failure without a try would hide the reason why the search could not reach the peer.
  @Test func anAddressThatTheSearchHasClaimedIsNoFailure() throws {
    let folder = try TemporaryFolder()
    let peers = Peers(in: folder.path("device"), state: folder.path("device"))
    let record = TrustRecord(
      PeerIntroduction(
        peerId: "6f2c9a4e-0000-4000-8000-000000000001", deviceName: "Phone",
        publicKeyFingerprint: String(repeating: "1", count: 64)),
      version: .two, pairedAt: .epoch)
    let listener = try Listener.open(host: "127.0.0.1", port: 0, interface: nil)
    let address = try #require(try SocketAddress.resolve("127.0.0.1", port: listener.port).first)
    let places = PeerPlaces(
      peers, place: HostAndPort(address.text), interface: nil, network: nil, patience: .seconds(10),
      over: .two)
    let claims = PlaceClaims()
    #expect(claims.claim(address.text))
    let isTaken = try places.reach(record, claims) == nil
    #expect(isTaken)
    // The search has released it.
    claims.release(address.text)
    let free = try places.reach(record, claims)
    #expect(free?.address == address.text)
    withExtendedLifetime(listener) {}
  }
}
