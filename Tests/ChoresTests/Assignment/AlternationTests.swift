@testable import Chores
import SyncCore
import TestSupport
import Testing

/// Strict alternation of two, and fairness among ten.
@Suite struct AlternationTests {
  /// Twelve weeks of a weekly chore, with something happening each week; the turns at the end.
  private func twelveWeeks(
    seed: UInt64, _ event: (inout Home, Turn, inout SplitMix64, String) throws -> Void
  ) throws -> [Turn] {
    var random = SplitMix64(seed: seed)
    var home = Home(["ann", "ben"])
    home.add(template: "dishes")
    for week in 0..<12 {
      let now = "\(CivilText.date(RandomHousehold.firstDay + week * 7))T08:00:00Z"
      try home.assign(now)
      let turn = try #require(try home.turns().first { $0.status == "pending" })
      try event(&home, turn, &random, "\(CivilText.date(RandomHousehold.firstDay + week * 7))T20:00:00Z")
      let given = try afterAssign(&home, week)
      #expect(alternates(given), "seed \(seed), week \(week): \(given.map(\.member))")
    }
    return try home.turns()
  }

  private func afterAssign(_ home: inout Home, _ week: Int) throws -> [Turn] {
    try home.assign("\(CivilText.date(RandomHousehold.firstDay + week * 7 + 1))T08:00:00Z")
    return try home.turns().filter { $0.status == "pending" }
  }

  private func alternates(_ turns: [Turn]) -> Bool {
    turns.allSatisfy { $0.member != nil }
      && zip(turns, turns.dropFirst()).allSatisfy { $0.member != $1.member }
  }

  private func other(_ member: String?) -> String { member == "ann" ? "ben" : "ann" }

  @Test func afterCompletionsInTurn() throws {
    let turns = try twelveWeeks(seed: 1) { home, turn, _, now in
      home.complete(turn, by: turn.member!, at: now)
    }
    #expect(alternates(turns))
  }

  @Test func afterCompletionsByEither() throws {
    for seed in Tries.seeds(6, soak: 50) {
      _ = try twelveWeeks(seed: seed) { home, turn, random, now in
        let doer = random.oneIn(2) ? "ann" : "ben"
        home.complete(turn, by: doer, at: now)
        let next = try self.next(in: &home, after: now)
        // Whoever did it is not next.
        #expect(next.member == self.other(doer), "seed \(seed)")
      }
    }
  }

  private func next(in home: inout Home, after now: String) throws -> Turn {
    try home.assign(now)
    return try #require(try home.turns().first { $0.status == "pending" })
  }

  @Test func skippedTurnsAreKept() throws {
    for seed in Tries.seeds(6, soak: 50) {
      _ = try twelveWeeks(seed: seed) { home, turn, random, now in
        guard random.oneIn(3) else { return home.complete(turn, by: turn.member!, at: now) }
        home.skip(turn, at: now)
        let next = try self.next(in: &home, after: now)
        #expect(next.member == turn.member, "seed \(seed)")
      }
    }
  }

  @Test func bothCompletingOfflineIsOneTurn() throws {
    _ = try twelveWeeks(seed: 1) { home, turn, _, now in
      home.complete(turn, by: "ben", at: now)
      home.complete(turn, by: "ann", at: String(now.prefix(11)) + "19:00:00Z")
      // Ann was first, so the turn is hers.
      let next = try self.next(in: &home, after: now)
      #expect(next.member == "ben")
    }
  }

  @Test func overridesAreHonouredAndTheRotationResumes() throws {
    for seed in Tries.seeds(6, soak: 50) {
      _ = try twelveWeeks(seed: seed) { home, turn, random, now in
        guard random.oneIn(3) else { return home.complete(turn, by: turn.member!, at: now) }
        home.override(turn, with: self.other(turn.member), at: now)
        let again = try self.next(in: &home, after: now)
        #expect(again.id == turn.id && again.member == self.other(turn.member), "seed \(seed)")
        home.complete(again, by: again.member!, at: now)
        let next = try self.next(in: &home, after: now)
        #expect(next.member == turn.member, "seed \(seed)")
      }
    }
  }

