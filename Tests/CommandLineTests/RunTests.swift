import JSONLines
@testable import CommandLine
import Foundation
import Testing

/// Command lines from end to end, each in a process of its own.
@Suite struct RunTests {
  @Test func aUsageErrorIs64WithAHint() async throws {
    let result = await #expect(
      processExitsWith: .exitCode(64), observing: [\.standardErrorContent, \.standardOutputContent]
    ) {
      mark(STDOUT_FILENO)
      exit(Fixture.tool.run(["decode", "--limt=3"]).rawValue)
    }
    #expect(result.errors == "tool: unknown option '--limt'\ntool: hint: did you mean '--limit'?\n")
    #expect(result.output == ".")
  }

  @Test func theHintNamesTheSubcommandThatWasReached() async throws {
    let result = await #expect(processExitsWith: .exitCode(64), observing: [\.standardErrorContent]) {
      exit(Fixture.tool.run(["-q", "store", "check-laws", "old"]).rawValue)
    }
    #expect(result.errors == "tool: operand NEW is missing\ntool: hint: see 'tool store check-laws --help'\n")
  }

  @Test func aUsageErrorIsJSONWhereJSONIsAskedForAfterIt() async throws {
    let result = await #expect(processExitsWith: .exitCode(64), observing: [\.standardErrorContent]) {
      exit(Fixture.tool.run(["decod", "--errors", "json"]).rawValue)
    }
    #expect(
      result.errors
        == #"{"error":{"code":"unknownCommand","message":"unknown command 'decod'","tool":"tool","exit":64,"#
        + #""hint":"did you mean 'decode'?","retryable":false}}"# + "\n")
  }

  @Test func theEnvironmentAsksForJSONToo() async throws {
    let result = await #expect(processExitsWith: .exitCode(65), observing: [\.standardErrorContent]) {
      unsafe setenv("PEERSYNC_ERRORS", "json", 1)
      exit(Fixture.tool.run(["decode", "fail"]).rawValue)
    }
    #expect(
      result.errors
        == #"{"error":{"code":"noKey","message":"no key","tool":"tool","file":"in","line":3,"exit":65,"#
        + #""hint":"add one","retryable":false}}"# + "\n")
  }

  @Test func anErrorOfTheRunIsTextWhateverItsOperandsAre() async throws {
    let result = await #expect(processExitsWith: .exitCode(65), observing: [\.standardErrorContent]) {
      exit(Fixture.tool.run(["decode", "--", "fail", "--errors=json"]).rawValue)
    }
    #expect(result.errors == "tool: in: line 3: no key\ntool: hint: add one\n")
  }

  @Test func notesAreLeftOutWhenQuiet() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      _ = Fixture.tool.run(["decode", "-l", "2K"])
      exit(Fixture.tool.run(["decode", "-ql", "3K"]).rawValue)
    }
    #expect(result.errors == "tool: 2048\n")
  }

  @Test func helpAndVersionGoToStandardOutput() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent, \.standardOutputContent]
    ) {
      mark(STDERR_FILENO)
      for words in [
        ["--version"], ["decode", "--bogus", "--help"], ["store", "-h"], ["--generate", "man"],
      ] {
        guard Fixture.tool.run(words) == .done else { exit(1) }
      }
      exit(0)
    }
    #expect(
      result.output == "tool \(version)\n" + Fixture.decode.helpPage(path: "tool decode")
        + ShortHelp(command: Fixture.tool.subcommands[2], path: "tool store").text
        + Fixture.tool.generated(.manual))
    #expect(result.errors == ".")
  }

  @Test func aReaderThatGoesAwayEndsTheProcessBySIGPIPE() async {
    await #expect(processExitsWith: .signal(SIGPIPE)) {
      var ends: [Int32] = [0, 0]
      guard unsafe pipe(&ends) == 0 else { exit(1) }
      dup2(ends[1], STDOUT_FILENO)
      close(ends[0])
      signal(SIGPIPE, SIG_IGN)
      exit(Fixture.tool.run(["--help"]).rawValue)
    }
  }

  @Test func aFullDiskIs74() async throws {
    let result = await #expect(processExitsWith: .exitCode(74), observing: [\.standardErrorContent]) {
      dup2(unsafe open("/dev/full", O_WRONLY), STDOUT_FILENO)
      exit(Fixture.tool.run(["--help"]).rawValue)
    }
    #expect(result.errors == "tool: -: no space left on device\n")
  }
}
