import Pairing
import SyncCore
import Testing

/// Errors of the first apps in pairing, each with a test of its name: nobody becomes trusted by them.
@Suite struct PairingDefectTests {
  // MARK: pairDone checks neither session nor secret, so anyone who can connect becomes trusted

  @Test(arguments: ProtocolVersion.allCases)
  func pairDoneWithoutPairHello(version: ProtocolVersion) {
    var pairing = TestPairing(version)
    let hello = pairing.give(scanner: .connected)[0]
    let done = PairReply(sessionId: TestPairing.session, peer: pairing.scanner.own)
    _ = pairing.give(provider: .message(hello.with(.pairDone(done))))
    #expect(pairing.errors == [.invalidPairingSession])
    #expect(pairing.providing.state == .refused && pairing.isWithoutTrust)
  }

  @Test(arguments: ProtocolVersion.allCases)
  func pairDoneOfAnotherSession(version: ProtocolVersion) {
    var pairing = TestPairing(version)
    pairing.run { message in
      guard case .pairDone(var done) = message.body else { return [message] }
      done.sessionId = UUIDText(random: [UInt8](repeating: 7, count: 16))
      return [message.with(.pairDone(done))]
    }
    #expect(pairing.errors.contains(.invalidPairingSession) && pairing.provider.trust.records.isEmpty)
  }

  @Test(arguments: ProtocolVersion.allCases)
  func pairDoneOfAnotherPeer(version: ProtocolVersion) {
    let other = TestDevice(9, "Tablet", version).own
    var pairing = TestPairing(version)
    pairing.run { message in
      guard case .pairDone(var done) = message.body else { return [message] }
      done.peer = other
      return [message.with(.pairDone(done))]
    }
    #expect(pairing.errors.contains(.untrustedPeer) && pairing.provider.trust.records.isEmpty)
  }

  // MARK: an unsolicited pairConfirm is accepted

  @Test(arguments: ProtocolVersion.allCases)
  func unsolicitedPairConfirm(version: ProtocolVersion) {
    var pairing = TestPairing(version)
    var other = TestPairing(version)
    let hello = other.give(scanner: .connected)
    let confirm = other.give(provider: .message(hello[0]))[0]
    // To a side that has not asked, and to a side that never asks.
    _ = pairing.give(scanner: .message(confirm))
    _ = pairing.give(provider: .message(confirm))
    #expect(pairing.scanning.state == .broken && pairing.providing.state == .broken)
    #expect(pairing.isWithoutTrust)
  }

  @Test func pairConfirmInReplyToAnotherHello() {
    var pairing = TestPairing()
    pairing.run { message in
      guard message.kind == .pairConfirm else { return [message] }
      var other = message
      other.inReplyTo = UUIDText(random: [UInt8](repeating: 7, count: 16))
      return [other]
    }
    #expect(pairing.errors.contains(.invalidPairingSession) && pairing.isWithoutTrust)
  }

  // MARK: secret in clear text

  @Test func secretInClearText() {
    var pairing = TestPairing()
    pairing.run()
    for message in pairing.sent {
      let text = String(decoding: message.line, as: UTF8.self)
      #expect(!text.lowercased().contains(TestPairing.secret.text.lowercased()))
    }
    var again = TestPairing()
    _ = again.give(provider: .unreadable(.secretInClear))
    #expect(again.errors == [.invalidPairingSecret] && again.providing.state == .refused)
  }

  // MARK: reusable

  @Test(arguments: ProtocolVersion.allCases)
  func secretReused(version: ProtocolVersion) {
    var first = TestPairing(version)
    first.run()
    var second = TestPairing(version, first.provider, TestDevice(3, "Other", version))
    second.run()
    #expect(second.errors == [.invalidPairingSession])
    #expect(second.provider.trust.records.count == 1 && second.scanner.trust.records.isEmpty)
  }

  @Test func proofReplayedOnAnotherConnection() {
    var first = TestPairing(exporter: 1)
    let hello = first.give(scanner: .connected)[0]
    var second = TestPairing(exporter: 2)
    _ = second.give(provider: .message(hello))
    #expect(second.errors == [.invalidPairingSecret] && second.isWithoutTrust)
  }

  /// Somebody in between passes the messages on, over a connection of their own to the provider; the exporter alone
  /// would not tell the two connections apart here.
  @Test func proofRelayedThroughAnotherKey() {
    let middle = TestDevice(5, "Middle").key
    let (provider, scanner) = (TestDevice(1, "Study"), TestDevice(2, "Tablet"))
    let payload = TestPairing.payload(.two, provider)
    var pairing = TestPairing(.two, provider, scanner)
    pairing.providing = PairingMachine(
      TestPairing.context(.provider, .two, payload, provider, seeing: middle, 1))
    pairing.run()
    #expect(pairing.errors == [.invalidPairingSecret] && pairing.isWithoutTrust)
  }

  @Test func scannersProofIsNotTheProviders() {
    var pairing = TestPairing()
    var hello = ""
    pairing.run { message in
      if case .pairHello(let body) = message.body, case .proof(let proof) = body.evidence { hello = proof }
      guard case .pairConfirm(var confirm) = message.body else { return [message] }
      confirm.proof = hello
      return [message.with(.pairConfirm(confirm))]
    }
    #expect(pairing.errors.contains(.invalidPairingSecret) && pairing.scanner.trust.records.isEmpty)
  }

