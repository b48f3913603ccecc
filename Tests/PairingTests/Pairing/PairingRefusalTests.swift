import JSONLines
import Pairing
import SyncCore
import Testing

/// Refused pairings, each with the code for the other side, and without trust.
@Suite struct PairingRefusalTests {
  @Test func expiredBeforeTheHello() {
    var pairing = TestPairing()
    pairing.now = TestPairing.begin.advanced(by: .seconds(300))
    pairing.run()
    #expect(pairing.sent.isEmpty && pairing.scanning.last == .expired && pairing.isWithoutTrust)
  }

  @Test(arguments: ProtocolVersion.allCases, [Message.Kind.pairHello, .pairConfirm, .pairDone])
  func expiredOnTheWay(version: ProtocolVersion, kind: Message.Kind) {
    var pairing = TestPairing(version)
    var messages = pairing.give(scanner: .connected)
    while let message = messages.first {
      if message.kind == kind { pairing.now = TestPairing.begin.advanced(by: .seconds(300)) }
      let isScanners = [.pairHello, .pairDone].contains(message.kind)
      if message.kind == .ack || message.kind == .error { break }
      messages =
        isScanners ? pairing.give(provider: .message(message)) : pairing.give(scanner: .message(message))
    }
    let isProviders = kind != .pairConfirm
    #expect(
      pairing.errors == [isProviders && version == .one ? .invalidPairingSession : .expiredPairingPayload])
    #expect(pairing.provider.trust.records.isEmpty)
  }

  @Test func knownKeyWithAnotherId() {
    let scanner = TestDevice(2, "Tablet")
    var renamed = scanner
    renamed.own.peerId = TestDevice(9, "x").own.peerId
    var provider = TestDevice(1, "Study")
    provider.trust.store(TrustRecord(scanner.own, version: .two, pairedAt: TestPairing.begin))
    var pairing = TestPairing(.two, provider, renamed)
    pairing.run()
    #expect(pairing.errors == [.untrustedPeer] && pairing.provider.trust.records.count == 1)
  }

  @Test func ourOwnIdAndOurOwnKey() {
    var copy = TestDevice(2, "Tablet")
    copy.own.peerId = TestDevice(1, "x").own.peerId
    var pairing = TestPairing(.two, nil, copy)
    pairing.run()
    #expect(pairing.errors == [.untrustedPeer] && pairing.isWithoutTrust)
    // A device that reads its own symbol.
    var alone = TestPairing(.two, TestDevice(1, "Study"), TestDevice(1, "Study"))
    alone.run()
    #expect(alone.sent.isEmpty && alone.scanning.last == .stranger)
  }

  @Test(arguments: ["6f2c9a4e", "../../etc", "6f2c9a4e-0000-4000-8000-00000000000z"])
  func idThatIsNoUUID(id: String) {
    var scanner = TestDevice(2, "Tablet")
    scanner.own.peerId = id
    var pairing = TestPairing(.two, nil, scanner)
    pairing.run()
    #expect(pairing.errors == [.untrustedPeer] && pairing.isWithoutTrust)
  }

  /// It cannot be read as a message, and is refused with the code that other flaws of the name have.
  @Test(arguments: ProtocolVersion.allCases) func aProviderWithoutAName(version: ProtocolVersion) {
    var pairing = TestPairing(version)
    _ = pairing.give(scanner: .connected)
    _ = pairing.give(scanner: .unreadable(.invalidValue("deviceName", expected: "a name")))
    #expect(pairing.scanning.last == .stranger && pairing.errors == [.untrustedPeer])
    pairing = TestPairing(version)
    _ = pairing.give(provider: .unreadable(.invalidValue("sentAt", expected: "a time")))
    #expect(pairing.providing.last == .unreadable && pairing.errors.isEmpty)
  }

  // MARK: Versions

  @Test(arguments: ProtocolVersion.allCases)
  func messageOfTheOtherVersion(version: ProtocolVersion) {
    let other: ProtocolVersion = version == .one ? .two : .one
    var pairing = TestPairing(version)
    var otherPairing = TestPairing(other)
    let hello = otherPairing.give(scanner: .connected)[0]
    _ = pairing.give(provider: .message(hello))
    #expect(pairing.errors == [.incompatibleProtocolVersion] && pairing.isWithoutTrust)
    pairing = TestPairing(version)
    _ = pairing.give(provider: .unreadable(.incompatibleProtocolVersion("3")))
    #expect(pairing.errors == [.incompatibleProtocolVersion])
  }

  @Test(arguments: ["Tablet", "TABLET", "tablet"])
  func provenPeerOverVersion1(name: String) {
    let proven = TestDevice(2, "Tablet")
    var provider = TestDevice(1, "Study", .one)
    provider.trust.store(TrustRecord(proven.own, version: .two, pairedAt: TestPairing.begin))
    // Its name under another id, and its id under another name.
    var impostor = TestDevice(3, name, .one)
    var pairing = TestPairing(.one, provider, impostor)
    pairing.run()
    #expect(pairing.errors == [.untrustedPeer] && pairing.provider.trust.records.count == 1)
    impostor.own.deviceName = "New"
    impostor.own.peerId = proven.own.peerId
    pairing = TestPairing(.one, provider, impostor)
    pairing.run()
    #expect(pairing.errors == [.untrustedPeer] && pairing.provider.trust.records.count == 1)
  }

  /// Over version 1 the name in the payload is all that the scanner knows of the provider.
  @Test func anotherProviderThanThePayloadNames() {
    let study = TestDevice(1, "Study", .one)
    var pairing = TestPairing(
      .one, TestDevice(3, "Attic", .one), nil, payload: TestPairing.payload(.one, study))
    pairing.run()
    #expect(pairing.errors == [.untrustedPeer] && pairing.isWithoutTrust)
    #expect(pairing.scanning.detail == "'Attic' has answered, but the pairing code names 'Study'")
  }

  /// In version 2 the key identifies the device; the name may have changed.
  @Test(arguments: [
    (ProtocolVersion.one, "STUDY "), (.one, " study"), (.one, TestDevice(1, "").own.peerId),
    (.one, TestDevice(1, "").own.peerId.uppercased()), (.two, "Attic"),
  ])
  func theProviderThatThePayloadNames(version: ProtocolVersion, name: String) {
    var payload = TestPairing.payload(version, TestDevice(1, "Study", version))
    payload.expectedPeer = name
    var pairing = TestPairing(version, payload: payload)
    pairing.run()
    #expect(pairing.scanning.state == .paired && pairing.errors == [])
  }

  // MARK: Messages out of place

  @Test func syncOfAPeerThatIsNotPaired() {
    var pairing = TestPairing()
    let hello = pairing.give(scanner: .connected)[0]
    let request = SyncRequest(peerId: pairing.scanner.own.peerId, deviceName: "Tablet")
    _ = pairing.give(provider: .message(hello.with(.syncRequest(request))))
    #expect(pairing.errors == [.untrustedPeer] && pairing.isWithoutTrust)
  }

  @Test func secondHelloOnAConnection() {
    var pairing = TestPairing()
    let hello = pairing.give(scanner: .connected)[0]
    _ = pairing.give(provider: .message(hello))
    _ = pairing.give(provider: .message(hello))
    #expect(pairing.errors == [.invalidPairingSession] && pairing.providing.state == .broken)
  }

  @Test func ackThatAnswersNothing() {
    var pairing = TestPairing()
    let hello = pairing.give(scanner: .connected)[0]
    _ = pairing.give(scanner: .message(hello.with(.ack(SyncAck(peerId: pairing.provider.own.peerId)))))
    #expect(pairing.scanning.state == .broken && pairing.isWithoutTrust)
  }

  @Test func whatIsNoMessage() {
    var pairing = TestPairing()
    #expect(pairing.give(provider: .unreadable(.notAnObject)).isEmpty)
    #expect(pairing.providing.state == .broken)
    pairing = TestPairing()
    _ = pairing.give(provider: .tooLarge)
    #expect(pairing.errors == [.frameTooLarge] && pairing.providing.state == .broken)
    pairing = TestPairing()
    _ = pairing.give(provider: .end)
    #expect(pairing.sent.isEmpty && pairing.providing.state == .unfinished)
  }

  @Test func anErrorOfTheOtherSideIsShownEscaped() {
    var pairing = TestPairing()
    let hello = pairing.give(scanner: .connected)[0]
    _ = pairing.give(
      scanner: .message(hello.with(.error(PeerError(code: "new\u{1b}Word", message: "a\u{202e}b")))))
    #expect(pairing.scanning.state == .refused)
    #expect(pairing.scanning.detail == "new\\u{1b}Word: a\\u{202e}b")
  }
}
