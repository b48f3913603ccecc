import Calendars
import Chores
import JSONLines
import SyncCore
import Testing

/// A member's busy times from an iCalendar file, read by libical.
@Suite(.enabled("libical is not installed") { (try? CalendarLibrary()) != nil })
struct BusyCalendarTests {
  /// The examples of RFC 5545 §3.8.5.3, each from 2 September 1997 at 9:00, as the first beginnings that it lists.
  static let examples: [(rule: String, from: String, starts: [String])] = [
    ("FREQ=DAILY;COUNT=3", "19970902", ["1997-09-02", "1997-09-03", "1997-09-04"]),
    ("FREQ=DAILY;UNTIL=19970904T090000Z", "19970902", ["1997-09-02", "1997-09-03", "1997-09-04"]),
    ("FREQ=DAILY;INTERVAL=10;COUNT=3", "19970902", ["1997-09-02", "1997-09-12", "1997-09-22"]),
    (
      "FREQ=WEEKLY;UNTIL=19970917T000000Z;WKST=SU;BYDAY=TU,TH", "19970902",
      ["1997-09-02", "1997-09-04", "1997-09-09", "1997-09-11", "1997-09-16"]
    ),
    (
      "FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=TU,TH;COUNT=4", "19970902",
      ["1997-09-02", "1997-09-04", "1997-09-16", "1997-09-18"]
    ),
    (
      "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", "19970805",
      ["1997-08-05", "1997-08-10", "1997-08-19", "1997-08-24"]
    ),
    (
      "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", "19970805",
      ["1997-08-05", "1997-08-17", "1997-08-19", "1997-08-31"]
    ),
    ("FREQ=MONTHLY;COUNT=4;BYDAY=1FR", "19970905", ["1997-09-05", "1997-10-03", "1997-11-07", "1997-12-05"]),
    ("FREQ=MONTHLY;COUNT=3;BYDAY=-2MO", "19970922", ["1997-09-22", "1997-10-20", "1997-11-17"]),
    ("FREQ=MONTHLY;BYMONTHDAY=-3;COUNT=3", "19970928", ["1997-09-28", "1997-10-29", "1997-11-28"]),
    (
      "FREQ=MONTHLY;COUNT=4;BYMONTHDAY=1,-1", "19970930",
      ["1997-09-30", "1997-10-01", "1997-10-31", "1997-11-01"]
    ),
    ("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "19980213", ["1998-02-13", "1998-03-13", "1998-11-13"]),
    (
      "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", "19970904",
      ["1997-09-04", "1997-10-07", "1997-11-06"]
    ),
    ("FREQ=YEARLY;COUNT=4;BYMONTH=6,7", "19970610", ["1997-06-10", "1997-07-10", "1998-06-10"]),
    ("FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", "19970512", ["1997-05-12", "1998-05-11"]),
    ("FREQ=YEARLY;BYDAY=20MO", "19970519", ["1997-05-19", "1998-05-18"]),
    ("FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8", "19961105", ["1996-11-05"]),
  ]

  @Test(arguments: examples)
  func examplesOfTheStandard(rule: String, from: String, starts: [String]) throws {
    let day = "\(from.prefix(4))-\(from.dropFirst(4).prefix(2))-\(from.suffix(2))"
    let found = try busy(
      "DTSTART:\(from)T090000\r\nDURATION:PT1M\r\nRRULE:\(rule)", now: "\(day)T00:00:00Z")
    #expect(found.map { $0.lowerBound.brief } == starts.map { "\($0)T09:00:00Z" })
  }

  @Test func listsAddAndTakeAway() throws {
    let found = try busy(
      """
      DTSTART:20260112T090000\r
      DURATION:PT1H\r
      RRULE:FREQ=DAILY;COUNT=3\r
      EXDATE:20260113T090000\r
      RDATE:20260120T100000,20260121T100000\r
      RDATE;VALUE=PERIOD:20260122T100000Z/PT5M
      """)
    #expect(
      found.map { $0.lowerBound.brief } == [
        "2026-01-12T09:00:00Z", "2026-01-14T09:00:00Z", "2026-01-20T10:00:00Z", "2026-01-21T10:00:00Z",
        "2026-01-22T10:00:00Z",
      ])
  }

