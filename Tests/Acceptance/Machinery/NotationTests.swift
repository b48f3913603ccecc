import Testing

/// The two notations of a transcript.
@Suite struct NotationTests {
  @Test func stepsHoldCommandAndRendering() throws {
    let text = """
      # A comment.
      $ printf '%s\\n' \\
      >   'a'
      a

      b
      ! warning
      ? 65

      # Between.
      $ true
      -- in/a.jsonl --
      {}

      -- b --
      """
    let transcript = try Transcript(notation: text)
    #expect(transcript.steps.map(\.command) == ["printf '%s\\n' \\\n  'a'", "true"])
    #expect(transcript.steps.map(\.expected) == [["a", "", "b", "! warning", "? 65"], []])
    #expect(transcript.steps.map(\.line) == [2, 11])
    #expect(transcript.files.map(\.name) == ["in/a.jsonl", "b"])
    #expect(transcript.files.map(\.text) == ["{}\n\n", ""])
  }

  @Test func carriageReturnsStay() throws {
    let transcript = try Transcript(notation: "$ x\na\r\nb\n")
    #expect(transcript.steps.map(\.expected) == [["a\r", "b"]])
  }

  @Test(arguments: [
    ("a\n$ true\n", NotationError(problem: .outputBeforeCommand, line: 1)),
    ("$ true\n# note\nb\n", NotationError(problem: .outputBeforeCommand, line: 3)),
    ("$ true\n-- ../a --\n", NotationError(problem: .badFileName, line: 2)),
    ("$ true\n-- /a --\n", NotationError(problem: .badFileName, line: 2)),
    ("$ true\n-- a --\n-- a --\n", NotationError(problem: .duplicateFile, line: 3)),
  ])
  func mistakesAreRefused(text: String, error: NotationError) {
    #expect(throws: error) { try Transcript(notation: text) }
  }

  @Test func needsAreRead() throws {
    #expect(try Transcript(notation: "# needs: socat jq\n$ true\n").needs == ["socat", "jq"])
    #expect(try Transcript(markdown: "<!-- needs: socat -->\n").needs == ["socat"])
  }

  @Test func documentsHoldBlocks() throws {
    let text = """
      $ not a step
      ```jsonl a.jsonl
      {"id":"1"}
      ```
      - item
         ````console
         $ cat a.jsonl
         {"id":"1"}
         ````
      ```sh
      exit 1
      ```
      ```console
      $ false
      ? 1
      ```
      """
    let transcript = try Transcript(markdown: text)
    #expect(transcript.files.map(\.name) == ["a.jsonl"])
    #expect(transcript.files.map(\.text) == ["{\"id\":\"1\"}\n"])
    #expect(transcript.steps.map(\.command) == ["cat a.jsonl", "false"])
    #expect(transcript.steps.map(\.line) == [7, 14])
    #expect(transcript.steps.map(\.expected) == [["{\"id\":\"1\"}"], ["? 1"]])
  }

  /// A reader who pastes the page in order would run the command without the file.
  @Test(arguments: ["cat a.jsonl", "./a.jsonl", "true\n> cat <a.jsonl|wc"])
  func aFileAfterACommandThatNamesItIsRefused(command: String) {
    let text = "```console\n$ true\n$ \(command)\n```\n```jsonl a.jsonl\n{}\n```\n"
    let line = text.textLines.firstIndex(of: "```jsonl a.jsonl")! + 1
    #expect(throws: NotationError(problem: .fileAfterUse, line: line)) { try Transcript(markdown: text) }
  }

  @Test func filesStandBeforeTheNextStep() throws {
    let block = "```console\n$ cat ba.jsonl a.jsonl.gz in/a.jsonl\n```\n"
    let transcript = try Transcript(markdown: block + "```jsonl a.jsonl\n{}\n```\n" + block)
    #expect(transcript.files.map(\.step) == [1])
    #expect(transcript.files(before: 0) == [])
    #expect(transcript.files(before: 1).map(\.name) == ["a.jsonl"])
  }

  @Test func openBlockIsRefused() {
    #expect(throws: NotationError(problem: .unclosedBlock, line: 2)) {
      try Transcript(markdown: "text\n```console\n$ true\n")
    }
  }

  @Test func updateReplacesOnlyExpectations() throws {
    let transcript = try Transcript(
      notation: "# a\n$ one\nold\nold\n\n$ two\n\n# b\n$ three\nsame\n-- f --\nx\n")
    let lines = transcript.updated(with: [["new"], ["more"], ["same"]])
    #expect(
      lines == ["# a", "$ one", "new", "", "$ two", "more", "", "# b", "$ three", "same", "-- f --", "x"])
  }

  @Test func updateIndents() throws {
    let transcript = try Transcript(markdown: "1. x\n   ```console\n   $ one\n   old\n   ```\n")
    let lines = transcript.updated(with: [["a", "", "b"]])
    #expect(lines == ["1. x", "   ```console", "   $ one", "   a", "", "   b", "   ```"])
  }
}
