@testable import Chores
import SyncCore
import Testing

/// Which of several records about one date counts, and other details of the rules.
@Suite struct TurnDetailTests {
  private let now = "2026-01-05T00:00:00Z"
  /// Smaller than any id that is made of a template and a date.
  private let stranger = "00000000-0000-4000-8000-000000000000"

  /// A household with one date, and that date again under another id.
  private func twice() throws -> (home: Home, own: Turn, other: Turn) {
    var home = Home(["ann", "ben"])
    home.add(template: "t")
    try home.assign(now, days: 0)
    let own = try #require(try home.turns().first)
    var other = own
    other.id = stranger
    home.lines.append(
      #"{"entity":"Occurrence","id":"\#(stranger)","templateID":"t","dueDate":"\#(own.due)","statusRaw":"pending","updatedAt":"2026-01-01T00:00:00Z"}"#
    )
    return (home, own, other)
  }

  @Test func ofTwoPendingOnesThatStaysWhichBearsTheDatesID() throws {
    var (home, own, _) = try twice()
    try home.assign(now, days: 0)
    #expect(try home.turns().map(\.id) == [own.id])
  }

  @Test(arguments: [true, false]) func ofOverridesUnderTwoIDsTheLaterCounts(ownIsLater: Bool) throws {
    for (first, second) in [("ann", "ben"), ("ben", "ann")] {
      var (home, own, other) = try twice()
      home.override(ownIsLater ? other : own, with: first, at: "2026-01-03T00:00:00Z")
      home.override(ownIsLater ? own : other, with: second, at: "2026-01-04T00:00:00Z")
      try home.assign(now, days: 0)
      #expect(try home.turns().map(\.member) == [second])
    }
  }

  /// Removing it would remove the override, and the next run would decide differently.
  @Test func anOverrideIsNotLostWithASecondOccurrenceOfItsDate() throws {
    for member in ["ann", "ben"] {
      var (home, _, other) = try twice()
      home.override(other, with: member, at: "2026-01-03T00:00:00Z")
      try home.assign(now, days: 0)
      #expect(try home.turns().map(\.member) == [member])
      #expect(try home.assign(now, days: 0) == [], "nothing is left to say")
    }
  }

  /// An override may have any id, and may name the occurrence by the id that is made for its date.
  @Test(arguments: [true, false]) func aReassignedTurnBeatsEveryOverride(namesItsID: Bool) throws {
    for clock in [now, "2026-01-09T00:00:00Z"] {
      for (old, new) in [("ann", "ben"), ("ben", "ann")] {
        var (home, own, _) = try twice()
        home.lines.removeAll { $0.contains(own.id) }
        let named = namesItsID ? stranger : own.id
        home.lines.append(
          #"{"entity":"Override","id":"0","occurrenceID":"\#(named)","memberID":"\#(old)","updatedAt":"\#(clock)"}"#
        )
        let today = Horizon(now: try #require(Instant(now)), until: .after(.zero))
        let line = try #require(try Home.rules.reassign(stranger, to: new, in: [home.text], today))
        home.lines.append(String(decoding: line.dropLast(), as: UTF8.self))
        try home.assign(now, days: 0)
        #expect(try home.turns().map(\.member) == [new])
      }
    }
  }

  /// A due time after the year 9999 cannot be written.
  @Test func aDueTimeAfterTheLastYearIsKept() throws {
    var home = Home(["ann"])
    home.add(
      template: "t", every: 1, "days", from: "2026-01-06T03:00:00Z", #""timeZone":"America/New_York""#)
    home.lines.append(
      #"{"entity":"Occurrence","id":"far","templateID":"t","dueDate":"9999-12-31T20:00:00Z","statusRaw":"pending","updatedAt":"2026-01-01T00:00:00Z"}"#
    )
    try home.assign(now, days: 0)
    let far = try #require(try home.turns().first { $0.id == "far" })
    #expect(far.due == "9999-12-31T20:00:00Z" && far.member == "ann")
  }

  @Test func whatIsDoneCountsBeforeWhatIsSkipped() throws {
    var (home, own, other) = try twice()
    let doer = try #require(own.member)
    home.skip(own, at: "2026-01-05T19:00:00Z")
    home.complete(other, by: doer, at: "2026-01-05T20:00:00Z")
    #expect(try nextHolder(&home) == (doer == "ann" ? "ben" : "ann"), "a skip would have kept the turn")
  }

  @Test(arguments: ["ann", "ben"]) func ofTwoThatAreDoneTheEarlierCounts(early: String) throws {
    var (home, own, other) = try twice()
    let late = early == "ann" ? "ben" : "ann"
    home.complete(own, by: late, at: "2026-01-05T20:00:00Z")
    home.complete(other, by: early, at: "2026-01-05T19:00:00Z")
    #expect(try nextHolder(&home) == late)
  }

  private func nextHolder(_ home: inout Home) throws -> String? {
    try home.assign("2026-01-06T00:00:00Z", days: 7)
    return try home.turns().first { $0.status == "pending" }?.member
  }

  @Test func fixedGoesByTheListAsItStands() throws {
    for template in ["a", "b", "c", "d", "e", "f"] {
      var home = Home(["ann", "ben", "cid"])
      home.add(
        template: template, at: "2026-01-01T00:00:00Z",
        #""assignment":"fixed","participantIDs":["cid","ann","ben"]"#)
      home.absence(of: "cid", "2026-01-19", "2026-01-19")
      try home.assign(now, days: 20)
      #expect(try home.turns().map(\.member) == ["cid", "cid", "ann"], "\(template)")
    }
  }

  /// A returning member is raised, never lowered: extra turns are not forgotten because of a week away.
  @Test func whoReturnsWithMoreTurnsKeepsThem() throws {
    var home = Home(["ann", "ben", "cid"])
    home.add(template: "t")
    for week in 0..<4 {
      let monday = RandomHousehold.firstDay + week * 7
      try home.assign("\(CivilText.date(monday))T08:00:00Z", days: 1)
      let turn = try #require(try home.turns().first { $0.status == "pending" })
      home.complete(turn, by: "ann", at: "\(CivilText.date(monday))T20:00:00Z")
    }
    let away = CivilText.date(RandomHousehold.firstDay + 4 * 7)
    home.absence(of: "ann", away, away)
    try home.assign("\(away)T08:00:00Z", days: 5 * 7 + 1)
    let given = try home.turns().filter { $0.status == "pending" }.map(\.member)
    #expect(given.count == 6 && !given.contains("ann"), "\(given)")
  }
}
