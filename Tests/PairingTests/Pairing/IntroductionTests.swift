@testable import SyncCore
@testable import Pairing
import Testing

/// How an unknown peer may introduce itself, and what it cannot take from others that way.
@Suite struct IntroductionTests {
  private static let key = String(repeating: "0123456789abcdef", count: 4)

  private func run(
    _ version: ProtocolVersion, known: [(PeerIntroduction, ProtocolVersion)] = [],
    scanner change: (inout PeerIntroduction) -> Void
  ) -> TestPairing {
    var provider = TestDevice(1, "Study", version)
    for (peer, version) in known {
      provider.trust.store(TrustRecord(peer, version: version, pairedAt: TestPairing.begin))
    }
    var scanner = TestDevice(2, "Tablet", version)
    change(&scanner.own)
    var pairing = TestPairing(version, provider, scanner)
    pairing.run()
    return pairing
  }

  // MARK: The form

  @Test(
    arguments: ProtocolVersion.allCases,
    [
      String(repeating: "x", count: 64), String(repeating: "é", count: 32), "a\u{7}", "a\u{2028}b", "a\nb",
      "\u{200b}", " ", "\u{2067}\u{2069}", "\u{2800}\u{3164}",
    ])
  func anInvalidName(version: ProtocolVersion, name: String) {
    let pairing = run(version) { $0.deviceName = name }
    #expect(pairing.errors == [.untrustedPeer] && pairing.isWithoutTrust)
    #expect(pairing.providing.detail?.contains("invalid device name") == true)
  }

  /// The provider's name is looked at as well.
  @Test(arguments: ProtocolVersion.allCases)
  func aProvidersNameThatDoesNotDo(version: ProtocolVersion) {
    let provider = TestDevice(1, String(repeating: "x", count: 64), version)
    var pairing = TestPairing(version, provider)
    pairing.run()
    #expect(pairing.errors == [.untrustedPeer] && pairing.isWithoutTrust)
  }

  @Test(
    arguments: ProtocolVersion.allCases,
    [String(repeating: "x", count: 63), "x", "Jan\u{2019}s \u{1f468}\u{200d}\u{1f469}", "\u{5d0}\u{200f}"])
  func aNameThatDoes(version: ProtocolVersion, name: String) {
    let pairing = run(version) { $0.deviceName = name }
    #expect(pairing.provider.trust.records.map(\.deviceName) == [name])
  }

  @Test(arguments: [
    "", "0", key, key.uppercased(), String(key.prefix(31)), String(key.prefix(32)).uppercased(),
    "0123456789abcdefghijklmnopqrstuv", "\u{ff10}123456789abcdef0123456789abcd",
  ])
  func aFingerprintOfVersion1ThatIsNone(fingerprint: String) {
    let pairing = run(.one) { $0.publicKeyFingerprint = fingerprint }
    #expect(pairing.errors == [.untrustedPeer] && pairing.isWithoutTrust)
  }

  @Test(arguments: ["", "6f2c9a4e", "../../etc", "6f2c9a4e-0000-4000-8000-00000000000z"])
  func anIdOfVersion1ThatIsNoUUID(id: String) {
    let pairing = run(.one) { $0.peerId = id }
    #expect(pairing.errors == [.untrustedPeer] && pairing.isWithoutTrust)
  }

  @Test func aRecordOfTheOtherVersionsForm() {
    let line =
      #"{"peerId":"6f2c9a4e-0000-4000-8000-000000000001","deviceName":"Mac","publicKeyFingerprint":""#
    for (version, fingerprint, isGood) in [
      (1, Self.key, false), (2, Self.key, true), (1, String(Self.key.prefix(32)), true),
      (2, String(Self.key.prefix(32)), false),
    ] {
      let text = line + #"\#(fingerprint)","protocolVersion":\#(version),"pairedAt":"2026-01-01T00:00:00Z"}"#
      let list = try? TrustList(parsing: Array(text.utf8))
      #expect((list != nil) == isGood)
    }
  }

  // MARK: Unproven claims block nobody

