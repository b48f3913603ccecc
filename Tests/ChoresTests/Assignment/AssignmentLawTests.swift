@testable import Chores
import SyncCore
import TestSupport
import Testing

/// What must hold of any household; a failure names its seed.
@Suite struct AssignmentLawTests {
  /// As many as the long tests take; by default some of them are used.
  private static let seeds = Tries.seeds(40, soak: 2_000)

  /// A household in which things have happened, on one device.
  private func lived(_ seed: UInt64) throws -> (RandomHousehold, Home) {
    var random = RandomHousehold(seed: seed)
    var home = random.home()
    for day in stride(from: 0, through: 24, by: 4) {
      if !random.pick(0...2).isMultiple(of: 3) { try home.assign(random.moment(on: day), days: 20) }
      try random.event(on: day, in: &home)
    }
    return (random, home)
  }

  @Test func orderAndSplitDoNotMatter() throws {
    for seed in Tries.seeds(500, soak: 5_000) {
      var random = RandomHousehold(seed: seed)
      var home = random.home(templates: 1...2)
      if random.pick(0...1) == 0 { try home.assign(random.moment(on: 2), days: 12) }
      let turns = try home.turns()
      for day in 3...8 { random.event(on: day, among: turns, in: &home) }
      let horizon = Horizon(now: Instant("2026-01-14T12:00:00Z")!, until: .after(.seconds(9 * 86_400)))
      let expected = try Home.rules.assign([home.text], horizon, all: true)
      let actual = try Home.rules.assign(random.scattered(home.lines), horizon, all: true)
      #expect(expected == actual, "seed \(seed)")
    }
  }

  @Test func twoDevicesAgreeAfterMergeAndAssign() throws {
    for seed in Self.seeds {
      var random = RandomHousehold(seed: seed)
      var a = random.home()
      var b = a
      for day in 0...3 {
        try a.assign(random.moment(on: day * 5), days: random.pick(10...40))
        try b.assign(random.moment(on: day * 5 + 3), days: random.pick(10...40))
        for _ in 0..<random.pick(0...3) { try random.event(on: day * 5 + 1, in: &a) }
        for _ in 0..<random.pick(0...3) { try random.event(on: day * 5 + 2, in: &b) }
      }
      let (own, other) = (a.lines, b.lines)
      a.lines += other
      b.lines = other.reversed() + own
      let first = try a.assign("2026-01-28T00:00:00Z")
      #expect(try b.assign("2026-01-28T00:00:00Z") == first, "seed \(seed)")
      #expect(a.lines == b.lines, "seed \(seed)")
      // And nothing is left to correct.
      #expect(try a.assign("2026-01-28T00:00:00Z") == [], "seed \(seed)")
    }
  }

  /// Completions may come without their occurrences, which are elsewhere still, or deleted.
  @Test func runningTwiceIsRunningOnce() throws {
    var lone = 0
    for seed in Self.seeds {
      var (random, home) = try lived(seed)
      let stored = Set(try home.turns().map(\.id))
      for number in 0..<random.pick(1...4) {
        let template = "t\(random.pick(1...3))"
        let day = RandomHousehold.firstDay + random.pick(20...50)
        let id = OccurrenceNames(RecordID(template)).id(of: day).text
        home.lines.append(
          #"{"entity":"CompletionEvent","id":"l\#(number)","occurrenceID":"\#(id)","memberID":"ann","timestamp":"\#(random.moment(on: 24))"}"#
        )
        if !stored.contains(id) { lone += 1 }
      }
      try home.assign("2026-01-30T00:00:00Z", days: 30)
      #expect(try home.assign("2026-01-30T00:00:00Z", days: 30) == [], "seed \(seed)")
    }
    #expect(lone > Self.seeds.count)
  }

  @Test func runningAgainLaterOnlyAdds() throws {
    for seed in Self.seeds {
      var (_, home) = try lived(seed)
      try home.assign("2026-02-01T00:00:00Z", days: 30)
      let before = try home.turns()
      try home.assign("2026-02-09T00:00:00Z", days: 30)
      let after = Set(try home.turns().map { "\($0)" })
      #expect(before.allSatisfy { after.contains("\($0)") }, "seed \(seed)")
    }
  }

  @Test func terminalOccurrencesNeverChange() throws {
    for seed in Self.seeds {
      var (_, home) = try lived(seed)
      let ended = try home.turns().filter { $0.status != "pending" }
      try home.assign("2026-02-01T00:00:00Z")
      let after = try home.turns()
      #expect(ended.allSatisfy { after.contains($0) }, "seed \(seed)")
    }
  }

  @Test func oneOccurrenceADate() throws {
    for seed in Self.seeds {
      var (_, home) = try lived(seed)
      try home.assign("2026-02-01T00:00:00Z")
      let pending = try home.turns().filter { $0.status == "pending" }.map { "\($0.template) \($0.due)" }
      #expect(Set(pending).count == pending.count, "seed \(seed)")
    }
  }
}
