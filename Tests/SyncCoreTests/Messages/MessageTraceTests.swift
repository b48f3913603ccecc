import Captures
import JSONLines
import SyncCore
import Testing

/// Frames that pass, as lines.
@Suite struct MessageTraceTests {
  private static func frames(_ messages: [String]) -> [UInt8] {
    var bytes: [UInt8] = []
    for text in messages {
      FramePrefix.u32be.appendHeader(length: text.utf8.count, to: &bytes)
      bytes += text.utf8
    }
    return bytes
  }

  private static func lines(_ bytes: [UInt8], pieces: Int) -> String {
    var trace = MessageTrace()
    var lines: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      let piece = Array(bytes[start..<min(bytes.count, start + pieces)])
      lines += trace.lines(after: piece.span, [JSONMember("stream", 1)])
    }
    let none: [UInt8] = []
    lines += trace.lines(after: none.span, isFinal: true, [JSONMember("stream", 1)])
    return String(decoding: lines, as: UTF8.self)
  }

  @Test(arguments: [1, 2, 3, 7, 1_000])
  func piecesMakeNoDifference(_ pieces: Int) {
    let bytes = Self.frames([#"{"type":"ack"}"#, "{\n}", #"{"type":"error","é":"ü"}"#])
    #expect(
      Self.lines(bytes, pieces: pieces) == """
        {"stream":1,"offset":0,"length":14,"message":{"type":"ack"}}
        {"stream":1,"offset":18,"length":3,"message":{}}
        {"stream":1,"offset":25,"length":26,"message":{"type":"error","é":"ü"}}

        """)
  }

  @Test func noSecretIsTold() {
    let bytes = Self.frames([
      #"{"pairingSecret":"a","type":"pairHello","pairing\u0050roof":["b",{"c":1}],"more":{"pairingSecret":"d"},"x":"pairingProof"}"#,
      #"[{"pairingSecret" : [1,{"pairingProof":"a"}]},"pairingSecret",{"a":[[{"pairingProof":null}]]}]"#,
    ])
    #expect(
      Self.lines(bytes, pieces: 10) == """
        {"stream":1,"offset":0,"length":122,"message":{"pairingSecret":"…","type":"pairHello","pairing\\u0050roof":"…","more":{"pairingSecret":"…"},"x":"pairingProof"}}
        {"stream":1,"offset":126,"length":94,"message":[{"pairingSecret" : "…"},"pairingSecret",{"a":[[{"pairingProof":"…"}]]}]}

        """)
  }

  @Test func noSecretIsToldHoweverDeep() {
    let text =
      String(repeating: #"{"pairing":[{"a":"#, count: 160) + #"{"pairingSecret":"told"}"#
      + String(repeating: "}]}", count: 160)
    let lines = Self.lines(Self.frames([text]), pieces: 1_000)
    #expect(!lines.contains("told") && lines.contains(#"{"pairingSecret":"…"}"#))
  }

  @Test func whatBreaksOffIsTold() {
    let whole = Self.frames([#"{"type":"ack"}"#])
    let lines = Self.lines(whole + whole.prefix(10), pieces: 100).split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[1].contains(#""offset":18"#) && lines[1].contains("truncatedPayload"))
    #expect(Self.lines(Array("GET / HTTP/1.1\r\n\r\n".utf8), pieces: 3).contains("frameTooLarge"))
  }
}