  private let tablet = TestDevice(2, "Tablet")

  /// Somebody has paired over version 1 with the id of a device that comes later, with a key.
  @Test func anIdTakenOverVersion1() throws {
    var squatter = TestDevice(9, "Squatter", .one).own
    squatter.peerId = tablet.own.peerId.uppercased()
    let pairing = run(.two, known: [(squatter, .one)]) { _ in }
    #expect(pairing.providing.state == .paired && pairing.scanning.state == .paired)
    #expect(pairing.provider.trust.records.map(\.introduction) == [tablet.own])
    let record = try #require(pairing.provider.trust.records.first)
    #expect(record.version == .two && record.lastSuccessfulSyncAt == nil)
  }

  @Test func aKeyTakenOverVersion1() {
    // Such a record can no longer be made; one written by hand does not count either.
    var squatter = TestDevice(9, "Squatter", .one).own
    squatter.publicKeyFingerprint = tablet.own.publicKeyFingerprint
    let pairing = run(.two, known: [(squatter, .one)]) { _ in }
    #expect(pairing.provider.trust.records.map(\.introduction) == [squatter, tablet.own])
  }

  /// No data about the other device is taken over.
  @Test func nothingIsInheritedFromVersion1() throws {
    var list = TrustList()
    var old = TestDevice(9, "Squatter", .one).own
    old.peerId = tablet.own.peerId
    list.store(
      TrustRecord(
        old, version: .one, pairedAt: TestPairing.begin, lastSuccessfulSyncAt: TestPairing.begin))
    list.store(TrustRecord(tablet.own, version: .two, pairedAt: TestPairing.begin))
    #expect(list.records.map(\.lastSuccessfulSyncAt) == [nil])
  }

  /// The other way round the proven one stays.
  @Test func anIdTakenOverVersion2Stays() {
    let pairing = run(.one, known: [(tablet.own, .two)]) { $0.deviceName = "New" }
    #expect(pairing.errors == [.untrustedPeer])
    #expect(pairing.provider.trust.records.map(\.introduction) == [tablet.own])
  }

  // MARK: Names that look alike

  @Test(arguments: [
    "TABLET", "Tab\u{200b}let", "\u{202e}Tablet", "Tablet\u{2069}", " Tablet ", "Ta\u{ad}blet",
    "\u{feff}Tablet", "Tablet\u{fe0f}", "Tab\u{e0041}let", "Tablet\u{3164}",
  ])
  func aNameThatLooksLikeThatOfAProvenPeer(name: String) {
    var proven = tablet.own
    proven.peerId = TestDevice(9, "x").own.peerId
    let pairing = run(.one, known: [(proven, .two)]) { $0.deviceName = name }
    #expect(pairing.errors == [.untrustedPeer] && pairing.provider.trust.records.count == 1)
    let request = Message.Body.syncRequest(SyncRequest(peerId: tablet.own.peerId, deviceName: name))
    var list = TrustList()
    list.store(TrustRecord(proven, version: .two, pairedAt: TestPairing.begin))
    list.store(TrustRecord(TestDevice(2, "Old", .one).own, version: .one, pairedAt: TestPairing.begin))
    let message = Message(id: TestPairing.session, version: .one, sentAt: TestPairing.begin, body: request)
    #expect(list.objection(toSenderOf: message)?.contains("version 2") == true)
  }

  @Test func likeness() {
    let pairs = [
      ("Jan\u{2019}s  Mac", "jan\u{2019}s\u{a0}mac"), ("Caf\u{e9}", "CAFE\u{301}"),
      ("Stra\u{df}e", "STRASSE"),
      ("\u{2800}a\u{2003}b", "A B"),
    ]
    for (one, two) in pairs { #expect(DeviceName.likeness(of: one) == DeviceName.likeness(of: two)) }
    #expect(DeviceName.likeness(of: "Mac 1") != DeviceName.likeness(of: "Mac1"))
    #expect(DeviceName.likeness(of: "\u{200b}\u{202e} \u{2800}") == "")
  }
}
