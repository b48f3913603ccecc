import JSONLines
import Testing

/// Texts in which characters join: a mark joins the character before it, some letters the one after them.
@Suite struct StringBytesTests {
  @Test(arguments: [
    ("a/b", ["a", "b"]), ("", [""]), ("/", ["", ""]), ("a/\u{301}b", ["a", "\u{301}b"]),
    ("a\u{D4E}/b", ["a\u{D4E}", "b"]), ("a\u{2044}b", ["a\u{2044}b"]),
  ])
  func partsAreBetweenBytes(text: String, parts: [String]) {
    #expect(text.parts(at: "/").map { Array($0.utf8) } == parts.map { Array($0.utf8) })
  }

  /// U+037E is equivalent to a semicolon.
  @Test func equivalentScalarsAreOtherBytes() {
    #expect("a\u{37E}b".parts(at: ";").count == 1)
    #expect("a;b".parts(at: ";").count == 2)
  }

  @Test func endsAreBytes() {
    #expect("a\u{D4E}-wal".endsInBytes(of: "-wal") && "x".endsInBytes(of: ""))
    #expect(!"wal".endsInBytes(of: "-wal") && !"e\u{301}".endsInBytes(of: "\u{E9}"))
  }
}
