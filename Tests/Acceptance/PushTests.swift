import Foundation
import Testing

/// notify with a push service over HTTP/2 and TLS, simulated with h2 and cryptography from PyPI.
///
/// Where `.ci/python-environment` has not fetched them, a test is skipped by name, except in CI.
@Suite struct PushTests {
  @Test(arguments: [
    "contract", "kinds", "refusal", "tokens", "goaway", "cut", "slow", "late", "down",
    "secrets", "astray", "handover", "reset",
  ])
  func scenario(name: String) async throws { try await run(name) }

  @Test(.needs("strace")) func kills() async throws { try await run("kills") }

  /// A night of runs every five minutes, some of them killed.
  @Test func night() async throws { try await run("night") }

  /// A week of runs every five minutes, some of them killed.
  @Test(.enabled(if: Repository.isSet("SOAK"), "SOAK=1 runs it"))
  func week() async throws { try await run("week", limit: .seconds(3_600)) }

  @Test(.enabled(if: Repository.isSet("SOAK"), "SOAK=1 runs it"))
  func flood() async throws { try await run("flood", limit: .seconds(3_600)) }

  private func run(_ name: String, limit: Duration = Scenario.hanging) async throws {
    let script = Repository.root.appending(path: "Tests/Push/run.sh").path
    try await Scenario.run(
      "push \(name)", "'\(script)' '\(Tools.folder)' \(name)", needs: ["python3", "openssl"], limit: limit)
  }
}
