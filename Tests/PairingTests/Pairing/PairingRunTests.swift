import Pairing
import SyncCore
import Testing

/// Complete pairings, and how they continue after a fault.
@Suite struct PairingRunTests {
  @Test(arguments: ProtocolVersion.allCases)
  func bothSidesTrustEachOther(version: ProtocolVersion) throws {
    var pairing = TestPairing(version)
    pairing.run()
    #expect(pairing.providing.state == .paired && pairing.scanning.state == .paired)
    let kinds: [Message.Kind] = [.pairHello, .pairConfirm, .pairDone] + (version == .two ? [.ack] : [])
    #expect(pairing.sent.map(\.kind) == kinds)
    let known = try #require(pairing.provider.trust.records.first)
    #expect(known == TrustRecord(pairing.scanner.own, version: version, pairedAt: TestPairing.begin))
    #expect(pairing.scanner.trust.records.map(\.introduction) == [pairing.provider.own])
    #expect(pairing.provider.session?.isDone == true)
  }

  @Test func aLostAckIsRepeated() {
    var pairing = TestPairing()
    pairing.run { $0.kind == .ack ? [] : [$0] }
    #expect(pairing.providing.state == .paired && pairing.scanning.state == .finishing)
    #expect(pairing.give(scanner: .end).isEmpty)
    #expect(pairing.scanning.state == .unfinished)
    #expect(pairing.scanner.trust.records.isEmpty)
    // On another connection, with another exporter.
    var again = TestPairing(.two, pairing.provider, pairing.scanner, exporter: 9)
    again.run()
    #expect(again.scanning.state == .paired)
    #expect(again.provider.trust.records.count == 1 && again.scanner.trust.records.count == 1)
  }

  @Test func onlyTheFirstScannerMayRepeat() {
    var pairing = TestPairing()
    pairing.run { $0.kind == .ack ? [] : [$0] }
    var other = TestPairing(.two, pairing.provider, TestDevice(3, "Other"), exporter: 9)
    other.run()
    #expect(other.errors == [.invalidPairingSession])
    #expect(other.provider.trust.records.count == 1 && other.scanner.trust.records.isEmpty)
  }

  @Test func theSessionIsBoundBeforeTheConfirmIsSent() throws {
    var pairing = TestPairing()
    let hello = pairing.give(scanner: .connected)
    _ = pairing.give(provider: .message(hello[0]))
    #expect(pairing.provider.session?.bound != nil)
    // The first connection breaks; a second scanner that has seen the symbol too comes too late.
    var other = TestPairing(.two, pairing.provider, TestDevice(3, "Other"))
    other.run()
    #expect(other.errors == [.invalidPairingSession])
    var again = TestPairing(.two, pairing.provider, pairing.scanner)
    again.run()
    #expect(again.scanning.state == .paired)
  }

  @Test func pairingAgainKeepsTheLastSync() throws {
    var pairing = TestPairing()
    var record = TrustRecord(pairing.scanner.own, version: .two, pairedAt: TestPairing.begin)
    record.deviceName = "Old name"
    record.lastSuccessfulSyncAt = TestPairing.begin
    pairing.provider.trust.store(record)
    pairing.run()
    let known = try #require(pairing.provider.trust.records.first)
    #expect(known.deviceName == "Tablet" && known.lastSuccessfulSyncAt == TestPairing.begin)
    #expect(pairing.provider.trust.records.count == 1)
  }

  @Test func anAckMayComeAfterTheExpiry() {
    var pairing = TestPairing()
    var ack: [Message] = []
    pairing.run { message in
      if message.kind == .ack { ack.append(message) }
      return message.kind == .ack ? [] : [message]
    }
    pairing.now = TestPairing.begin.advanced(by: .seconds(400))
    _ = pairing.give(scanner: .message(ack[0]))
    #expect(pairing.scanning.state == .paired)
  }

  @Test(arguments: [PeerErrorCode.busy, .rateLimited])
  func aBusyPeerMayBeTriedAgain(code: PeerErrorCode) {
    var pairing = TestPairing()
    let hello = pairing.give(scanner: .connected)
    _ = pairing.give(scanner: .message(hello[0].with(.error(PeerError(code, "")))))
    #expect(pairing.scanning.state == .unfinished)
  }
}
