import Foundation
import Testing

/// An error in a transcript is reported with its place.
@Suite struct TranscriptRunTests {
  private func failures(_ text: String, limit: Duration = Sandbox.hanging) async throws -> [TranscriptRun
    .Failure]
  {
    try await TranscriptRun(Transcript(notation: text), tools: "/nowhere", limit: limit).failures
  }

  @Test func rightTranscriptPasses() async throws {
    let text = "$ cat a; cat b >&2; exit 2\n1\n\n3\n! 2\n? 2\n\n-- a --\n1\n\n3\n-- b --\n2\n"
    #expect(try await failures(text) == [])
  }

  @Test(arguments: [
    "$ echo b\na\n", "$ echo a >&2\na\n", "$ echo a\n", "$ true\na\n", "$ echo a; exit 1\na\n",
  ])
  func wrongTranscriptFails(text: String) async throws {
    #expect(try await failures("# x\n$ true\n\n" + text).map(\.line) == [4])
  }

  @Test func messageShowsBothTexts() async throws {
    let expected = "$ echo b\nexpected:\n    a\nactual:\n    b\n"
    #expect(try await failures("$ echo b\na\n") == [.init(line: 1, message: expected)])
  }

  @Test func everyWrongStepIsReported() async throws {
    #expect(try await failures("$ echo a\nb\n$ echo b\nb\n$ echo c\nb\n").map(\.line) == [1, 5])
  }

  @Test func hangIsReported() async throws {
    let found = try await failures("$ sleep 1000\n$ false\n", limit: .milliseconds(200))
    #expect(found.map(\.line) == [1])
    #expect(found.allSatisfy { $0.message.contains("killed after") })
  }

  @Test func binaryIsReported() async throws {
    #expect(try await failures("$ printf '\\377'\n").map(\.message.isEmpty) == [false])
  }

  private func pasted(_ text: String) async throws -> [TranscriptRun.Failure] {
    try await TranscriptRun(pasting: Transcript(notation: text), tools: "/nowhere").failures
  }

  @Test func aDocumentIsOneShell() async throws {
    #expect(
      try await pasted(
        "$ a=1; echo b >&2; printf c\nc\n\\ no newline at end\n! b\n$ echo $a; (exit 3)\n1\n? 3\n") == [])
    #expect(try await pasted("$ true\n$ echo a\nb\n").map(\.line) == [2])
  }

  /// In the order of a person who pastes the page from top to bottom.
  @Test func filesOfADocumentAreWrittenWhereTheyStand() async throws {
    let text = """
      ```console
      $ ls
      $ cd ..; PATH=
      ```
      ```jsonl in/a.jsonl
      {}
      ```
      ```console
      $ read -r line < work/in/a.jsonl; echo "$line"
      {}
      ```
      """
    let transcript = try Transcript(markdown: text)
    #expect(try await TranscriptRun(pasting: transcript, tools: "/nowhere").failures == [])
  }

  @Test func whatReadsTheRestOfADocumentIsReported() async throws {
    #expect(try await pasted("$ cat > lines\n$ true\n").map(\.line) == [1])
    #expect(try await pasted("$ true\n$ exit 0\n$ true\n").map(\.line) == [2])
  }

  @Test func whatADocumentLeavesRunningIsReported() async throws {
    #expect(try await pasted("$ sleep 1000 &\n").map(\.message.isEmpty) == [false])
    #expect(try await pasted("$ sleep 1000 & kill $!\n$ wait $!\n? 143\n") == [])
  }

  @Test func issuePointsIntoTheFile() {
    withKnownIssue {
      Issue.record(TranscriptRun.Failure(line: 7, message: "x"), in: "Tests/a.trn")
    } matching: { issue in
      issue.sourceLocation?.line == 7
        && issue.sourceLocation?.fileName == "a.trn"
        && issue.comments.map(\.rawValue) == ["Tests/a.trn:7: x"]
    }
  }
}
