@testable import Chores
import SyncCore
import Testing

/// Rules of recurrence, whose parts are found as the library finds them.
@Suite struct CalendarRuleTests {
  /// Accepts every rule, and has no occurrences.
  private struct Library: CalendarReading {
    func properties(of component: String) -> [CalendarProperty]? { nil }
    func occurrences(of rule: String, from start: Int, limit: Int) -> [Int]? { [] }
  }

  private func walls(_ text: String) throws(CalendarError) -> [Int] {
    try CalendarRule(text).walls(from: 0, to: 100_000_000, in: .utc, Library())
  }

  /// A mark forms one character with the sign before it, and U+037E is equivalent to a semicolon.
  @Test(arguments: [
    "FREQ=SECONDLY", "FREQ=SECONDLY;\u{301}X=1", "\u{301}X=1;FREQ=SECONDLY", "X=1\u{37E};FREQ=SECONDLY",
    "FREQ=DAILY;BYHOUR=1,\u{301}2;BYMINUTE=" + (0..<60).map { "\($0)" }.joined(separator: ",\u{301}")
      + ";BYSECOND=" + (0..<60).map { "\($0)" }.joined(separator: ",\u{301}"),
  ])
  func aRuleThatRepeatsTooOftenIsRefused(text: String) {
    #expect(throws: CalendarError.self) { try walls(text) }
  }

  @Test(arguments: ["FREQ=DAILY", "=", ";", "FREQ", "FREQ=DAILY;X=1\u{37E}FREQ=SECONDLY"])
  func anyOtherRuleIsForTheLibrary(text: String) throws { #expect(try walls(text).isEmpty) }
}
