@testable import Chores
import SyncCore
import TestSupport
import Testing

/// Due dates, counted from the anchor.
@Suite struct RecurrenceTests {
  private func dates(_ anchor: String, _ unit: String, _ value: Int, from start: String, _ count: Int)
    -> [String]
  {
    let recurrence = Recurrence(anchor: CivilText.day(anchor)!, unit: unit, value: value)!
    var day = recurrence.first(from: CivilText.day(start)!)
    return (0..<count).map { _ in
      defer { day = recurrence.next(after: day) }
      return CivilText.date(day)
    }
  }

  @Test func lastDaysOfMonthsDoNotDrift() {
    #expect(
      dates("2027-01-31", "months", 1, from: "2027-01-01", 4)
        == ["2027-01-31", "2027-02-28", "2027-03-31", "2027-04-30"])
    #expect(
      dates("2024-02-29", "months", 12, from: "2024-01-01", 5)
        == ["2024-02-29", "2025-02-28", "2026-02-28", "2027-02-28", "2028-02-29"])
    #expect(dates("2026-08-31", "months", 6, from: "2027-01-01", 2) == ["2027-02-28", "2027-08-31"])
  }

  @Test func daysAndWeeks() {
    #expect(dates("2026-01-05", "weeks", 2, from: "2026-01-06", 2) == ["2026-01-19", "2026-02-02"])
    #expect(dates("2026-01-05", "days", 3, from: "2026-01-08", 2) == ["2026-01-08", "2026-01-11"])
    #expect(dates("2026-01-05", "fortnights", 1, from: "2026-01-05", 2) == ["2026-01-05", "2026-01-12"])
  }

  @Test func nothingRecursWithoutAStep() {
    #expect(Recurrence(anchor: 0, unit: "days", value: 0) == nil)
    #expect(Recurrence(anchor: 0, unit: "days", value: -3) == nil)
  }

  @Test func hugeStepsAreOneDate() {
    let recurrence = Recurrence(anchor: 0, unit: "months", value: .max)!
    #expect(recurrence.first(from: -5) == 0)
    #expect(recurrence.next(after: 0) > Civil.day(9999, 12, 31))
  }

  /// Counted day by day, as somebody with a calendar on the wall would.
  @Test func firstIsTheFirstThatContains() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<400 {
      let anchor = Civil.day(2024, 1, 1) + Int.random(in: 0..<800, using: &random)
      let unit = random.pick(["days", "weeks", "months"])
      let recurrence = Recurrence(anchor: anchor, unit: unit, value: Int.random(in: 1...4, using: &random))!
      let start = anchor + Int.random(in: -40...400, using: &random)
      let first = recurrence.first(from: start)
      #expect(first >= start && recurrence.contains(first))
      #expect(!(max(start, anchor)..<first).contains { recurrence.contains($0) })
    }
  }

  @Test func dueTimesKeepTheWallClock() throws {
    var home = Home(["ann", "ben"])
    home.add(template: "t", from: "2026-01-05T17:00:00Z", #""timeZone":"Europe/Paris""#)
    try home.assign("2026-03-20T00:00:00Z", days: 20)
    #expect(
      try home.turns().map(\.due) == ["2026-03-23T17:00:00Z", "2026-03-30T16:00:00Z", "2026-04-06T16:00:00Z"])
  }
}
