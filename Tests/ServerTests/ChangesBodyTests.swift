import JSONLines
import ServerProtocol
import SyncCore
import Testing

/// A page is unchanged after it goes into a body and back.
@Suite struct ChangesBodyTests {
  private static let line =
    Array(#"{"identity":{"id":"1"},"modifiedAt":"2025-01-01T00:00:00Z","fields":{}}"#.utf8) + [10]

  /// Base64 may have line breaks, but a body has it on one line.
  @Test func tokenIsWrittenInOnePiece() throws {
    let body = try ChangesBody(parsing: Array(#"{"newTokenData":"AAEC\nAwQF"}"#.utf8))
    #expect(body.token == "AAECAwQF")
    #expect(try ChangesBody(parsing: body.text) == body)
  }

  @Test func aPageComesBack() throws {
    var page = StorePage(lines: Self.line + Self.line, token: [1, 2, 255])
    page.resync = ResyncFacts(heldToken: [9], quarantinedKeys: ["[\"Task\",{\"id\":\"1\"}]", "\u{e9}\n"])
    page.rules = Array(#"{"key":["/id"]}"#.utf8)
    let body = try ChangesBody(parsing: ChangesBody(page).text)
    #expect(body.lines == page.lines && body.token.flatMap { TokenText.bytes($0) } == page.token)
    #expect(body.resync == page.resync && body.rules == page.rules && body.linesBefore == 2)
  }

  @Test func theLastCheckpointCounts() throws {
    let text =
      #"{"newTokenData":"AQ=="}"# + "\n" + String(decoding: Self.line, as: UTF8.self)
      + #"{"newTokenData":"Ag=="}"#
    let body = try ChangesBody(parsing: Array(text.utf8))
    #expect(body.token == "Ag==")
    #expect(body.lines == Array(#"{"newTokenData":"AQ=="}"#.utf8) + [10] + Self.line)
  }

  @Test(arguments: ["", "\r"]) func blankLinesOnlyCount(blank: String) throws {
    let line = String(decoding: Self.line, as: UTF8.self)
    let text = [blank, #"{"rules":{}}"#, blank, line + blank, #"{"newTokenData":"AQ=="}"#, " \t", blank, ""]
    let body = try ChangesBody(parsing: Array(text.joined(separator: "\n").utf8))
    #expect(body.rules == Array("{}".utf8) && body.linesBefore == 3 && body.token == "AQ==")
    #expect(body.lines == Self.line + Array((blank + "\n").utf8))
    #expect(try ChangesBody(parsing: Array("\n \n".utf8)).lines.isEmpty)
  }

  @Test func anEmptyBodyIsAnEmptyPage() throws {
    let body = try ChangesBody(parsing: [])
    #expect(body == ChangesBody())
  }

  @Test(arguments: [
    (#"{"rules":7}"#, ErrorCode.wrongType, 1), (#"{"rules":{}"#, .unexpectedEnd, 1),
    (#"{"resync":{"heldToken":"?","quarantinedKeys":[]}}"#, .wrongType, 1),
    (#"{"resync":{"heldToken":"","quarantinedKeys":[1]}}"#, .wrongType, 1),
    (#"{"rules":{}}"# + "\n" + #"{"resync":[]}"#, .wrongType, 2),
    ("{}\n\n" + #"{"newTokenData":"%"}"#, .invalidToken, 3), (#"{"newTokenData":1}"#, .invalidToken, 1),
    ("{}\n" + #"{"newTokenData":"\#(String(repeating: "AAAA", count: 257))"}"#, .invalidToken, 2),
  ])
  func whatIsWrongIsNamedByItsLine(text: String, code: ErrorCode, line: Int) {
    let error = #expect(throws: Diagnostic.self) { try ChangesBody(parsing: Array(text.utf8)) }
    #expect(error?.code == code && error?.line == line)
  }

  /// Parsed, a line takes much more memory.
  @Test(arguments: [
    #""rules":{"#, #""resync":{"heldToken":"","quarantinedKeys":[],"#, #""newTokenData":"","more":{"#,
  ])
  func aLineThatIsTooLongIsNotParsed(beginning: String) {
    let end = #""x":"\#(String(repeating: "x", count: 8 << 20))"}}"#
    let error = #expect(throws: Diagnostic.self) {
      try ChangesBody(parsing: Array("{\(beginning)\(end)".utf8))
    }
    #expect(error?.code == .wrongType && error?.line == 1)
  }

  @Test func tokensGoIntoQueries() {
    #expect("a+/=~ é".percentEncoded == "a%2B%2F%3D~%20%C3%A9")
  }
}
