import JSONLines
import SyncCore
import TestSupport
import Testing

/// What is put away changes no turn, wherever it comes back from.
@Suite struct PruningTests {
  /// The lines that remain, with the summaries, and those that are put away.
  private func pruned(_ home: Home, _ now: String, days: Int) throws -> (kept: [String], archived: [String]) {
    let merged = try Home.merging.merge([home.text])
    let household = try Home.rules.household([merged])
    let pruning = Pruning(household, now: Instant(now)!, olderThan: .seconds(days * 86_400))
    var (kept, archived): ([String], [String]) = ([], [])
    for line in String(decoding: merged, as: UTF8.self).split(separator: "\n").map(String.init) {
      let own = try Home.rules.record(line)
      let start = household.text.firstRange(of: Array(line.utf8))?.lowerBound ?? -1
      if pruning.takesAway(own, at: start) { archived.append(line) } else { kept.append(line) }
    }
    return (kept + pruning.summaries.map { String(decoding: $0.text, as: UTF8.self) }, archived)
  }

  @Test func assignmentsStayTheSame() throws {
    var archived = 0
    for seed in LawSeeds.some(300, usually: 30) {
      var random = RandomHousehold(seed: seed)
      var home = random.home()
      for day in stride(from: 0, through: 30, by: 3) {
        try home.assign(random.moment(on: day), days: 20)
        try random.event(on: day, in: &home)
      }
      try home.assign("2026-02-08T00:00:00Z")
      let before = try home.turns().filter { $0.status == "pending" }
      var small = home
      let parts = try pruned(home, "2026-02-08T00:00:00Z", days: random.pick(0...25))
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
    #expect(archived > 30)
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
    let once = try pruned(home, "2026-04-01T00:00:00Z", days: 21)
    #expect(once.archived.count == 20)
    var small = home
    small.lines = once.kept
    let twice = try pruned(small, "2026-04-01T00:00:00Z", days: 21)
    #expect(twice.archived == [] && twice.kept.sorted() == once.kept.sorted())
    // What comes back is put away again, and makes no second summary.
    small.lines += home.lines
    #expect(try pruned(small, "2026-04-01T00:00:00Z", days: 21).archived.count == 20)
  }

  @Test func pendingOccurrencesHoldTheCutOff() throws {
    var home = Home(["ann", "ben"])
    home.add(template: "t")
    try home.assign("2026-01-05T00:00:00Z")
    let turns = try home.turns()
    home.complete(turns[0], by: "ann", at: "2026-01-05T20:00:00Z")
    home.complete(turns[2], by: "ann", at: "2026-01-19T20:00:00Z")
    let parts = try pruned(home, "2026-03-01T00:00:00Z", days: 7)
    #expect(parts.archived.count == 2)
    #expect(parts.kept.contains { $0.contains(#""before":"2026-01-12""#) })
  }
}
