import Foundation
import Testing

/// peersync on hosts that are network namespaces.
///
/// As root, or where users may have namespaces; elsewhere a test is skipped by name, except in CI.
@Suite struct EverydayTests {
  @Test(arguments: ["meet", "found", "killed", "moved", "silent", "cut-off", "troubled", "edits", "days"])
  func scenario(name: String) async throws { try await run(name, ["DAYS": "1"]) }

  /// The same for longer, and half an hour of cron.
  @Test(
    .enabled(if: Repository.isSet("SOAK"), "SOAK=1 runs it"),
    arguments: ["killed", "cron", "latency", "lossy", "days"])
  func long(name: String) async throws {
    try await run(name, ["ROUNDS": "100", "DAYS": "10"], limit: .seconds(3_600))
  }

  private func run(_ name: String, _ variables: [String: String], limit: Duration = Scenario.hanging)
    async throws
  {
    let script = Repository.root.appending(path: "Tests/Interop/everyday.sh").path
    let settings = variables.map { "\($0)=\($1) " }.joined()
    try await Scenario.run(
      "everyday \(name)", "\(settings)'\(script)' '\(Tools.folder)' \(name)",
      needs: ["python3", "unshare", "ip"], limit: limit, as: name == "latency" ? .alone : .longScenario)
  }
}