  /// Where a rule is followed from near the window, it keeps its step and its count.
  @Test(arguments: [
    ("FREQ=WEEKLY;INTERVAL=2", ["01-08", "01-22"]), ("FREQ=WEEKLY;COUNT=54", ["01-01"]),
    ("FREQ=WEEKLY;COUNT=55", ["01-01", "01-08"]),
    ("FREQ=DAILY;INTERVAL=20;UNTIL=20260131", ["01-10", "01-30"]),
    ("FREQ=WEEKLY;INTERVAL=3;BYDAY=MO,TH;UNTIL=20260120", ["01-05", "01-08"]),
  ])
  func rulesFromLongAgo(rule: String, days: [String]) throws {
    let found = try busy("DTSTART:20241226T090000\r\nDURATION:PT1H\r\nRRULE:\(rule)")
    #expect(found.prefix(2).map { $0.lowerBound.brief } == days.map { "2026-\($0)T09:00:00Z" })
  }

  /// Events that began before the window and are not over count, and so does a rule from before 1970.
  @Test func theWindowIsAYear() throws {
    let long = try busy("DTSTART;VALUE=DATE:20251201\r\nDTEND;VALUE=DATE:20260301")
    #expect(long.map { $0.upperBound.brief } == ["2026-03-01T00:00:00Z"])
    let birthday = try busy("DTSTART;VALUE=DATE:19500320\r\nRRULE:FREQ=YEARLY")
    #expect(birthday.map { $0.lowerBound.brief } == ["2026-03-20T00:00:00Z"])
    let endless = try busy("DTSTART:20260102T000000Z\r\nDURATION:P999999999W")
    #expect(endless.map { $0.lowerBound.brief } == ["2026-01-02T00:00:00Z"])
    #expect(try busy("DTSTART:20280101T090000Z\r\nDTEND:20280101T100000Z").isEmpty)
    for year in [1950, 1969, 1970] {
      let newYear = try busy("DTSTART;VALUE=DATE:\(year)0101\r\nRRULE:FREQ=YEARLY")
      #expect(newYear.first?.lowerBound.brief == "2026-01-01T00:00:00Z")
    }
  }

  /// libical reads 500 values of a line.
  @Test func longListsAreRead() throws {
    let days = (0..<600).map(Self.hour)
    let added = try busy("DTSTART:20260101T003000\r\nDURATION:PT1M\r\nRDATE:\(days.joined(separator: ","))")
    #expect(added.count == 601)
    let removed = try busy(
      "DTSTART:20260101T000000\r\nDURATION:PT1M\r\nRDATE:\(days.joined(separator: ","))\r\n"
        + "EXDATE;X-NOTE=\"a:b, c\":\(days.joined(separator: ","))")
    #expect(removed.isEmpty)
  }

  /// A local time so many hours after the beginning of 2026.
  private static func hour(_ number: Int) -> String {
    Instant(seconds: 1_767_225_600 + Int64(number) * 3_600)!.brief.filter { !"-:Z".contains($0) }
  }

  /// The name of a zone is a TEXT with escapes in its own component, and plain in parameters; some programs
  /// write the escapes there too.
  @Test(arguments: [",", "\\,"]) func namesOfZonesMayHaveCommas(comma: String) throws {
    let text = """
      BEGIN:VCALENDAR\r
      BEGIN:VTIMEZONE\r
      TZID:(UTC+01:00) Amsterdam\\, Bern\r
      BEGIN:STANDARD\r
      DTSTART:19700101T000000\r
      TZOFFSETFROM:+0100\r
      TZOFFSETTO:+0100\r
      END:STANDARD\r
      END:VTIMEZONE\r
      BEGIN:VEVENT\r
      UID:1\r
      DTSTART;TZID="(UTC+01:00) Amsterdam\(comma) Bern":20260112T090000\r
      DURATION:PT1H\r
      END:VEVENT\r
      END:VCALENDAR\r

      """
    let found = try read(text) { Issue.record($0) }
    #expect(found.map { $0.lowerBound.brief } == ["2026-01-12T08:00:00Z"])
  }

