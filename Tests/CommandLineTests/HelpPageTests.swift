@testable import CommandLine
import Testing

@Suite struct HelpPageTests {
  private let decode = Fixture.decode.helpPage(path: "tool decode")

  @Test func aWholePage() {
    #expect(
      Fixture.exec.helpPage(path: "tool exec") == """
        usage: tool exec [OPTION]... [--] COMMAND [ARGUMENT]...

        Put frames around a program.

        Options:
          -v, --verbose     Say more.
          -l, --limit SIZE  Refuse more.

        Examples:
          Wrap a filter:
            $ tool exec -- jq -c .

        Exit status:
          0   Done, with or without differences.
          64  The command line is wrong.
          69  A required service or program is not available.
          70  A bug in the tool.

        Options of every command:
              --errors FORMAT  Write diagnostics as text, or as json: one object per
                               line. PEERSYNC_ERRORS sets the default.
          -q, --quiet          Write only errors: no progress, no notes.
              --generate KIND  Print the man page (man), the completion script of bash,
                               zsh or fish, or all commands and options as JSON (table).
          -h, --help           Print this help and exit; -h prints at most 25 lines.
              --version        Print the version and exit; installed tools add the
                               commit.

        """)
  }

  @Test func linesAreAtMost80CharactersAndEndWithoutBlanks() {
    for (path, command) in Fixture.tool.tree(path: "tool") {
      for line in command.helpPage(path: path).split(separator: "\n") {
        #expect(line.count <= 80, "\(line)")
        #expect(line.last != " ", "\(line)")
      }
    }
  }

  @Test func aShortHelpIsShort() {
    for (path, command) in Fixture.tool.tree(path: "tool") {
      let lines = ShortHelp(command: command, path: path).text.split(
        separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count <= ShortHelp.longest + 1 && lines.allSatisfy { $0.count <= 80 }, "\(path)")
    }
    #expect(
      ShortHelp(command: Fixture.exec, path: "tool exec").text == """
        usage: tool exec [OPTION]... [--] COMMAND [ARGUMENT]...
        Put frames around a program.

        Wrap a filter:
          $ tool exec -- jq -c .

        Options:
          -v, --verbose     Say more.
          -l, --limit SIZE  Refuse more.

        See 'tool exec --help' for details.

        """)
  }

  @Test func theShortHelpOfAGroupBeginsWithAnExampleOfItsCommands() throws {
    var group = Fixture.tool
    group.examples = []
    let own = try #require(group.everyExample.first)
    let lines = ShortHelp(command: group, path: "tool").text.split(separator: "\n")
    let place = try #require(lines.firstIndex(of: own.heading[...]))
    #expect(try place < #require(lines.firstIndex(of: "Commands:")))
  }

  @Test func aTermThatIsTooWideHasALineOfItsOwn() {
    #expect(
      decode.contains("\n      --secret FILE|-|env:NAME\n                          Where the secret is.\n"))
  }

  @Test func choicesAndRepetitionAreSaid() {
    #expect(decode.contains("The length prefix. PREFIX is one of be32, le16, none."))
    #expect(decode.contains("Take only NAME. May be given more than once."))
  }

  @Test func examplesKeepTheirLines() {
    #expect(
      decode.contains("    $ tool decode --limit=16M \\\n        --note '.x \"y\"' - | grep -v '^~`'\n"))
  }

  @Test func parentsListTheirCommandsAndTheUnionOfStatuses() {
    let page = Fixture.tool.helpPage(path: "tool")
    #expect(page.hasPrefix("usage: tool [OPTION]... COMMAND [ARGUMENT]...\n"))
    #expect(page.contains("  exec    Put frames around a program.\n"))
    #expect(page.contains("See 'tool COMMAND --help' for a command.\n"))
    #expect(Fixture.tool.allStatuses.map(\.rawValue) == [0, 1, 64, 65, 66, 69, 70])
    #expect(Fixture.compare.allStatuses.map(\.rawValue) == [0, 1, 64, 70])
  }
}
