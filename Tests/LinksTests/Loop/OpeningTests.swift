@testable import Crypto
@testable import Links
import Pairing
import SyncCore
import Testing

/// The decisions of an opening, without a connection.
struct OpeningTests {
  private let phone: DeviceIdentity
  private let laptop: KeyFingerprint
  private let peer = LinkPeer(peerId: "6f2c9a4e-0000-4000-8000-00000000000a", deviceName: "laptop")

  init() throws {
    phone = try DeviceIdentity(creating: "phone")
    laptop = try DeviceIdentity(creating: "laptop").fingerprint
  }

  private func settings(_ side: LinkSettings.Side) -> LinkSettings {
    var settings = LinkSettings(side, identity: phone) { [peer, laptop] in $0 == laptop ? peer : nil }
    settings.sender = { [peer] in
      $0.peerId == peer.peerId ? .success(peer) : .failure(.untrustedSender("not trusted"))
    }
    return settings
  }

  private func opening(isPlain: Bool = false) -> Opening {
    Opening(isPlain: isPlain, deadline: .seconds(10))
  }

  /// Gives the bytes as far as the opening wants them, and says how many those were.
  private func handle(
    _ bytes: [UInt8], by opening: inout Opening, _ settings: LinkSettings, atOnce portion: Int = .max
  ) throws(LinkFailure) -> (verdict: Opening.Verdict?, count: Int) {
    var count = 0
    while count < bytes.count {
      let next = Array(bytes[count...].prefix(min(opening.room, portion)))
      count += next.count
      if let verdict = try opening.handle(next, settings) { return (verdict, count) }
    }
    return (nil, count)
  }

  private func frame(_ payload: String) -> [UInt8] {
    [0, 0, UInt8(payload.utf8.count >> 8), UInt8(payload.utf8.count & 255)] + Array(payload.utf8)
  }

  private func message(_ peerId: String, version: Int = 1) -> [UInt8] {
    frame(
      #"{"id":"6F2C9A4E-0000-4000-8000-000000000001","protocolVersion":\#(version),"#
        + #""sentAt":"2026-01-01T07:06:01Z","type":"ack","peerId":"\#(peerId)","ackTokenData":""}"#)
  }

  // MARK: The handshake

  @Test func aListenerWelcomesAPeer() throws {
    var opening = opening()
    #expect(
      try opening.handleHandshake(provingKey: laptop, settings(.listener))
        == .open(saying: LinkGreeting.welcomeFrame))
    #expect(opening.peer == peer)
  }

  @Test func aConnectorWaitsForTheGreeting() throws {
    var opening = opening()
    #expect(try opening.handleHandshake(provingKey: laptop, settings(.connector)) == nil)
    #expect(opening.step == .greeting && opening.peer == peer)
    // A second end of the handshake has no effect.
    #expect(try opening.handleHandshake(provingKey: nil, settings(.connector)) == nil)
    #expect(opening.step == .greeting && opening.peer == peer)
  }

