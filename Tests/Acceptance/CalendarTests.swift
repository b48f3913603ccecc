import Foundation
import Testing

/// The busy times of a calendar, compared with those that dateutil from PyPI finds.
@Suite struct CalendarTests {
  @Test func rulesOccurAsElsewhere() async throws {
    let script = Repository.root.appending(path: "Tests/Calendars/run.sh").path
    let count = Repository.isSet("SOAK") ? 1_000 : 100
    try await Scenario.run(
      "calendar rules", "'\(script)' '\(Tools.folder)' \(count)", needs: ["python3", "libical.so.3"],
      limit: Repository.isSet("SOAK") ? .seconds(3_600) : Scenario.hanging)
  }
}
