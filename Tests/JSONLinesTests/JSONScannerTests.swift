import JSONLines
import Testing

@Suite struct JSONScannerTests {
  /// Keeps every member as `name=value`.
  private struct Members: MemberSink {
    var ranges: [(name: Range<Int>, value: Range<Int>)] = []

    mutating func member(in text: Span<UInt8>, name: Range<Int>, value: Range<Int>) {
      ranges.append((name, value))
    }

    func strings(in text: [UInt8]) -> [String] {
      ranges.map { String(decoding: text[$0.name] + "=".utf8 + text[$0.value], as: UTF8.self) }
    }
  }

  private func members(_ string: String) throws -> [String] {
    let text = Array(string.utf8)
    var sink = Members()
    try JSONScanner.validate(text.span, into: &sink)
    return sink.strings(in: text)
  }

  @Test func handsOutTheTopLevelMembers() throws {
    let text =
      " { \"a\" : 1 , \"b\":{\"x\":{\"y\":[{}]},\"z\":2} ,\n\"\":[ {\"q\":0} ] , \"\\u0061\" : \"s\" , \"n\":null}\n"
    #expect(
      try members(text) == [
        "a=1", #"b={"x":{"y":[{}]},"z":2}"#, #"=[ {"q":0} ]"#, #"\u0061="s""#, "n=null",
      ])
  }

  @Test func handsOutTheTextToSinksThatReadIt() throws {
    struct Finder: MemberSink {
      var value: Range<Int>?

      mutating func member(in text: Span<UInt8>, name: Range<Int>, value: Range<Int>) {
        if JSONString.isEqual(text, name, to: "id") { self.value = value }
      }
    }
    let text = Array(#"  {"name":"x","\u0069d":"42","ID":7}"#.utf8)
    var sink = Finder()
    _ = try JSONScanner.scan(text.span, from: 1, into: &sink)
    #expect(sink.value == 24..<28)
  }

  @Test(arguments: ["{}", "[]", #"[{"a":1}]"#, #""{\"a\":1}""#, "1", #"[[{"a":{"b":1}}]]"#])
  func handsOutNothingElse(_ text: String) throws {
    #expect(try members(text) == [])
  }

  @Test func handsOutMembersAfterDeepValues() throws {
    let deep = String(repeating: "[{\"x\":", count: 255) + "1" + String(repeating: "}]", count: 255)
    #expect(try members("{\"a\":\(deep),\"b\":2}") == ["a=\(deep)", "b=2"])
  }

  @Test func scansOneValueAfterAnother() throws {
    let text = Array("  {\"a\":1}\n[2] 3\"4\"true".utf8)
    var sink = Members()
    var ends: [Int] = []
    while ends.last != text.count {
      ends.append(try JSONScanner.scan(text.span, from: ends.last ?? 0, into: &sink))
    }
    #expect(ends == [9, 13, 15, 18, 22])
    #expect(sink.strings(in: text) == ["a=1"])
  }

  @Test func stopsAtTheEndOfASlice() {
    let text = Array(#"{"a":"bcdefghijklmnopqrstuvw"}"#.utf8)
    for count in 0..<text.count {
      let slice = text.span.extracting(0..<count)
      #expect(throws: JSONError(.unexpectedEnd, at: count)) { try JSONScanner.validate(slice) }
    }
  }

  @Test func tellsKindsByTheirFirstByte() {
    let kinds: [(String, JSONKind)] = [
      ("{", .object), ("[", .array), ("\"", .string), ("-0123456789", .number), ("t", .true), ("f", .false),
      ("n", .null),
    ]
    for byte in UInt8.min...UInt8.max {
      let expected = kinds.first { $0.0.utf8.contains(byte) }?.1
      #expect(JSONKind(firstByte: byte) == expected)
    }
  }

  @Test func describesErrorsWithoutPlaces() {
    for code in JSONError.Code.allCases {
      let message = JSONError(code, at: 7).message
      #expect(message.first?.isLowercase == true && message.last != ".")
    }
    #expect(JSONError(.nestingTooDeep, at: 0).message == "nested deeper than 512")
  }
}
