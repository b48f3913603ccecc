import JSONLines
@testable import CommandLine
import Foundation
import TestSupport
import Testing

@Suite struct ManualPageTests {
  @Test(.needs("mandoc"), arguments: [Fixture.tool, Fixture.filter])
  func mandocHasNothingToSay(tool: Command) throws {
    let result = try mandoc("-T", "lint", page: tool)
    #expect(result.output + result.errors == "")
    #expect(result.status == 0)
  }

  @Test("A text comes out as it went in, whatever roff thinks of it", .needs("mandoc"))
  func textsComeOutAsTheyWentIn() throws {
    let words = try rendered(Fixture.tool).split { $0.isWhitespace }.joined(separator: " ")
    for (_, command) in Fixture.tool.tree(path: "tool") {
      let texts = command.discussion + command.options.map(\.summary) + [command.sentence]
      for text in texts { #expect(words.contains(text), "\(text)") }
    }
  }

  @Test(.needs("mandoc")) func optionsSynopsesAndExamples() throws {
    let page = try rendered(Fixture.tool)
    for line in [
      "tool decode [OPTION]... [FILE]...", "tool exec [OPTION]... [--] COMMAND [ARGUMENT]...",
      "-l, --limit SIZE", "--secret FILE|-|env:NAME", "$ tool decode --limit=16M \\",
      "--note '.x \"y\"' - | grep -v '^~`'",
      "PREFIX is one of be32, le16, none.",
    ] {
      #expect(page.contains(line), "\(line)")
    }
  }

  @Test(
    "A value that is called like a macro or like punctuation is neither", .needs("mandoc"),
    arguments: ["Op", "Fl", "|", "."])
  func valueNamesAreNoMacros(name: String) throws {
    var tool = Fixture.filter
    tool.options[1].value = name
    #expect(try rendered(tool).contains("-l, --limit \(name)\n"))
  }

  @Test func sectionsStandInTheirCustomaryOrder() {
    let page = Fixture.tool.generated(.manual)
    let sections = page.split(separator: "\n").filter { $0.hasPrefix(".Sh ") }.map { $0.dropFirst(4) }
    #expect(
      sections == [
        "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "COMMANDS", "ENVIRONMENT", "FILES", "EXIT STATUS",
        "EXAMPLES", "DIAGNOSTICS", "SEE ALSO",
      ])
    #expect(page == Fixture.tool.generated(.manual))
    #expect(page.hasPrefix(".Dd \(releaseDate)\n.Dt TOOL 1\n.Os\n"))
  }

  @Test func aToolPointsToTheOthersAndNotToItself() {
    var frame = Fixture.filter
    frame.name = "frame"
    let page = frame.generated(.manual)
    let others = toolNames.filter { $0 != "frame" }.map { ".Xr \($0) 1" }.joined(separator: " ,\n")
    #expect(page.hasSuffix(".Sh SEE ALSO\n\(others)\n"))
    #expect(toolNames == toolNames.sorted())
  }

  private func rendered(_ tool: Command) throws -> String {
    let result = try mandoc("-T", "utf8", "-O", "width=200", page: tool)
    // Bold and underlined characters are written twice, with a backspace between.
    return result.output.replacing(/.\u{08}/, with: "")
  }

  /// mandoc looks for the pages that a page points to in the current folder too.
  private func mandoc(_ words: String..., page tool: Command) throws -> Program.Result {
    let folder = try TemporaryFolder()
    for name in toolNames { try folder.write("", to: "\(name).1") }
    let file = try folder.write(tool.generated(.manual), to: "\(tool.name).1")
    return try #require(Program("mandoc")).run(words + [file], in: folder.url)
  }
}
