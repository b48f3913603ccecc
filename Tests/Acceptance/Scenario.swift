import Foundation
import Testing

/// A script that reports its own result.
enum Scenario {
  /// It only ends hanging scenarios: nothing may depend on their speed.
  static let hanging: Duration = .seconds(900)

  /// Runs a line of shell, which exits with 0 if everything holds.
  ///
  /// With 77 it reports that a requirement is missing, such as namespaces in some containers. The test is
  /// then skipped by name, except in CI.
  static func run(
    _ test: String, _ command: String, needs programs: [String], limit: Duration = hanging,
    as claim: Places.Claim = .scenario
  ) async throws {
    try Program.require(programs, for: test)
    let outcome = try await Sandbox(tools: Tools.folder).run(command, limit: limit, as: claim)
    let errors = String(decoding: outcome.errors, as: UTF8.self)
    if outcome.status == 77, !Repository.isContinuousIntegration {
      let reason = errors.textLines.last ?? "something is missing"
      print("skipped: \(test): \(reason)")
      try Test.cancel("\(reason)")
    }
    let said = String(decoding: outcome.output, as: UTF8.self) + errors
    #expect(outcome.status == 0, "\(said)\(outcome.isTimedOut ? "killed after \(limit)" : "")")
  }
}
