import Testing

/// What a transcript says about a command that has run.
@Suite struct OutcomeTests {
  private func rendering(_ output: String, _ errors: String = "", status: Int32 = 0) -> [String]? {
    Outcome(output: Array(output.utf8), errors: Array(errors.utf8), status: status).rendering
  }

  @Test func nothingIsNothing() { #expect(rendering("") == []) }

  @Test func streamsAndStatus() {
    #expect(rendering("a\nb\n", "c\n\nd\n", status: 65) == ["a", "b", "! c", "!", "! d", "? 65"])
  }

  @Test func missingLineFeedShows() {
    #expect(rendering("a", "b") == ["a", "\\ no newline at end", "! b", "! \\ no newline at end"])
  }

  @Test(arguments: ["$ x", "> x", ">", "! x", "!", "? 1", "# x", "\\x", "-- a --", "```"])
  func whatLooksLikeNotationIsEscaped(line: String) { #expect(rendering(line + "\n") == ["\\" + line]) }

  @Test(arguments: ["$x", "!x", "?", "--", "-- a", "{}"])
  func theRestStands(line: String) { #expect(rendering(line + "\n") == [line]) }

  @Test func blankLines() { #expect(rendering("\na\n\n\n") == ["", "a", "", "\\"]) }

  @Test func carriageReturnsStay() { #expect(rendering("a\r\nb\r\n") == ["a\r", "b\r"]) }

  @Test func binaryIsRefused() { #expect(Outcome(output: [0xff]).rendering == nil) }

  /// Whatever a command prints, its rendering reads back as itself.
  @Test(arguments: ["\n", "a", "$ a\n", "\n\n# b\n\\\n", "-- a --\n", "! x\n? 2\n", "\\ no newline at end\n"])
  func renderingsReadBack(output: String) throws {
    let lines = try #require(rendering(output, "e\n", status: 1))
    let text = (["$ x"] + lines + ["", "$ y"]).map { $0 + "\n" }.joined()
    #expect(try Transcript(notation: text).steps.map(\.expected) == [lines, []])
  }
}
