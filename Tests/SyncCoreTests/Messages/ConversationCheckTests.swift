import SyncCore
import TestSupport
import Testing

@Suite struct ConversationCheckTests {
  private func codes(_ lines: [String], limits: ConversationCheck.Limits = .init()) -> [String] {
    var check = ConversationCheck(limits)
    return lines.flatMap { line -> [String] in
      let bytes = Array(line.utf8)
      guard let place = try? ConversationLine(bytes.span) else { return ["none"] }
      return check.take(bytes.span, place.message).map(\.code.rawValue)
    }
  }

  /// Every message by itself: what the vectors refuse is a finding or no message at all.
  @Test(arguments: MessageVector.all)
  func refusedMessagesAreFindings(_ vector: MessageVector) {
    let codes = codes([vector.text])
    let ownFault = ["unknownType", "incompatibleProtocolVersion", "secretInClear", "invalidMessage", "none"]
    #expect(codes.contains(where: ownFault.contains) == (vector.error != nil))
  }

  @Test func envelopesAreOpened() throws {
    let text = Array(#"{"offset":7,"length":2,"message":{"type":"x"}}"#.utf8)
    let line = try ConversationLine(text.span)
    #expect(line.offset == 7)
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

  /// What a message has besides may look like an envelope.
  @Test func aMessageWithOffsetAndLengthIsAMessage() throws {
    let text = Array(#"{"type":"ack","offset":7,"length":2,"message":{}}"#.utf8)
    #expect(try ConversationLine(text.span).message == 0..<text.count)
  }
}
