import SyncCore
import TestSupport
import Testing

/// Wall-clock time across changes of the clocks, and the rules for the times of these changes.
@Suite struct ZoneRuleTests {
  private let paris = TestZones.zone("Europe/Paris")!

  @Test(arguments: [
    // Summer time begins on 29 March 2026 at 01:00 UTC and ends on 25 October.
    ("2026-03-28", 9 * 3_600, "2026-03-28T08:00:00.000Z"),
    ("2026-03-29", 9 * 3_600, "2026-03-29T07:00:00.000Z"),
    ("2026-10-25", 9 * 3_600, "2026-10-25T08:00:00.000Z"),
    // 02:30 does not exist, and becomes 03:30.
    ("2026-03-29", 9_000, "2026-03-29T01:30:00.000Z"),
    // 02:30 occurs twice, and means the first time.
    ("2026-10-25", 9_000, "2026-10-25T00:30:00.000Z"),
  ])
  func wallClock(date: String, second: Int, expected: String) {
    let seconds = paris.seconds(day: CivilText.day(date)!, second: second)
    #expect(Instant(seconds: Int64(seconds))!.description == expected)
  }

  @Test(arguments: [
    ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-01-01T00:00:00Z", 3_600),
    ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-07-01T00:00:00Z", 7_200),
    // In the southern hemisphere summer time extends over the end of the year.
    ("NZST-12NZDT,M9.5.0,M4.1.0/3", "2026-01-01T00:00:00Z", 46_800),
    ("NZST-12NZDT,M9.5.0,M4.1.0/3", "2026-06-01T00:00:00Z", 43_200),
    ("NZST-12NZDT,M9.5.0,M4.1.0/3", "2026-12-31T23:00:00Z", 46_800),
    ("EST5EDT,M3.2.0,M11.1.0", "2026-03-08T06:59:59Z", -18_000),
    ("EST5EDT,M3.2.0,M11.1.0", "2026-03-08T07:00:00Z", -14_400),
    ("<+0545>-5:45", "2026-01-01T00:00:00Z", 20_700),
    // Days of the year, with and without 29 February, and times before midnight.
    ("AAA0BBB,J60/0,300/-1", "2024-03-01T00:00:00Z", 3_600),
    ("AAA0BBB,J60/0,300/-1", "2024-02-29T23:59:59Z", 0),
    ("AAA0BBB,59/0,300", "2024-02-29T00:00:00Z", 3_600),
  ])
  func rules(text: String, moment: String, offset: Int) {
    let rule = ZoneRule(Array(text.utf8).span)
    #expect(rule?.offset(at: Instant(moment)!.seconds) == offset)
  }

  @Test(arguments: [
    "", "CE-1", "CET", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0",
    "CET-1CEST,M3.6.0,M10.5.0",
    "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,J0,J1", "CET-1CEST,366,1", "CET-25", "<CET-1",
    "CET-1CEST,M3.5.0,M10.5.0x",
  ])
  func notRules(text: String) {
    #expect(ZoneRule(Array(text.utf8).span) == nil)
  }
}
