import Foundation
import Testing

/// Apps that edit their files and tables while these are synced.
@Suite struct BindingTests {
  @Test(arguments: Repository.isSet("SOAK") ? Array(1...20) : [1])
  func noEditIsLost(seed: Int) async throws {
    let script = Repository.root.appending(path: "Tests/Bindings/run.sh").path
    try await Scenario.run(
      "edits \(seed)", "'\(script)' '\(Tools.folder)' \(seed) \(Repository.isSet("SOAK") ? 50 : 15)",
      needs: ["python3"])
  }
}
