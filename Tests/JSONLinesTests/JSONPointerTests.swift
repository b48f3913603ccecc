import JSONLines
import Testing

@Suite struct JSONPointerTests {
  /// The document of RFC 6901 §5.
  private static let document = Array(
    #" { "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8 } "#
      .utf8)

  private func find(_ pointer: String, in text: [UInt8]) throws -> String? {
    switch try #require(JSONPointer(pointer)).find(in: text.span, JSONTexts.value(text)) {
    case .found(let range): String(decoding: text[range], as: UTF8.self)
    case .absent: nil
    case .duplicate(let name): "twice: \(name)"
    }
  }

  @Test(arguments: [
    ("/foo", #"["bar", "baz"]"#), ("/foo/0", #""bar""#), ("/foo/1", #""baz""#), ("/", "0"), ("/a~1b", "1"),
    ("/c%d", "2"),
    ("/e^f", "3"), ("/g|h", "4"), (#"/i\j"#, "5"), (#"/k"l"#, "6"), ("/ ", "7"), ("/m~0n", "8"),
  ])
  func findsTheExamplesOfTheRFC(_ pointer: String, _ expected: String) throws {
    #expect(try find(pointer, in: Self.document) == expected)
  }

  @Test func findsTheWholeDocument() throws {
    #expect(try find("", in: Array(" [1] ".utf8)) == "[1]")
  }

  @Test(arguments: [
    "/bar", "/foo/2", "/foo/-", "/foo/00", "/foo/01", "/foo/+1", "/foo/1e0", "/foo/", "/foo/0/0", "//",
    "/foo/99999999999999999999",
  ])
  func findsNothing(_ pointer: String) throws {
    #expect(try find(pointer, in: Self.document) == nil)
  }

  @Test(arguments: ["a", "foo/bar", "~", "/~", "/~2", "/a~", "/a~/b", "#/a", " /a"])
  func refuses(_ pointer: String) {
    #expect(JSONPointer(pointer) == nil)
  }

  @Test func splitsIntoTokens() throws {
    #expect(try #require(JSONPointer("")).tokens == [])
    #expect(try #require(JSONPointer("/")).tokens == [""])
    #expect(try #require(JSONPointer("/a//b~01/")).tokens == ["a", "", "b~1", ""])
  }

  @Test func comparesTokensAsBytes() {
    #expect(JSONPointer("/a") == JSONPointer("/a"))
    #expect(JSONPointer("/a/b") != JSONPointer("/ab"))
    #expect(JSONPointer("/\u{E9}") != JSONPointer("/e\u{301}"))
    #expect(Set([JSONPointer("/\u{E9}"), JSONPointer("/e\u{301}"), JSONPointer("/\u{E9}")]).count == 2)
  }

  @Test func reportsMembersGivenTwiceOnTheWay() throws {
    let text = Array(#"{"a":{"b":1,"c":2,"\u0062":3},"d":4,"d":5}"#.utf8)
    #expect(try find("/a/b", in: text) == "twice: b")
    #expect(try find("/d", in: text) == "twice: d")
    #expect(try find("/d/x", in: text) == "twice: d")
    #expect(try find("/a/c", in: text) == "2")
  }

  @Test func findsByDecodedName() throws {
    #expect(try find("/é", in: Array(#"{"\u00e9":{"x":[]}}"#.utf8)) == #"{"x":[]}"#)
    #expect(try find("/e\u{301}", in: Array(#"{"\u00e9":1}"#.utf8)) == nil)
  }

  @Test func passesOverBracketsInStrings() throws {
    let text = Array(#"{"a":["]}\"",{"b":"}\\"}],"c":true}"#.utf8)
    #expect(try find("/c", in: text) == "true")
    #expect(try find("/a/1/b", in: text) == #""}\\""#)
  }
}
