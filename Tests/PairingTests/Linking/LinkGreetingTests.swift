@testable import SyncCore
import Pairing
import Testing

struct LinkGreetingTests {
  @Test func aWelcomeIsAFrame() {
    let frame = LinkGreeting.welcomeFrame
    #expect(frame == [0, 0, 0, 2, 0x7b, 0x7d])
    #expect(LinkGreeting(frame: frame) == .welcome)
    for count in 0...frame.count {
      let needed = LinkGreeting.byteCount(Array(frame.prefix(count)))
      #expect(needed == (count < 4 ? 4 : frame.count))
    }
  }

  @Test func aRefusalIsAnErrorMessage() throws {
    let error = PeerError(.busy, "later")
    let id = try #require(UUIDText("A0000000-0000-4000-8000-000000000000"))
    let now = try #require(Instant(seconds: 1_700_000_000))
    let frame = LinkGreeting.frame(of: Message(id: id, version: .two, sentAt: now, body: .error(error)))
    #expect(LinkGreeting.byteCount(frame) == frame.count)
    #expect(LinkGreeting(frame: frame) == .refused(error))
    let message = try Message(parsing: frame.span.extracting(4..<frame.count))
    #expect(message.body == .error(error))
  }

  @Test(arguments: ["", "{ }", "[]", "null", #"{"type":"ack"}"#, #"{"type":"error"}"#, "\u{0}"])
  func nothingElseIsAGreeting(payload: String) {
    let frame = [0, 0, 0, UInt8(payload.utf8.count)] + Array(payload.utf8)
    #expect(LinkGreeting(frame: frame) == nil)
  }

  @Test func aLongOneIsNotReadAtAll() {
    #expect(LinkGreeting.byteCount([0, 0, 0x20, 0]) == 4 + 8_192)
    #expect(LinkGreeting.byteCount([0, 0, 0x20, 1]) == nil)
    #expect(LinkGreeting.byteCount(Array("HTTP".utf8)) == nil)
  }

  @Test func theFirstMessageOfVersion1IsOfVersion1() throws {
    func frame(
      _ version: Int, _ rest: String = #""type":"ack","peerId":"a","ackTokenData":"""#
    ) -> [UInt8] {
      let text =
        #"{"id":"6F2C9A4E-0000-4000-8000-000000000001","protocolVersion":\#(version),"#
        + #""sentAt":"2026-01-01T07:06:01Z",\#(rest)}"#
      return [0, 0, 0, UInt8(text.utf8.count)] + Array(text.utf8)
    }
    #expect(try FirstMessage.read(frame: frame(1)).peerId == "a")
    #expect(throws: MessageError.incompatibleProtocolVersion("3")) { try FirstMessage.read(frame: frame(3)) }
    // Whatever else is wrong with it: in another version it may be right.
    for rest in [#""type":"ack""#, #""type":"hallo""#, #""type":"pairHello","pairingSecret":"x""#] {
      #expect(throws: MessageError.incompatibleProtocolVersion("2"), "\(rest)") {
        try FirstMessage.read(frame: frame(2, rest))
      }
    }
    #expect(throws: MessageError.self) { try FirstMessage.read(frame: [0, 0, 0, 1, 0x7b]) }
  }
}
