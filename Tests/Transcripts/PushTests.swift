import Foundation
import Testing

/// notify against a push service over HTTP/2 and TLS, which h2 and cryptography from PyPI help to play.
@Suite struct PushTests {
  @Test(arguments: [
    "contract", "kinds", "refusal", "tokens", "goaway", "cut", "slow", "late", "down",
    "secrets", "astray", "handover", "reset",
  ])
  func scenario(name: String) throws { try run(name, limit: .seconds(180)) }

  @Test(.needs("strace")) func kills() throws { try run("kills", limit: .seconds(180)) }

  /// A day of runs every five minutes, some of them killed.
  @Test func day() throws { try run("day", limit: .seconds(600)) }

  /// A week of runs every five minutes, some of them killed.
  @Test(.enabled(if: Repository.isSet("SOAK"), "SOAK=1 runs it"))
  func week() throws { try run("week", limit: .seconds(1_800)) }

  @Test(.enabled(if: Repository.isSet("SOAK"), "SOAK=1 runs it"))
  func flood() throws { try run("flood", limit: .seconds(1_800)) }

  private func run(_ name: String, limit: Duration) throws {
    let test = "push \(name)"
    try Program.require(["python3", "openssl", "flock"], for: test)
    let script = Repository.root.appending(path: "Tests/Push/run.sh").path
    let outcome = try Sandbox(tools: Tools.folder)
      .run("'\(script)' '\(Tools.folder)' \(name)", limit: limit)
    let said = String(decoding: outcome.output + outcome.errors, as: UTF8.self)
    #expect(outcome.status == 0, "\(said)")
  }
}
