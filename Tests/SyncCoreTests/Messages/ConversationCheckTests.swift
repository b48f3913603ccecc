import Captures
import SyncCore
import TestSupport
import Testing

@Suite struct ConversationCheckTests {
  private func codes(_ lines: [String], limits: ConversationCheck.Limits = .init()) -> [String] {
    var check = ConversationCheck(limits)
    return lines.flatMap { line -> [String] in
      let bytes = Array(line.utf8)
      guard let place = try? ConversationLine(bytes.span) else { return ["none"] }
      return check.check(bytes.span, place.message).map(\.code.rawValue)
    }
  }

  // MARK: Faults that end a dialogue with 76

  private static func message(_ number: Int, _ type: String, _ peer: String, _ rest: String) -> String {
    let id = "6F2C9A4E-0000-4000-8000-00000000000\(number)"
    return
      #"{"id":"\#(id)","protocolVersion":2,"sentAt":"2026-01-01T07:06:01Z","type":"\#(type)","peerId":"\#(peer)",\#(rest)}"#
  }

  private static func request(_ number: Int, _ rest: String = "") -> String {
    let digest = String(repeating: "0", count: 64)
    return message(number, "syncRequest", "phone", #""deviceName":"P","rulesDigest":"\#(digest)"\#(rest)"#)
  }

  private static func reply(to number: Int) -> String {
    #""inReplyTo":"6F2C9A4E-0000-4000-8000-00000000000\#(number)""#
  }

  private static let change = #"{"entityName":"E","identity":{"id":"1"},"fields":{}}"#

  private static func response(
    _ number: Int, to request: Int, _ token: String, _ lines: String = change, _ rest: String = ""
  ) -> String {
    let delta = #""delta":{"upserts":[],"deletes":[],"newTokenData":"\#(token)"}"#
    return message(
      number, "syncResponse", "mac",
      #"\#(reply(to: request)),"deviceName":"M",\#(delta),"changes":[\#(lines)]\#(rest)"#)
  }

  private static func ack(_ number: Int, to response: Int, _ token: String) -> String {
    message(number, "ack", "phone", #"\#(reply(to: response)),"ackTokenData":"\#(token)""#)
  }

  private static let hasMore = #","hasMore":true"#
  private static let facts = #","heldTokenData":"","quarantinedKeys":[]"#
  private static let since = #","sinceTokenData":"QUI=""#
  private static let firstPage = [
    request(1), response(2, to: 1, "QUI=", change, hasMore), ack(3, to: 2, "QUI="),
  ]

  @Test(arguments: [
    // An ack of the previous page, and an ack in reply to the previous response.
    firstPage + [request(4, since), response(5, to: 4, "QUM="), ack(6, to: 5, "QUI=")],
    firstPage + [request(4, since), response(5, to: 4, "QUM="), ack(6, to: 2, "QUM=")],
    // A page before the last: without lines, without a token, or with the requested token.
    [request(1), response(2, to: 1, "QUI=", "", hasMore)],
    [request(1), response(2, to: 1, "", change, hasMore)],
    firstPage + [request(4, since), response(5, to: 4, "QUI=", change, hasMore)],
    // The facts of a resync, missing or not requested.
    [request(1, #","resync":true"#), response(2, to: 1, "QUI=")],
    [request(1), response(2, to: 1, "QUI=", change, facts)],
  ])
  func whatEndsADialogueIsAFinding(_ lines: [String]) {
    #expect(codes(lines) == ["unexpectedMessage"])
  }

  @Test(arguments: [
    firstPage + [request(4, since), response(5, to: 4, "QUI=", ""), ack(6, to: 5, "QUI=")],
    [
      request(1, #","resync":true"#), response(2, to: 1, "QUI=", change, hasMore + facts),
      ack(3, to: 2, ""), request(4, since), response(5, to: 4, "QUM="), ack(6, to: 5, "QUM="),
    ],
  ])
  func pagesAndAResyncInOrderAreNoFindings(_ lines: [String]) {
    #expect(codes(lines) == [])
  }

  /// A message of another version is read with the members that it should have.
  @Test(arguments: 0..<3)
  func theVersionAloneIsAFinding(index: Int) {
    var lines = [
      Self.request(1, #","resync":true"#), Self.response(2, to: 1, "QUI=", Self.change, Self.facts),
      Self.ack(3, to: 2, "QUI="),
    ]
    lines[index] = lines[index].replacing(#"Version":2"#, with: #"Version":1"#)
    #expect(codes(lines) == ["versionChanged"])
  }

  /// Every message separately: those that the vectors refuse are a finding or no message at all.
  @Test(arguments: MessageVector.all)
  func refusedMessagesAreFindings(_ vector: MessageVector) {
    let codes = codes([vector.text])
    let ownFault = ["unknownType", "incompatibleProtocolVersion", "secretInClear", "invalidMessage", "none"]
    #expect(codes.contains(where: ownFault.contains) == (vector.error != nil))
  }

  @Test func envelopesAreOpened() throws {
    let text = Array(#"{"offset":7,"length":2,"message":{"type":"x"}}"#.utf8)
    let line = try ConversationLine(text.span)
    #expect(line.place.offset == 7)
    #expect(String(decoding: text[line.message], as: UTF8.self) == #"{"type":"x"}"#)
  }

  @Test(arguments: [
    #"{"offset":7,"length":2,"error":{"code":"x","message":"y"}}"#,
    #"{"offset":7,"length":2,"payload":"AA=="}"#,
    #"{"offset":7,"length":2,"message":[]}"#, "[]", "{}", #"{"id":"1"}"#, "{",
  ])
  func otherLinesAreNoMessages(_ line: String) {
    #expect(throws: ConversationLine.Failure.self) { try ConversationLine(Array(line.utf8).span) }
  }

  @Test(arguments: [
    (#"{"code":"truncatedPayload","message":"truncated\u001b"}"#, "truncatedPayload", #"truncated\u{1b}"#),
    (#"{"code":"missingBytes","message":"7 bytes are missing"}"#, "missingBytes", "7 bytes are missing"),
    (#"{"code":7,"message":null}"#, "", ""), ("[]", "", ""),
  ])
  func theEnvelopeOfLostBytesSaysWhy(error: String, code: String, reason: String) throws {
    let line = Array(#"{"stream":3,"offset":7,"length":2,"error":\#(error)}"#.utf8)
    let failure = try #require(throws: ConversationLine.Failure.self) { try ConversationLine(line.span) }
    guard case .lost(let place, let bytes) = failure else { return #expect(Bool(false), "\(failure)") }
    #expect(place == MessagePlace(offset: 7, length: 2, stream: 3))
    #expect(bytes == .init(code: code, reason: reason) && bytes.isGap == (code == "missingBytes"))
  }

  /// Other members of a message may look like an envelope.
  @Test func aMessageWithOffsetAndLengthIsAMessage() throws {
    let text = Array(#"{"type":"ack","offset":7,"length":2,"message":{}}"#.utf8)
    #expect(try ConversationLine(text.span).message == 0..<text.count)
  }
}
