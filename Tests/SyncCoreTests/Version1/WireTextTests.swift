import JSONLines
@testable import SyncCore
import Testing

/// The places of an input's texts, of their lines, and of a delta in a message.
@Suite struct WireTextTests {
  /// The texts, a broken one in brackets.
  private static func texts(_ input: String) -> [String] {
    let bytes = Array(input.utf8)
    var (texts, found) = (WireTexts(), [String]())
    while let text = texts.next(in: bytes.span) {
      switch text {
      case .value(let raw): found.append(String(decoding: bytes[raw], as: UTF8.self))
      case .broken(let error, let raw):
        found.append("<\(String(decoding: bytes[raw], as: UTF8.self))> \(error.code) \(error.offset)")
      }
    }
    return found
  }

  @Test(arguments: [
    ("", []), (" \r\n\t\n", []), ("{}", ["{}"]), (" {} \r\n[]\n", ["{}", "[]"]), ("{\n}\n1", ["{\n}", "1"]),
    ("{}{}\n1\n", ["<{}{}> trailingBytes 2", "1"]), ("{\n}, 2\n1\n", ["<{\n}, 2> trailingBytes 3", "1"]),
    ("{\"a\":\n{}\n", ["<{\"a\":> unexpectedEnd 9", "{}"]), ("x\n1", ["<x> unexpectedByte 0", "1"]),
  ])
  func textsBeginAndEndLines(input: String, expected: [String]) {
    #expect(Self.texts(input) == expected)
  }

  @Test func linesAreCountedForthAndBack() {
    let input = Array("ab\n\ncd\n".utf8)
    var lines = WireLines()
    let places = [0, 1, 4, 5, 3, 2, 7, 0].map { lines.place(of: $0, in: input.span) }
    #expect(places.map(\.line) == [1, 1, 3, 3, 2, 1, 4, 1])
    #expect(places.map(\.offset) == [0, 1, 0, 1, 0, 2, 0, 0])
  }

  @Test(arguments: [
    (#"{"type":"syncResponse","delta":0,"a":1}"#, #"{"type":"syncResponse","delta":X,"a":1}"#),
    (
      "{ \"type\" : \"syncResponse\",\r\n \"d\\u0065lta\" : {\"upserts\":[]} }\n",
      "{ \"type\" : \"syncResponse\", \"d\\u0065lta\" : X }"
    ),
    (#"  {"type":"sync\u0052esponse" }"#, #"{"type":"sync\u0052esponse" ,"delta":X}"#),
    (
      #"{"type":"syncResponse","protocolVersion":1.0}"#,
      #"{"type":"syncResponse","protocolVersion":1.0,"delta":X}"#
    ),
  ])
  func responseKeepsItsBytes(message: String, expected: String) throws {
    let response = try WireResponse(Array(message.utf8).span)
    #expect(String(decoding: response.head + [UInt8(ascii: "X")] + response.tail, as: UTF8.self) == expected)
  }

  @Test(arguments: [
    ("[]", WireError.notAnObject), ("{}", .missingMember("type")), (#"{"type":"ack"}"#, .notASyncResponse),
    (#"{"type":null}"#, .wrongType("type", expected: "a string")),
    (#"{"type":"syncResponse","protocolVersion":2}"#, .incompatibleProtocolVersion),
    (#"{"type":"syncResponse","delta":0,"delta":0}"#, .duplicateMember("delta")),
    (#"{"type":"syncResponse"} {}"#, .json(JSONError(.trailingBytes, at: 24))),
  ])
  func otherMessagesAreRefused(message: String, error: WireError) {
    #expect(throws: WireFailure(error)) { try WireResponse(Array(message.utf8).span) }
  }

  /// A name that another person has chosen cannot control the terminal.
  @Test func namesAreShownHarmless() {
    let name = "a/\u{1B}[31m\u{202E}~" + String(repeating: "x", count: 100)
    let shown = WireFailure(.unknownMember(name), at: [name]).message
    #expect(shown.hasPrefix(#"a~1\u{1b}[31m\u{202e}~0xxx"#))
    #expect(shown.utf8.count < 300)
    #expect(!shown.unicodeScalars.contains { $0.value < 32 || $0.value == 0x202E })
  }
}