  static let hostile = [
    "RRULE:FREQ=SECONDLY", "RRULE:FREQ=MINUTELY;BYMINUTE=1,2,3",
    "RRULE:FREQ=DAILY;BYHOUR=1,2,3,4;BYMINUTE=1,2,3,4,5;BYSECOND=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16",
    "RRULE:FREQ=DAILY;BYYEARDAY=3", "RRULE:RSCALE=CHINESE;FREQ=YEARLY",
    "RRULE:FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30",
    "RRULE:COUNT=3", "RDATE:20260230T000000", "DURATION:-P1D", "DTSTART:20260101T000000",
    "EXDATE;TZID=Nowhere:20260101T000000", "DTEND;VALUE=DATE:20260102", "DTEND:20231231T000000",
  ]

  @Test(arguments: hostile)
  func whatCannotBeUsedIsLeftOut(line: String) throws {
    var faults = 0
    let found = try busy("DTSTART:20240101T000000\r\n\(line)") { _ in faults += 1 }
    #expect(faults == 1 && found.isEmpty)
  }

  /// Rules for which libical searches a second each: the complete file ends after the time limit.
  @Test func slowFilesEnd() throws {
    let event = "BEGIN:VEVENT\r\nUID:1\r\nDTSTART:20260101T000000\r\nEND:VEVENT\r\n"
    let text = "BEGIN:VCALENDAR\r\n" + String(repeating: event, count: 50) + "END:VCALENDAR\r\n"
    var (faults, elapsed) = (0, Duration.zero)
    _ = try read(
      text,
      elapsed: {
        elapsed += .seconds(1); return elapsed
      }
    ) { _ in faults += 1 }
    #expect(faults == 50)
    let rules = String(repeating: "RRULE:FREQ=MONTHLY;BYDAY=-1FR;BYSETPOS=9\r\n", count: 20_000)
    let many = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART:20260101T000000\r\n\(rules)"
    (faults, elapsed) = (0, .zero)
    _ = try read(
      many + "END:VEVENT\r\nEND:VCALENDAR\r\n",
      elapsed: {
        elapsed += .seconds(4); return elapsed
      }
    ) { _ in faults += 1 }
    #expect(faults == 1)
  }

  static let torn = [
    "BEGIN:VEVENT\nEND:VEVENT", "BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VCALENDAR", "BEGIN:VCALENDAR",
    "END:VCALENDAR", "",
    "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:\0\nEND:VEVENT\nEND:VCALENDAR", "{}",
    String(repeating: "BEGIN:VCALENDAR\n", count: 20),
  ]

  @Test(arguments: torn)
  func tornFilesAreRefused(text: String) {
    #expect(throws: CalendarComponents.Failure.self) { try CalendarComponents.read(Array(text.utf8).span) }
  }

  private func busy(
    _ event: String, now: String = "2026-01-01T00:00:00Z",
    leaveOut: (CalendarError) -> Void = { Issue.record($0) }
  ) throws -> [Range<Instant>] {
    let text = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\n\(event)\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    return try read(text, now: now, leaveOut: leaveOut)
  }

  private func read(
    _ text: String, now: String = "2026-01-01T00:00:00Z", elapsed: () -> Duration = { .zero },
    leaveOut: (CalendarError) -> Void
  ) throws -> [Range<Instant>] {
    let now = try #require(Instant(now))
    var calendar = BusyCalendar(now: now, floating: .utc) { _ in nil }
    let bytes = Array(text.utf8)
    let components = try CalendarComponents.read(bytes.span)
    return try calendar.read(components, try CalendarLibrary(), elapsed: elapsed) { leaveOut($1) }
  }
}
