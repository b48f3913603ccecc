import Testing

@testable import CommandLineTool

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

  @Test func commandsCountWhole() throws {
    let one = try usage("$ a |\n> b\n$ c d\n")
    #expect(one.hasCommand("a |\nb"))
    #expect(!one.hasCommand("c"))
  }
}
