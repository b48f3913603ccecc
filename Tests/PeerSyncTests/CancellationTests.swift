import Foundation
import JSONLines
import PeerProtocol
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
    let random = (0..<32).map { _ in UInt8.random(in: 0...255) }
    let code = try PairingCode(
      showing: Peer(laptop), session: Array(random[..<16]), secret: Array(random[16...]), now: .wallTime,
      expiresAt: Instant.wallTime.advanced(by: .seconds(60)))
    // Connections are accepted, but nobody answers.
    let listener = try Listener.open(host: "127.0.0.1", port: 0, interface: nil)
    let address = "127.0.0.1:\(listener.port)"
    let joining = Task { try await phone.join(code, at: address) }
    try await Task.sleep(for: .milliseconds(milliseconds))
    joining.cancel()
    let error = await #expect(throws: SyncError.self) { _ = try await joining.value }
    #expect(error?.code == .interrupted && error?.description == "ended early")
    #expect(try phone.trustedPeers().isEmpty)
    withExtendedLifetime(listener) {}
  }

  /// A search of the network, which finds nobody.
  @Test func aSearchThatIsCancelledSaysSo() async throws {
    let folder = try TemporaryFolder()
    var phone = try SyncDevice(in: folder.path("phone"))
    phone.timeout = .seconds(60)
    let random = (0..<32).map { _ in UInt8.random(in: 0...255) }
    let code = try PairingCode(
      showing: Peer(SyncDevice(in: folder.path("laptop"))), session: Array(random[..<16]),
      secret: Array(random[16...]), now: .wallTime, expiresAt: Instant.wallTime.advanced(by: .seconds(60)))
    let joining = Task { [phone] in try await phone.join(code) }
    try await Task.sleep(for: .milliseconds(200))
    let start = SystemClock.monotonic()
    joining.cancel()
    let error = await #expect(throws: SyncError.self) { _ = try await joining.value }
    #expect(error?.code == .interrupted && SystemClock.monotonic() - start < .seconds(30))
  }
}