  // MARK: compared in variable time

  /// Every comparison of a secret or proof uses the given function.
  @Test(arguments: ProtocolVersion.allCases)
  func secretComparedInVariableTime(version: ProtocolVersion) {
    var pairing = TestPairing(version)
    var context = pairing.providing.context
    context.areEqual = { _, _ in false }
    pairing.providing = PairingMachine(context)
    pairing.run()
    #expect(pairing.errors == [.invalidPairingSecret] && pairing.isWithoutTrust)
  }

  // MARK: no attempt limit

  @Test(arguments: ProtocolVersion.allCases)
  func fourthAttemptIsRefusedEvenIfRight(version: ProtocolVersion) {
    var provider = TestDevice(1, "Study", version)
    let wrong = TestPairing.payload(
      version, provider, PairingSecret(bytes: (0..<16).map { UInt8($0) &* 31 ^ 7 }))
    for attempt in 1...3 {
      var pairing = TestPairing(version, provider)
      pairing.scanning = PairingMachine(
        TestPairing.context(.scanner, version, wrong, pairing.scanner, seeing: provider.key, 1))
      pairing.run()
      #expect(pairing.errors == [.invalidPairingSecret])
      #expect(pairing.provider.session?.wrongProofs == attempt)
      provider = pairing.provider
    }
    var pairing = TestPairing(version, provider)
    pairing.run()
    #expect(pairing.errors == [.invalidPairingSession] && pairing.isWithoutTrust)
  }

  @Test func proofsForOtherSessionsDoNotCount() {
    var pairing = TestPairing()
    var hello = pairing.give(scanner: .connected)[0]
    guard case .pairHello(var body) = hello.body else { return }
    body.sessionId = UUIDText(random: [UInt8](repeating: 7, count: 16))
    hello.body = .pairHello(body)
    _ = pairing.give(provider: .message(hello))
    #expect(pairing.errors == [.invalidPairingSession])
    #expect(pairing.provider.session?.wrongProofs ?? 0 == 0)
  }

  // MARK: the fingerprint is never verified

  @Test func fingerprintOfAnotherProvider() {
    let provider = TestDevice(1, "Study")
    var pairing = TestPairing(
      .two, TestDevice(4, "Study"), nil, payload: TestPairing.payload(.two, provider))
    pairing.run()
    #expect(pairing.sent.isEmpty && pairing.scanning.last == .wrongFingerprint && pairing.isWithoutTrust)
  }

  @Test func fingerprintThatIsNotTheConnections() {
    var pairing = TestPairing()
    let other = TestDevice(9, "x").key
    pairing.run { message in
      guard case .pairHello(var hello) = message.body else { return [message] }
      hello.peer.publicKeyFingerprint = other
      return [message.with(.pairHello(hello))]
    }
    #expect(pairing.errors == [.untrustedPeer] && pairing.isWithoutTrust)
  }

  // MARK: trust can be re-keyed by claiming a device name

  @Test(arguments: ProtocolVersion.allCases)
  func trustIsNotRekeyedByClaimingAName(version: ProtocolVersion) {
    let known = TestDevice(7, "Tablet", version)
    var provider = TestDevice(1, "Study", version)
    provider.trust.store(TrustRecord(known.own, version: version, pairedAt: TestPairing.begin))
    var pairing = TestPairing(version, provider, TestDevice(8, "Tablet", version))
    pairing.run()
    // A device of the same name is another device: it is added, and the known one stays as it was.
    #expect(pairing.provider.trust.records.count == 2)
    #expect(pairing.provider.trust.record(of: known.own.peerId)?.introduction == known.own)
  }

  @Test(arguments: ProtocolVersion.allCases)
  func knownIdWithANewKey(version: ProtocolVersion) {
    let known = TestDevice(2, "Tablet", version)
    var impostor = TestDevice(8, "Tablet", version)
    impostor.own.peerId = known.own.peerId
    var provider = TestDevice(1, "Study", version)
    provider.trust.store(TrustRecord(known.own, version: version, pairedAt: TestPairing.begin))
    var pairing = TestPairing(version, provider, impostor)
    pairing.run()
    #expect(pairing.errors == [.untrustedPeer])
    #expect(pairing.provider.trust.records.map(\.introduction) == [known.own])
    // Once it is forgotten, a device may come with a new key.
    provider.trust.forget(known.own.peerId.uppercased())
    pairing = TestPairing(version, provider, impostor)
    pairing.run()
    #expect(pairing.provider.trust.records.map(\.introduction) == [impostor.own])
  }

  // MARK: same-named devices cannot pair

  @Test(arguments: ProtocolVersion.allCases)
  func sameNamedDevicesPair(version: ProtocolVersion) {
    var pairing = TestPairing(version, TestDevice(1, "Phone", version), TestDevice(2, "Phone", version))
    pairing.run()
    #expect(pairing.providing.state == .paired && pairing.scanning.state == .paired)
  }
}
