import Foundation
import Testing

/// Where commands run.
@Suite struct SandboxTests {
  private func run(_ command: String, limit: Duration = Sandbox.hanging) async throws -> Outcome {
    try await Sandbox(tools: "/nowhere").run(command, limit: limit)
  }

  @Test func streamsAndStatusAreKept() async throws {
    let outcome = try await run("echo a; echo b >&2; exit 3")
    #expect(outcome == Outcome(output: Array("a\n".utf8), errors: Array("b\n".utf8), status: 3))
  }

  @Test func startsInAnEmptyFolder() async throws { #expect(try await run("ls -A").output.isEmpty) }

  @Test func foldersAndFilesStayBetweenCommands() async throws {
    let sandbox = try Sandbox(tools: "/nowhere")
    try sandbox.write("x\n", to: "in/a")
    _ = try await sandbox.run("cp in/a b")
    #expect(try await sandbox.run("cat b").output == Array("x\n".utf8))
  }

  @Test func environmentIsFixed() async throws {
    let names = try await run(
      "env | sed 's/=.*//' | grep -v -e '^_' -e LLVM_ -e SHLVL -e PWD | sort | tr '\\n' ' '")
    let expected =
      "HOME LC_ALL PATH SWIFT_BACKTRACE TMPDIR TZ XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME "
      + "XDG_RUNTIME_DIR XDG_STATE_HOME "
    #expect(String(decoding: names.output, as: UTF8.self) == expected)
    let places = try await run(
      #"for place in "$HOME" "$TMPDIR" "$XDG_STATE_HOME"; do cd "$place/../work" || exit; done"#)
    #expect(places.status == 0)
  }

  @Test func brokenPipeEndsQuietly() async throws {
    #expect(try await run("yes | head -1") == Outcome(output: Array("y\n".utf8)))
    #expect(try await run("kill -s PIPE $$").status == 128 + SIGPIPE)
  }

  @Test func standardInputIsEmpty() async throws { #expect(try await run("cat") == Outcome()) }

  @Test func hangingGroupIsKilled() async throws {
    let sandbox = try Sandbox(tools: "/nowhere")
    let outcome = try await sandbox.run(
      "(flock 9; sleep 1000) 9>lock & sleep 1000", limit: .milliseconds(200))
    #expect(outcome.isTimedOut)
    // A process that is left would keep the lock.
    #expect(try await sandbox.run("flock 9 9>lock").status == 0)
  }

  @Test func leftoversAreKilled() async throws {
    let sandbox = try Sandbox(tools: "/nowhere")
    #expect(try await sandbox.run("(flock 9; sleep 1000) 9>lock &") == Outcome())
    #expect(try await sandbox.run("flock 9 9>lock").status == 0)
  }
}
