import Foundation
import JSONLines
import Pairing
import PeerSync
import SyncCore
import SystemIO
import TestSupport
import Testing

/// A task that waits for a peer, and is told to end.
@Suite struct CancellationTests {
  @Test(arguments: [0, 10, 100]) func aPairingThatIsCancelledSaysSo(milliseconds: Int) async throws {
    let folder = try TemporaryFolder()
    let (phone, laptop) = (
      try SyncDevice(in: folder.path("phone")), try SyncDevice(in: folder.path("laptop"))
    )
    let payload = PairingPayload(
      sessionId: UUIDText(random: [UInt8](repeating: 7, count: 16)), expectedPeer: "laptop",
      secret: PairingSecret(bytes: (0..<16).map { _ in .random(in: 0...255) }), version: .two,
      expiresAt: Instant.wallTime.advanced(by: .seconds(60)), publicKeyFingerprint: laptop.keyFingerprint)
    let code = try PairingCode(String(decoding: payload.base64, as: UTF8.self))
    // Connections are made, and nobody answers.
    let listener = try Listener.open(host: "127.0.0.1", port: 0, interface: nil)
    let address = "127.0.0.1:\(listener.port)"
    let joining = Task { try await phone.join(code, at: address) }
    try await Task.sleep(for: .milliseconds(milliseconds))
    joining.cancel()
    let error = await #expect(throws: SyncError.self) { _ = try await joining.value }
    #expect(error?.code == .interrupted && error?.description == "ended before it was done")
    #expect(try phone.trustedPeers().isEmpty)
    withExtendedLifetime(listener) {}
  }
}
