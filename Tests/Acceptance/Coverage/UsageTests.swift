@testable import CommandLine
import JSONLines
import Testing

/// What counts as use.
@Suite struct UsageTests {
  private func usage(_ text: String) throws -> Usage { Usage([try Transcript(notation: text)]) }

  private let limit = OptionHelp(
    short: "l", long: "limit", value: "N", summary: "A limit.", completion: .nothing, isRepeatable: false)

  @Test(arguments: [
    "frame encode --limit 3", "frame encode --limit=3", "cat a | LC_ALL=C frame encode --limit 3 | wc",
    "(frame encode a --limit 3)", "x=$(frame encode --limit 3)",
  ])
  func optionOfTheCommandCounts(command: String) throws {
    #expect(try usage("$ \(command)\n").hasOption(limit, of: ["frame", "encode"]))
  }

  @Test(arguments: [
    "frame decode --limit 3", "frame encode --limits 3", "frame encode; cat --limit 3",
    "frame encode -- --limit", "frame encode -l 3", "echo --limit | frame encode",
  ])
  func theRestDoesNot(command: String) throws {
    #expect(try !usage("$ \(command)\n").hasOption(limit, of: ["frame", "encode"]))
  }

  @Test func codesCountInOutputOnly() throws {
    let shown = try usage("$ x\n! {\"error\":{\"code\":\"noKey\",\"message\":\"\"}}\n")
    #expect(shown.hasCode(.noKey))
    #expect(try !usage("# \"code\":\"noKey\"\n$ echo '\"code\":\"noKey\"'\n").hasCode(.noKey))
  }

  @Test(arguments: [
    "$ a\nout\n", "$ a\nout\n! err\n? 1\n$ b\n", "$ a\n$ cat made\n", "$ a\n! err\n? 1\n$ cat made\nout\n",
    "$ a\n\n# A comment.\n$ cat made\n", "$ a\n> cat made\nout\n", "$ a\n$ b\n$ a\n$ cat made\n",
  ])
  func whatAnExampleDoesIsShown(text: String) throws {
    #expect(try usage(text).showsEffect(of: "a", among: ["a", "b"]))
  }

  @Test(arguments: [
    "$ a\n", "$ a\n! err\n? 1\n", "$ a\n$ b\nout\n", "$ a\n$ x |\n> b\nout\n", "$ a\n> cat made\n",
    "$ cat made\n",
    "$ cat made\n$ a\n", "$ a; b\nout\n", "$ a d\nout\n",
  ])
  func whatAnExampleDoesIsNotShown(text: String) throws {
    #expect(try !usage(text).showsEffect(of: "a", among: ["a", "b"]))
  }

  /// Transcripts are separate sessions.
  @Test func theStepAfterItIsInTheSameTranscript() throws {
    let usage = Usage([try Transcript(notation: "$ a\n"), try Transcript(notation: "$ cat made\n")])
    #expect(!usage.showsEffect(of: "a", among: ["a"]))
  }
}
