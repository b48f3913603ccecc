@testable import CommandLine
import Foundation
import Testing

/// A command that does something itself and has subcommands besides.
@Suite struct MixedCommandTests {
  @Test func itDoesItsOwnWorkUnlessTheFirstWordIsASubcommand() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let lines = [
        ["./a", "b"], [], ["-v"], ["./check-laws"], ["a.jsonl", "check-laws"], ["-v", "--", "check-laws"],
        ["--", "check-laws"], ["--limit", "3", "./check-laws", "-v"], ["./check-law"],
      ]
      for words in lines {
        guard Fixture.mixed.run(words) == .done else { exit(1) }
      }
      exit(0)
    }
    #expect(
      result.errors == """
        tool: false ["./a", "b"]
        tool: false []
        tool: true []
        tool: false ["./check-laws"]
        tool: false ["a.jsonl", "check-laws"]
        tool: true ["check-laws"]
        tool: false ["check-laws"]
        tool: true ["./check-laws"]
        tool: false ["./check-law"]

        """)
  }

  /// Its own options before a subcommand are refused, unless a file has the subcommand's name.
  @Test func anOptionBeforeASubcommandIsWrong() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let folder = FileManager.default.temporaryDirectory.appending(path: "MixedCommandTests.\(getpid())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      guard FileManager.default.changeCurrentDirectoryPath(folder.path) else { exit(1) }
      var statuses: [Int32] = []
      for words in [["-v", "check-laws", "--new"], ["--limit", "3", "check-laws"]] {
        statuses.append(Fixture.mixed.run(words).rawValue)
      }
      // A value is not an operand.
      statuses.append(Fixture.mixed.run(["--limit", "check-laws"]).rawValue)
      try Data().write(to: folder.appending(path: "check-laws"))
      statuses.append(Fixture.mixed.run(["-v", "check-laws"]).rawValue)
      FileHandle.standardError.write(Data("\(statuses)\n".utf8))
    }
    #expect(
      result.errors == """
        tool: 'check-laws' does not have the option '-v'
        tool: hint: see 'tool check-laws --help'
        tool: 'check-laws' does not have the option '--limit'
        tool: hint: see 'tool check-laws --help'
        tool: option '--limit': 'check-laws' is not a size such as 512K or 16M
        tool: hint: see 'tool --help'
        tool: true ["check-laws"]
        [64, 64, 64, 0]

        """)
  }

  @Test func aWordIsAFileOnlyWhereThatIsThere() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let folder = FileManager.default.temporaryDirectory.appending(path: "MixedCommandTests.\(getpid())")
      try FileManager.default.createDirectory(
        at: folder.appending(path: "there"), withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      guard FileManager.default.changeCurrentDirectoryPath(folder.path) else { exit(1) }
      var statuses: [Int32] = []
      for words in [["check-law", "a"], ["check"], ["--quiet", "chekc-laws"], ["other"]] {
        statuses.append(Fixture.mixed.run(words).rawValue)
      }
      for words in [["--", "check-law"], ["--", "other"], ["-"], ["other.jsonl"], ["there"]] {
        statuses.append(Fixture.mixed.run(["--quiet"] + words).rawValue)
      }
      FileHandle.standardError.write(Data("\(statuses)\n".utf8))
    }
    #expect(
      result.errors == """
        tool: unknown command 'check-law'
        tool: hint: did you mean 'check-laws'?
        tool: unknown command 'check'
        tool: hint: did you mean 'check-laws'?
        tool: unknown command 'chekc-laws'
        tool: hint: did you mean 'check-laws'?
        tool: unknown command or file 'other'
        tool: hint: see 'tool --help'
        [64, 64, 64, 64, 0, 0, 0, 0, 0]

        """)
  }

  @Test func theSubcommandHasItsOwnOperandsOptionsAndStatus() async throws {
    #expect(Fixture.mixed.run(["check-laws", "old", "new"]) == .no)
    #expect(Fixture.mixed.run(["--errors", "text", "-q", "check-laws", "old", "new"]) == .no)
    let result = await #expect(processExitsWith: .exitCode(64), observing: [\.standardErrorContent]) {
      _ = Fixture.mixed.run(["check-laws", "old"])
      exit(Fixture.mixed.run(["check-laws", "--verbose", "old", "new"]).rawValue)
    }
    #expect(
      result.errors == """
        tool: operand NEW is missing
        tool: hint: see 'tool check-laws --help'
        tool: unknown option '--verbose'
        tool: hint: see 'tool check-laws --help'

        """)
  }

  @Test func aWrongOptionOfItsOwnPointsToItsOwnHelp() async throws {
    let result = await #expect(processExitsWith: .exitCode(64), observing: [\.standardErrorContent]) {
      exit(Fixture.mixed.run(["./a", "--verbos"]).rawValue)
    }
    #expect(result.errors == "tool: unknown option '--verbos'\ntool: hint: did you mean '--verbose'?\n")
  }

  @Test func theHelpShowsBothUsages() {
    let page = Fixture.mixed.helpPage(path: "tool")
    #expect(
      page.hasPrefix(
        """
        usage: tool [OPTION]... [FILE]...
               tool COMMAND [ARGUMENT]...

        Merge things.

        """))
    #expect(page.contains("\nCommands:\n  check-laws  Check the laws.\n"))
    #expect(page.contains("See 'tool COMMAND --help' for a command.\n"))
    #expect(page.contains("  -v, --verbose     Say more.\n"))
    let below = Fixture.compare.helpPage(path: "tool check-laws")
    #expect(below.hasPrefix("usage: tool check-laws [OPTION]... OLD NEW\n"))
  }

  @Test func aGroupHasOneUsage() {
    #expect(Fixture.tool.synopses == ["[OPTION]... COMMAND [ARGUMENT]..."])
    #expect(Fixture.mixed.synopses.count == 2 && Fixture.compare.synopses.count == 1)
  }

  @Test func theStatusesAreThoseOfBoth() {
    #expect(Fixture.mixed.allStatuses.map(\.rawValue) == [0, 1, 64, 65, 70])
  }

  @Test func theTableIsGood() { #expect(lint(Fixture.mixed) == []) }

  @Test func theManualPageShowsBothUsages() {
    let page = Fixture.mixed.generated(.manual)
    let synopsis = page.split(separator: ".Sh ").first { $0.hasPrefix("SYNOPSIS") }
    #expect(synopsis?.split(separator: "\n").filter { $0.hasPrefix(".Nm") }.count == 2)
  }
}
