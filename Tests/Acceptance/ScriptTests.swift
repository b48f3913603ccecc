import Foundation
import Testing

/// The shell scripts of this package.
@Suite struct ScriptTests {
  private static let scripts =
    Repository.files(in: ".ci", suffix: "") + Repository.files(in: "Tests", suffix: ".sh")
    + Repository.files(in: "docs", suffix: ".sh")

  @Test(.needs("shellcheck"), arguments: scripts)
  func shellcheckHasNoComplaint(path: String) async throws {
    let script = try Repository.text(of: path)
    let sandbox = try Sandbox(tools: Tools.folder)
    try sandbox.write(script, to: "script")
    let complaints = try await sandbox.run("shellcheck --norc --color=never script").rendering
    #expect(complaints == [])
  }

  /// The picture in README.md shows the output of a real session.
  @Test func thePictureIsOfARealSession() async throws {
    let script = Repository.root.appending(path: "Tests/Demo/session.sh").path
    let picture = Repository.root.appending(path: "docs/session.svg").path
    let end =
      Repository.isSet("UPDATE_GENERATED") ? "cp session.svg '\(picture)'" : "diff '\(picture)' session.svg"
    try await Scenario.run(
      "the picture of a session", "'\(script)' '\(Tools.folder)' > session.svg && \(end)",
      needs: ["unshare", "ip", "script", "jq"])
  }

  /// The script compares the results of a delta of 100,000 records and of two stores, and fails if a byte
  /// differs.
  @Test(.needs("socat"))
  func theDemonstrationEndsWithTheSameBytes() async throws {
    let sandbox = try Sandbox(tools: Tools.folder)
    let script = Repository.root.appending(path: "Tests/Demo/demo.sh").path
    let lines =
      try await sandbox.run("'\(script)' '\(Tools.folder)' | tail -n 1", limit: .seconds(300)).rendering ?? []
    #expect(lines.count == 1 && lines[0].hasPrefix("Both stores are the same: "), "\(lines)")
  }
}
