@testable import CommandLine
import SystemIO
import TestSupport
import Testing

@Suite struct ShellWordTests {
  private static let texts = [
    "", " ", "plain", "it's", "''", "\\", "\\\\", "\\'", "a\\", "-n", "$HOME", "`id`", "!!", "*", "~", "a\nb",
    "é",
    // A mark forms one character with the quote before it, and some letters with the quote after them.
    "a'\u{301};echo b;: '\u{301}", "\u{D4E}'", "\\\u{301}'", "'\u{301}",
    Fixture.hostile,
  ]

  @Test(.needs("bash"), arguments: texts) func bashReadsTheTextBack(text: String) throws {
    #expect(try printed(by: "bash", options: ["--norc"], word: ShellWord.posix(text)) == text)
  }

  @Test(.needs("zsh"), arguments: texts) func zshReadsTheTextBack(text: String) throws {
    #expect(try printed(by: "zsh", options: ["-f"], word: ShellWord.posix(text)) == text)
  }

  @Test(.needs("fish"), arguments: texts) func fishReadsTheTextBack(text: String) throws {
    #expect(try printed(by: "fish", options: ["--no-config"], word: ShellWord.fish(text)) == text)
  }

  @Test func wordsThatNeedNoQuotesHaveNone() {
    #expect(ShellWord.posix("--max-size") == "--max-size")
    #expect(ShellWord.fish("check-laws") == "check-laws")
    #expect(ShellWord.function("tool check-laws") == "_tool_check_laws")
  }

  @Test func aPathIsNoOption() {
    #expect(ShellWord.path("-n") == "./-n")
    #expect(ShellWord.path("-\u{301}n") == "'./-\u{301}n'")
    #expect(ShellWord.path("a-n") == "a-n")
  }

  /// Brackets and colons end a part also before a mark.
  @Test func partsOfZshAreEscaped() {
    #expect(ShellWord.zshPart("a:\u{301}]") == "a\\:\u{301}\\]")
  }

  private func printed(by shell: String, options: [String], word: String) throws -> String {
    let folder = try TemporaryFolder()
    let command = "printf %s \(word)"
    return try #require(Program(shell)).run(options + ["-c", command], in: folder.url).output
  }
}
