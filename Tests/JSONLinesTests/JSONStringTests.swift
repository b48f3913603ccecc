import JSONLines
import Testing

@Suite struct JSONStringTests {
  /// Raw bytes between quotes and what they decode to.
  private static let decodings: [(raw: String, decoded: String)] = [
    ("", ""), ("a", "a"), (#"\u0061"#, "a"), (#"a\nb"#, "a\nb"),
    (#"\"\\\/\b\f\n\r\t"#, "\"\\/\u{8}\u{C}\n\r\t"),
    (#"\u00e9\u20AC"#, "é€"), (#"\ud83d\ude00!"#, "😀!"), (#"x\u0000y"#, "x\u{0}y"), ("é", "é"),
    ("a name of more than sixteen bytes", "a name of more than sixteen bytes"),
    (#"a name of more than sixteen \u0062ytes"#, "a name of more than sixteen bytes"),
    (#"\u007f\u0080\u07ff\u0800\uffff"#, "\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}"), (#"\\u0061"#, #"\u0061"#),
  ]

  @Test(arguments: decodings)
  func decodes(_ raw: String, _ decoded: String) {
    let text = Array("\"\(raw)\"".utf8)
    let range = 1..<text.count - 1
    #expect(JSONTexts.error(text) == nil)
    #expect(JSONString.decoded(text.span, range).utf8.elementsEqual(decoded.utf8))
    var bytes = Array("before ".utf8)
    JSONString.appendDecoded(text.span, range, to: &bytes)
    #expect(bytes == Array("before \(decoded)".utf8))
  }

  @Test func comparesDecodedWithNames() {
    for (raw, _) in Self.decodings {
      let text = Array("\"\(raw)\"".utf8)
      for (other, decoded) in Self.decodings {
        let isSame = JSONTexts.canonical(text) == JSONTexts.canonical(Array("\"\(other)\"".utf8))
        #expect(
          JSONString.isEqual(text.span, 1..<text.count - 1, to: Array(decoded.utf8)) == isSame,
          "\(raw), \(decoded)")
      }
    }
  }

  @Test func comparesWithStaticNames() {
    let text = Array(#"{"modifiedAt":1,"\u0069d":2}"#.utf8)
    func isEqual(_ raw: Range<Int>, to name: StaticString) -> Bool {
      JSONString.isEqual(text.span, raw, to: name)
    }
    #expect(isEqual(2..<12, to: "modifiedAt"))
    #expect(!isEqual(2..<12, to: "modifiedAT"))
    #expect(!isEqual(2..<12, to: "modifiedA"))
    #expect(!isEqual(2..<12, to: "modifiedAtt"))
    #expect(!isEqual(2..<12, to: ""))
    #expect(isEqual(17..<24, to: "id"))
    #expect(!isEqual(17..<24, to: "ie"))
    #expect(!isEqual(17..<24, to: #"\u0069d"#))
  }

  @Test func ordersByUnsignedBytesOfTheDecodedStrings() {
    let ordered = [
      "", #"\u0000"#, #"\n"#, " ", #"\""#, "A", "a", #"\u0061b"#, "b", "é", #"\ue000"#, #"\ud800\udc00"#,
      "\u{10FFFF}",
    ]
    for (i, a) in ordered.enumerated() {
      for (j, b) in ordered.enumerated() {
        let (aText, bText) = (Array(a.utf8), Array(b.utf8))
        let order = JSONString.compare(aText.span, 0..<aText.count, bText.span, 0..<bText.count)
        #expect(order.signum() == (i - j).signum(), "\(a), \(b)")
        #expect(JSONString.isEqual(aText.span, 0..<aText.count, bText.span, 0..<bText.count) == (i == j))
      }
    }
  }

  @Test(arguments: UInt8.min..<0x80)
  func quotesEveryASCIICharacterBriefly(_ byte: UInt8) {
    let short: [UInt8: String] = [
      0x22: #"\""#, 0x5C: #"\\"#, 0x08: #"\b"#, 0x0C: #"\f"#, 0x0A: #"\n"#, 0x0D: #"\r"#, 0x09: #"\t"#,
      0x00: #"\u0000"#, 0x0B: #"\u000b"#, 0x1F: #"\u001f"#,
    ]
    let decoded = String(Unicode.Scalar(byte))
    var bytes: [UInt8] = []
    JSONString.appendQuoted("ab\(decoded)cdefghi\(decoded)", to: &bytes)
    #expect(JSONTexts.error(bytes) == nil)
    #expect(JSONString.decoded(bytes.span, 1..<bytes.count - 1) == "ab\(decoded)cdefghi\(decoded)")
    #expect(JSONTexts.canonical(bytes) == bytes)
    if let expected = short[byte] ?? (byte >= 0x20 ? decoded : nil) {
      #expect(bytes == Array("\"ab\(expected)cdefghi\(expected)\"".utf8))
    }
  }

  @Test func quotesUTF8AsItIs() {
    var bytes: [UInt8] = []
    JSONString.appendQuoted(utf8: Array("é€😀\u{7F}/".utf8), to: &bytes)
    JSONString.appendQuoted("", to: &bytes)
    #expect(bytes == Array("\"é€😀\u{7F}/\"\"\"".utf8))
  }
}
