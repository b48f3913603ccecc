import Crypto
import JSONLines
import Links
import Pairing
import SyncCore
import SystemIO
import TestSupport
import Testing

/// A device that shows a code and waits.
@Suite struct PairingOfferTests {
  /// As after a suspend, which the monotonic clock does not count.
  @Test func aStepOfTheWallClockEndsTheOffer() throws {
    let folder = try TemporaryFolder()
    let identity = try DeviceIdentity(creating: "phone")
    let start = try #require(Instant("2026-01-01T00:00:00Z"))
    let payload = PairingPayload(
      showing: "phone", session: (0..<16).map { $0 },
      secret: try .make { () throws(SystemError) in try RandomBytes.make(16) }, version: .two,
      expiresAt: start.advanced(by: .seconds(300)), publicKeyFingerprint: identity.fingerprint.text)
    var now = start
    let offer = PairingOffer(
      .init(
        .provider, payload, identity, Peers(in: folder.path("trust"), state: folder.path("state")),
        patience: .seconds(60),
        now: {
          defer { now = payload.expiresAt }
          return now
        }, approve: { _ in true }))
    let listener = try Listener.open(host: "127.0.0.1", port: 0, interface: nil)
    let begin = SystemClock.monotonic()
    do {
      try offer.run([listener], companion: nil, timeout: .seconds(10)) { _ in
      } note: { _ in
      }
      Issue.record("the offer ended without an error")
    } catch let error as Diagnostic {
      #expect(error.code == .expiredPairingPayload)
    }
    #expect(SystemClock.monotonic() - begin < .seconds(200))
  }
}
