import Foundation
import Testing

/// A transcript that is wrong says so, and where.
@Suite struct TranscriptRunTests {
  private func failures(_ text: String, limit: Duration = .seconds(60)) throws -> [TranscriptRun.Failure] {
    try TranscriptRun(Transcript(notation: text), tools: "/nowhere", limit: limit).failures
  }

  @Test func rightTranscriptPasses() throws {
    let text = "$ cat a; cat b >&2; exit 2\n1\n\n3\n! 2\n? 2\n\n-- a --\n1\n\n3\n-- b --\n2\n"
    #expect(try failures(text) == [])
  }

  @Test(arguments: [
    "$ echo b\na\n", "$ echo a >&2\na\n", "$ echo a\n", "$ true\na\n", "$ echo a; exit 1\na\n",
  ])
  func wrongTranscriptFails(text: String) throws {
    #expect(try failures("# x\n$ true\n\n" + text).map(\.line) == [4])
  }

  @Test func messageShowsBothTexts() throws {
    let expected = "$ echo b\nexpected:\n    a\nactual:\n    b\n"
    #expect(try failures("$ echo b\na\n") == [.init(line: 1, message: expected)])
  }

  @Test func everyWrongStepIsReported() throws {
    #expect(try failures("$ echo a\nb\n$ echo b\nb\n$ echo c\nb\n").map(\.line) == [1, 5])
  }

  @Test func hangIsReported() throws {
    let found = try failures("$ true\n$ sleep 1000\n$ false\n", limit: .milliseconds(200))
    #expect(found.map(\.line) == [2])
    #expect(found.allSatisfy { $0.message.contains("killed after") })
  }

  @Test func binaryIsReported() throws {
    #expect(try failures("$ printf '\\377'\n").map(\.message.isEmpty) == [false])
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
