import Foundation
import Testing

/// The busy times of a calendar, compared with those that dateutil from PyPI finds.
@Suite struct CalendarTests {
  @Test func rulesOccurAsElsewhere() async throws {
    let script = Repository.root.appending(path: "Tests/Calendars/run.sh").path
    try await Scenario.run(
      "calendar rules", "'\(script)' '\(Tools.folder)'", needs: ["python3", "libical.so.3"])
  }
}
