import JSONLines
import Testing

@Suite struct LineCursorTests {
  private func lines(_ text: String) -> [String] {
    var cursor = LineCursor()
    let bytes = Array(text.utf8)
    var lines: [String] = []
    while let line = cursor.next(in: bytes.span) {
      #expect(line.number == lines.count + 1)
      lines.append(String(decoding: bytes[line.content], as: UTF8.self) + (line.isTerminated ? "|" : ""))
    }
    #expect(cursor.position == bytes.count)
    return lines
  }

  @Test(arguments: [
    ("", []), ("a", ["a"]), ("a\n", ["a|"]), ("a\nb", ["a|", "b"]), ("\n", ["|"]),
    ("\n\na\n", ["|", "|", "a|"]),
    ("a\r\nb\r\n", ["a|", "b|"]), ("\r\n", ["|"]), ("a\r\r\n", ["a\r|"]), ("a\rb\n", ["a\rb|"]),
    ("a\r", ["a\r"]),
    ("\n\r\n", ["|", "|"]),
  ])
  func splits(_ text: String, _ expected: [String]) {
    #expect(lines(text) == expected)
  }

  @Test func splitsLinesOfEveryLength() {
    let contents = (0..<100).map { String(repeating: "x", count: $0) }
    #expect(lines(contents.joined(separator: "\n")) == contents.dropLast().map { $0 + "|" } + [contents[99]])
  }

  @Test func keepsAPartialLineUntilTheEnd() {
    let text = Array("one\ntwo".utf8)
    var cursor = LineCursor()
    #expect(cursor.next(in: text.span, final: false)?.content == 0..<3)
    #expect(cursor.next(in: text.span, final: false) == nil)
    #expect(cursor.position == 4)
    #expect(cursor.next(in: text.span) == LineCursor.Line(content: 4..<7, number: 2, isTerminated: false))
    #expect(cursor.next(in: text.span) == nil)
  }

  @Test(arguments: 1...12)
  func followsAMovingWindow(step: Int) {
    let text = Array("first\r\n\nthird line\r\nfourth".utf8)
    var cursor = LineCursor()
    var window: [UInt8] = []
    var lines: [String] = []
    var rest = text[...]
    while true {
      let isFinal = rest.isEmpty
      while let line = cursor.next(in: window.span, final: isFinal) {
        lines.append("\(line.number) " + String(decoding: window[line.content], as: UTF8.self))
      }
      if isFinal { break }
      window.removeFirst(cursor.position)
      cursor.drop(cursor.position)
      window += rest.prefix(step)
      rest = rest.dropFirst(step)
    }
    #expect(lines == ["1 first", "2 ", "3 third line", "4 fourth"])
  }

  @Test func beginsWhereToldTo() {
    let text = Array("ab\ncd\n".utf8)
    var cursor = LineCursor(start: 3)
    #expect(cursor.next(in: text.span) == LineCursor.Line(content: 3..<5, number: 1, isTerminated: true))
  }
}