  @Test(arguments: [LinkSettings.Side.connector, .listener])
  func strangersArePairedWithOnly(side: LinkSettings.Side) throws {
    var settings = settings(side)
    for key in [nil, phone.fingerprint] {
      var opening = opening()
      #expect(throws: LinkFailure.untrustedPeer(key)) {
        try opening.handleHandshake(provingKey: key, settings)
      }
    }
    settings.isPairing = true
    var opening = opening()
    _ = try opening.handleHandshake(provingKey: phone.fingerprint, settings)
    #expect(opening.peer == nil)
    var keyless = self.opening()
    #expect(throws: LinkFailure.untrustedPeer(nil)) { try keyless.handleHandshake(provingKey: nil, settings) }
  }

  @Test func whoHasNoRoomIsToldSo() throws {
    var settings = settings(.listener)
    settings.refusal = { [peer] in $0 == peer ? PeerError(.busy, "later") : nil }
    let busy = PeerError(.busy, "later")
    var opening = opening()
    #expect(try opening.handleHandshake(provingKey: laptop, settings) == .refuse(busy, .busyPeer(busy)))
    #expect(opening.peer == peer)
  }

  @Test func overVersion1TheCallerVouches() throws {
    var settings = settings(.connector)
    settings.vouched = peer
    var opening = opening(isPlain: true)
    #expect(try opening.handleHandshake(provingKey: nil, settings) == .open())
    #expect(opening.peer == peer)
  }

  // MARK: The first frame

  /// Bytes before the end of the handshake belong to nobody yet.
  @Test func nothingIsReadBeforeTheHandshake() throws {
    var opening = opening()
    #expect(try opening.handle([], settings(.connector)) == nil)
    #expect(try opening.handle([0, 0, 0, 2], settings(.connector)) == nil)
    #expect(opening.step == .handshake && opening.room == 4)
  }

  @Test(arguments: [1, 3, .max])
  func whatFollowsTheGreetingIsNotRead(portion: Int) throws {
    var opening = opening()
    _ = try opening.handleHandshake(provingKey: laptop, settings(.connector))
    let bytes = LinkGreeting.welcomeFrame + [1, 2, 3]
    let (verdict, count) = try handle(bytes, by: &opening, settings(.connector), atOnce: portion)
    #expect(verdict == .open() && count == bytes.count - 3)
  }

  @Test func aGreetingMayBeARefusal() throws {
    for (code, failure) in [
      ("busy", LinkFailure.busyPeer(PeerError(code: "busy", message: "why"))),
      ("untrustedPeer", .refusedByPeer("untrustedPeer: why")),
    ] {
      var opening = opening()
      _ = try opening.handleHandshake(provingKey: laptop, settings(.connector))
      let bytes = frame(#"{"type":"error","errorCode":"\#(code)","errorMessage":"why"}"#)
      #expect(throws: failure) { try handle(bytes, by: &opening, settings(.connector)) }
    }
  }

  @Test func nothingElseIsAGreeting() throws {
    for bytes in [Array("HTTP/1.1 400".utf8), frame("[]")] {
      var opening = opening()
      _ = try opening.handleHandshake(provingKey: laptop, settings(.connector))
      #expect(throws: LinkFailure.protocolBroken("the other side does not begin with a greeting")) {
        try handle(bytes, by: &opening, settings(.connector))
      }
    }
  }

  @Test func theFirstMessageSaysWhoIsThere() throws {
    var (opening, settings) = (opening(isPlain: true), settings(.listener))
    #expect(try opening.handleHandshake(provingKey: nil, settings) == nil)
    #expect(opening.step == .firstMessage)
    let bytes = message(peer.peerId)
    let (verdict, count) = try handle(bytes + [9], by: &opening, settings, atOnce: 7)
    #expect(verdict == .open(heard: bytes) && count == bytes.count && opening.peer == peer)
    settings.isPairing = true
    var pairing = self.opening(isPlain: true)
    #expect(try pairing.handleHandshake(provingKey: nil, settings) == .open())
  }

  @Test func aFirstMessageCanBeRefused() throws {
    let settings = settings(.listener)
    for (bytes, code) in [
      (message("somebody"), PeerErrorCode.untrustedPeer),
      (message(peer.peerId, version: 2), .incompatibleProtocolVersion), ([0, 2, 0, 1], .frameTooLarge),
    ] {
      var opening = opening(isPlain: true)
      _ = try opening.handleHandshake(provingKey: nil, settings)
      guard case .refuse(let error, _)? = try handle(bytes, by: &opening, settings).verdict else {
        Issue.record("\(code) is not told")
        continue
      }
      #expect(error.known == code && opening.peer == nil)
    }
  }

  // MARK: Ends

  /// The other side has closed its direction, and says nothing more.
  @Test(arguments: [0, 1, 5])
  func aHalfCloseBeforeTheFrameIsWholeEndsIt(count: Int) throws {
    for side in [LinkSettings.Side.connector, .listener] {
      var opening = opening(isPlain: side == .listener)
      let key = side == .listener ? nil : laptop
      _ = try opening.handleHandshake(provingKey: key, settings(side))
      _ = try handle(Array(LinkGreeting.welcomeFrame.prefix(count)), by: &opening, settings(side))
      #expect(throws: LinkFailure.connectionLost("the connection ended before a message arrived")) {
        try opening.handle([], settings(side))
      }
    }
  }

  @Test func theDeadlineNamesWhatIsMissing() throws {
    let timeouts = settings(.connector).timeouts
    var (greeting, message) = (opening(), opening(isPlain: true))
    #expect(greeting.timeOut(timeouts) == .timedOut("no handshake within 10 s"))
    _ = try greeting.handleHandshake(provingKey: laptop, settings(.connector))
    #expect(greeting.timeOut(timeouts) == .timedOut("no greeting within 10 s"))
    _ = try message.handleHandshake(provingKey: nil, settings(.listener))
    #expect(message.timeOut(timeouts) == .timedOut("no message within 10 s"))
    #expect(LinkPhase.opening(greeting).deadline == .seconds(10))
  }
}