  @Test func afterPruning() throws {
    for seed in Tries.seeds(6, soak: 50) {
      _ = try twelveWeeks(seed: seed) { home, turn, random, now in
        let doer = random.oneIn(2) ? "ann" : "ben"
        home.complete(turn, by: doer, at: now)
        let all = home.lines
        home.lines = try home.pruned(now, days: random.pick([0, 7, 21])).kept
        if random.oneIn(3) { home.lines += all }
        let next = try self.next(in: &home, after: now)
        #expect(next.member == self.other(doer), "seed \(seed)")
      }
    }
  }

  @Test func passedTurnsAreOver() throws {
    var home = Home(["ann", "ben"])
    home.add(template: "dishes", at: "2026-01-01T00:00:00Z", #""skip":"pass""#)
    try home.assign("2026-01-05T00:00:00Z", days: 14)
    let turns = try home.turns()
    home.skip(turns[0], at: "2026-01-05T20:00:00Z")
    try home.assign("2026-01-06T00:00:00Z", days: 14)
    #expect(try home.turns().map(\.member) == turns.map(\.member))
  }

  @Test func absencesLeaveOutAndAreNotMadeUpFor() throws {
    var home = Home(["ann", "ben"])
    home.add(template: "dishes")
    home.absence(of: "ann", "2026-01-19", "2026-02-15")
    try home.assign("2026-01-05T00:00:00Z")
    let turns = try home.turns()
    let away = turns.filter { ("2026-01-19"..."2026-02-15").contains($0.date) }
    #expect(away.count == 4 && away.allSatisfy { $0.member == "ben" })
    let back = turns.filter { $0.date > "2026-02-15" }
    #expect(alternates(back) && back.first?.member == "ann")
  }

  @Test func nobodyIsThere() throws {
    var home = Home(["ann", "ben"])
    home.add(template: "dishes")
    for member in ["ann", "ben"] { home.absence(of: member, "2026-01-12", "2026-01-18") }
    try home.assign("2026-01-05T00:00:00Z", days: 14)
    let members = try home.turns().map(\.member)
    #expect(members[1] == nil && members[0] != members[2] && members[2] != nil)
  }

  /// Groups of members that are away on the same days; within each, turns differ by at most one.
  @Test func tenMembersWithUnevenAbsences() throws {
    for seed in Tries.seeds(10, soak: 400) {
      var random = SplitMix64(seed: seed)
      let names = (0..<10).map { "m\($0)" }
      var home = Home(names)
      home.add(template: "dishes", every: 1, "days")
      let groups = Dictionary(grouping: names) { _ in Int.random(in: 0..<3, using: &random) }
      for (group, members) in groups.sorted(by: { $0.key < $1.key }) where group > 0 {
        for _ in 0..<6 {
          let first = RandomHousehold.firstDay + Int.random(in: 0..<330, using: &random)
          let last = first + Int.random(in: 0..<40, using: &random)
          for member in members { home.absence(of: member, CivilText.date(first), CivilText.date(last)) }
        }
      }
      try home.assign("2026-01-05T00:00:00Z", days: 364)
      let counts = Dictionary(grouping: try home.turns().compactMap(\.member), by: { $0 }).mapValues(\.count)
      for members in groups.values {
        let turns = members.map { counts[$0] ?? 0 }
        #expect(turns.max()! - turns.min()! <= 1, "seed \(seed): \(turns)")
      }
    }
  }

  @Test func whoJoinsLaterDoesNotMakeUp() throws {
    var home = Home(["ann", "ben"])
    home.add(template: "dishes")
    home.add(member: "cat", joined: "2026-03-01T00:00:00Z")
    try home.assign("2026-01-05T00:00:00Z", days: 167)
    let after = try home.turns().filter { $0.date > "2026-03-01" }.compactMap(\.member)
    let counts = Dictionary(grouping: after, by: { $0 }).mapValues(\.count)
    #expect(counts.values.max()! - counts.values.min()! <= 1 && counts.count == 3)
  }
}
