import Foundation
import Testing

/// peersync on hosts that are network namespaces.
///
/// As root, or where users may have namespaces; elsewhere a test is skipped by name, except in CI.
@Suite(.serialized) struct EverydayTests {
  @Test(arguments: ["meet", "found", "killed", "moved", "troubled", "latency"])
  func scenario(name: String) async throws { try await run(name, [:], limit: .seconds(180)) }

  /// The same for longer, and half an hour of cron.
  @Test(
    .enabled(if: Repository.isSet("SOAK"), "SOAK=1 runs it"),
    arguments: ["killed", "cron", "latency", "lossy"])
  func long(name: String) async throws { try await run(name, ["ROUNDS": "100"], limit: .seconds(1_800)) }

  private func run(_ name: String, _ variables: [String: String], limit: Duration) async throws {
    let test = "everyday \(name)"
    try Program.require(["python3", "unshare", "ip"], for: test)
    let script = Repository.root.appending(path: "Tests/Interop/everyday.sh").path
    let settings = variables.map { "\($0)=\($1) " }.joined()
    let outcome = try await Sandbox(tools: Tools.folder)
      .run("\(settings)'\(script)' '\(Tools.folder)' \(name)", limit: limit)
    let said = String(decoding: outcome.output + outcome.errors, as: UTF8.self)
    if outcome.status == 77, !Repository.isContinuousIntegration {
      print("skipped: \(test) needs namespaces")
      try Test.cancel("needs namespaces")
    }
    #expect(outcome.status == 0, "\(said)")
  }
}
