import Foundation
import Testing

/// The jobs of docs/examples/scale, compared with one `lwwmerge` and one `deltadiff`.
@Suite struct ScaleTests {
  private static let examples = Repository.root.appending(path: "docs/examples/scale").path

  @Test func whatGoesThroughAToolIsWhole() async throws {
    let script = Repository.root.appending(path: "Tests/Scale/harness.py").path
    try await Scenario.run(
      "a tool over a partition", "PYTHONDONTWRITEBYTECODE=1 python3 '\(script)' '\(Self.examples)'",
      needs: ["python3"])
  }

  @Test(.enabled(if: Repository.isSet("SOAK"), "SOAK=1 runs it"))
  func twoHostsMakeTheSame() async throws {
    let script = Repository.root.appending(path: "Tests/Scale/ssh.sh").path
    try await Scenario.run(
      "two hosts", "unshare -n '\(script)' '\(Tools.folder)'",
      needs: ["parallel", "rsync", "ssh", "sshd", "unshare"])
  }

  @Test(.enabled(if: Repository.isSet("SOAK"), "SOAK=1 runs it"))
  func twoWorkersMakeTheSame() async throws {
    let script = Repository.root.appending(path: "Tests/Scale/run.sh").path
    try await Scenario.run(
      "Spark", "'\(script)' '\(Tools.folder)' 10000000", needs: ["java", "cc", "taskset"],
      limit: .seconds(3_600))
  }
}
