import Foundation
import Testing

/// Apps that edit their files and tables while these are synced.
@Suite struct BindingTests {
  @Test(arguments: Repository.isSet("SOAK") ? Array(1...20) : [1])
  func noEditIsLost(seed: Int) async throws {
    try await run("edits \(seed) \(Repository.isSet("SOAK") ? 50 : 15)")
  }

  @Test func noCommitIsMissed() async throws {
    try await run("watch \(Repository.isSet("SOAK") ? 10_000 : 1_000)")
  }

  private func run(_ words: String) async throws {
    let script = Repository.root.appending(path: "Tests/Bindings/run.sh").path
    try await Scenario.run(words, "'\(script)' '\(Tools.folder)' \(words)", needs: ["python3"])
  }
}
