@testable import Chores
import SyncCore
import TestSupport
import Testing

/// Archived records change no turn, wherever they come back from.
@Suite struct PruningTests {
  @Test func assignmentsStayTheSame() throws {
    var archived = 0
    for seed in Tries.seeds(30, soak: 1_500) {
      var random = RandomHousehold(seed: seed)
      var home = random.home()
      for day in stride(from: 0, through: 30, by: 3) {
        try home.assign(random.moment(on: day), days: 20)
        try random.event(on: day, in: &home)
      }
      try home.assign("2026-02-08T00:00:00Z")
      let before = try home.turns().filter { $0.status == "pending" }
      var small = home
      let parts = try home.pruned("2026-02-08T00:00:00Z", days: random.pick(0...25))
      small.lines = parts.kept
      archived += parts.archived.count
      #expect(try small.assign("2026-02-08T00:00:00Z") == [], "seed \(seed)")
      #expect(try small.turns().filter { $0.status == "pending" } == before, "seed \(seed)")
      // Another device brings everything back: nothing counts twice.
      small.lines += home.lines
      #expect(try small.assign("2026-02-08T00:00:00Z") == [], "seed \(seed)")
      // And the next weeks are the same for both.
      _ = try small.assign("2026-02-20T00:00:00Z")
      _ = try home.assign("2026-02-20T00:00:00Z")
      #expect(
        try small.turns().filter { $0.status == "pending" } == home.turns().filter { $0.status == "pending" },
        "seed \(seed)")
    }
    #expect(archived > Tries.seeds(30).count)
  }

  /// An override counts for the clocks of all templates, archived or not.
  @Test func theClocksOfOtherTemplatesStayTheSame() throws {
    var overridden = 0
    for seed in Tries.seeds(30, soak: 1_500) {
      var random = RandomHousehold(seed: seed)
      var home = random.home(templates: 2...3)
      for day in stride(from: 0, through: 30, by: 3) {
        try home.assign(random.moment(on: day), days: 20)
        if let turn = try home.turns().first(where: { $0.status == "pending" }) {
          home.override(turn, with: "ann", at: random.moment(on: day))
          home.complete(turn, by: "ann", at: random.moment(on: day))
        }
      }
      try home.assign("2026-02-08T00:00:00Z")
      var small = home
      for days in [20, 5] {
        let parts = try small.pruned("2026-02-08T00:00:00Z", days: days)
        small.lines = parts.kept
        overridden += parts.archived.count { $0.contains("Override") }
      }
      #expect(
        try small.assign("2026-03-20T00:00:00Z") == home.assign("2026-03-20T00:00:00Z"), "seed \(seed)")
    }
    #expect(overridden > Tries.seeds(30).count)
  }

  @Test func pruningTwiceIsPruningOnce() throws {
    var home = Home(["ann", "ben"])
    home.add(template: "t")
    for week in 0..<12 {
      let now = "\(CivilText.date(RandomHousehold.firstDay + week * 7))T20:00:00Z"
      try home.assign(now)
      let turn = try #require(try home.turns().first { $0.status == "pending" })
      home.complete(turn, by: turn.member!, at: now)
    }
    let once = try home.pruned("2026-04-01T00:00:00Z", days: 21)
    #expect(once.archived.count == 20)
    var small = home
    small.lines = once.kept
    let twice = try small.pruned("2026-04-01T00:00:00Z", days: 21)
    #expect(twice.archived == [] && twice.kept.sorted() == once.kept.sorted())
    // Records that come back are archived again, and make no second summary.
    small.lines += home.lines
    #expect(try small.pruned("2026-04-01T00:00:00Z", days: 21).archived.count == 20)
  }

  @Test func pendingOccurrencesHoldTheCutOff() throws {
    var home = Home(["ann", "ben"])
    home.add(template: "t")
    try home.assign("2026-01-05T00:00:00Z")
    let turns = try home.turns()
    home.complete(turns[0], by: "ann", at: "2026-01-05T20:00:00Z")
    home.complete(turns[2], by: "ann", at: "2026-01-19T20:00:00Z")
    let parts = try home.pruned("2026-03-01T00:00:00Z", days: 7)
    #expect(parts.archived.count == 2)
    #expect(parts.kept.contains { $0.contains(#""before":"2026-01-06""#) })
  }

  /// A device that did not know of a completion brings it back as pending.
  @Test func whatIsPendingBeforeTheCutOffIsDeleted() throws {
    var home = Home(["ann", "ben"])
    home.add(template: "t")
    try home.assign("2026-01-05T00:00:00Z")
    let other = home
    for (turn, day) in zip(try home.turns(), ["05", "12", "19"]) {
      home.complete(turn, by: "ann", at: "2026-01-\(day)T20:00:00Z")
    }
    home.lines = try home.pruned("2026-03-01T00:00:00Z", days: 7).kept
    try home.assign("2026-01-20T00:00:00Z", days: 60)
    let expected = try home.turns()
    home.lines += other.lines
    try home.assign("2026-01-20T00:00:00Z", days: 60)
    #expect(try home.turns() == expected)
  }

  /// A clock that is years ahead archives only completed work, and planning continues.
  @Test func aClockThatIsAheadDoesNotStopThePlanning() throws {
    var home = Home(["ann", "ben"])
    home.add(template: "t")
    try home.assign("2026-01-05T00:00:00Z", days: 7)
    for turn in try home.turns() { home.complete(turn, by: "ann", at: turn.due) }
    home.lines = try home.pruned("2056-01-01T00:00:00Z", days: 7).kept
    #expect(home.lines.contains { $0.contains(#""before":"2026-01-13""#) })
    try home.assign("2026-01-13T00:00:00Z", days: 7)
    #expect(try home.turns().map(\.date) == ["2026-01-19"])
  }
}
