@testable import Crypto
import Foundation
import JSONLines
@testable import Links
import Pairing
import SyncCore
import SystemIO
import TestSupport
import Testing

/// Two sides of a pairing, whose messages the test passes on.
@Suite struct PairingSpeakerTests {
  private let folder: TemporaryFolder
  private let identities: [DeviceIdentity]
  private let payload: PairingPayload

  private static let now = Instant("2026-01-01T00:00:00Z")!

  init() throws {
    folder = try TemporaryFolder()
    identities = try ["phone", "laptop"].map { try DeviceIdentity(creating: $0) }
    payload = PairingPayload(
      showing: "phone", session: (0..<16).map { $0 },
      secret: try .make { () throws(SystemError) in try RandomBytes.make(16) }, version: .two,
      expiresAt: Self.now.advanced(by: .seconds(300)),
      publicKeyFingerprint: identities[0].fingerprint.text)
  }

  /// A side that has begun; the one that shows the code is number 0.
  private func side(
    _ number: Int, patience: Duration, over version: ProtocolVersion = .two,
    approve: @escaping (PeerIntroduction) -> Bool
  ) throws -> PairingSpeaker {
    let isProven = version == .two
    var payload = payload
    payload.protocolVersion = version.rawValue
    if !isProven { payload.publicKeyFingerprint = nil }
    let place = folder.path("\(number)")
    let peers = Peers(in: folder.path("trust\(number)"), state: place)
    if number == 0 { try peers.begin(payload, now: Self.now) }
    let speaker = PairingSpeaker(
      .init(
        number == 0 ? .provider : .scanner, payload, identities[number], peers, patience: patience,
        now: { Self.now }, approve: approve))
    speaker.begin(
      LinkFacts(
        version: version, peer: nil, fingerprint: isProven ? identities[1 - number].fingerprint : nil,
        exporter: isProven ? [UInt8](repeating: 7, count: 32) : nil, remote: "192.0.2.7:1",
        selfId: identities[number].peerId, selfName: identities[number].deviceName),
      at: SystemClock.monotonic())
    return speaker
  }

  @Test func aUserMayAnswerMoreSlowlyThanThePeer() throws {
    let shower = try side(0, patience: .milliseconds(200)) { _ in
      Thread.sleep(forTimeInterval: 0.4)
      return true
    }
    let reader = try side(1, patience: .seconds(60)) { _ in true }
    passOn([(reader, shower), (shower, reader), (reader, shower), (shower, reader)])
    #expect(shower.paired != nil && reader.paired != nil)
  }

  /// Root can write everywhere, but not to a folder that is a file.
  @Test(arguments: [0, 1])
  func aPairingThatCannotBeStoredHasFailed(_ number: Int) throws {
    let shower = try side(0, patience: .seconds(60)) { _ in true }
    let reader = try side(1, patience: .seconds(60)) { _ in true }
    let sides = [shower, reader]
    passOn([(reader, shower), (shower, reader)])
    try folder.write("", to: "trust\(number)")
    passOn([(reader, shower), (shower, reader)])
    let failed = sides[number]
    #expect(failed.paired == nil && failed.finished == nil && failed.isDone && failed.hasGivenUp)
    let failure = try #require(failed.failure as? TrustError)
    #expect(Diagnostic(failure).code == .cannotCreate)
    // The side that shows the code stores its peer first.
    #expect((sides[1 - number].paired != nil) == (number == 1))
  }

  /// A device whose pairing was reported as failed must not be trusted.
  @Test(arguments: ProtocolVersion.allCases)
  func aPairingWhoseSessionCannotBeStoredLeavesNoTrust(_ version: ProtocolVersion) throws {
    let shower = try side(0, patience: .seconds(60), over: version) { _ in true }
    let reader = try side(1, patience: .seconds(60), over: version) { _ in true }
    passOn([(reader, shower), (shower, reader)])
    // The file can be read and locked, but a temporary name beside it is too long.
    let file = folder.path("0/pairing-sessions.jsonl")
    let long = folder.path("0/" + String(repeating: "s", count: 250))
    try FileManager.default.moveItem(atPath: file, toPath: long)
    try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: long)
    passOn([(reader, shower)])
    #expect(shower.paired == nil && shower.failure is TrustError)
    let peers = Peers(in: folder.path("trust0"), state: folder.path("0"))
    #expect(try peers.load().records.isEmpty)
    let session = try #require(try peers.sessions().load().session(payload.sessionId))
    #expect(session.bound != nil && !session.isDone)
  }

  /// Passes on what the first of each pair says to the second one.
  private func passOn(_ turns: [(PairingSpeaker, PairingSpeaker)]) {
    for (from, to) in turns {
      // As in a loop: one time for all that happens in a turn.
      let now = SystemClock.monotonic()
      to.advance(at: now)
      let said = from.takeOutput(1 << 20, at: now)
      to.hear(said.span, at: now)
    }
  }
}
