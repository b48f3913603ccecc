import Chores
import JSONLines
import SyncCore
import TestSupport
import Testing

/// The turns and notifications that an app gets for complete texts.
@Suite struct NotificationRulesTests {
  private static let home = Array(
    """
    {"entity":"Member","id":"ann","displayName":"Ann","updatedAt":"2026-01-01T00:00:00Z"}
    {"entity":"Member","id":"ben","displayName":"Ben","updatedAt":"2026-01-01T00:00:00Z"}
    {"entity":"Template","id":"dishes","title":"Dishes","cadenceUnitRaw":"weeks","cadenceValue":1,"startDate":"2026-01-05T18:00:00Z","updatedAt":"2026-01-01T00:00:00Z"}

    """.utf8)

  private let rules = AssignmentRules { _ in nil }
  private let now: Instant
  private let horizon: Horizon
  private let planned: [[UInt8]]

  init() throws {
    now = try #require(Instant("2026-01-05T16:00:00Z"))
    horizon = Horizon(now: now, until: .after(.seconds(14 * 86_400)))
    planned = [Self.home, try rules.assign([Self.home], horizon)]
  }

  private func objects(_ lines: [UInt8]?) throws -> [JSONValue] {
    try (lines ?? []).split(separator: 10).map { line in
      let line = Array(line)
      return try JSONValue(parsing: line.span)
    }
  }

  @Test func aTurnIsExplainedAndGivenToAnother() throws {
    let first = "dishes@2026-01-05"
    let why = try objects(rules.explain(first, in: planned, horizon))
    #expect(why.count == 1 && why[0]["reason"] == "given by alternate")
    let holder = try #require(why[0]["memberID"]?.stringValue)
    let other = holder == "ann" ? "Ben" : "Ann"
    let line = try #require(try rules.reassign(first, to: other, in: planned, horizon))
    let again = try objects(rules.explain(first, in: planned + [line], horizon))
    #expect(again[0]["reason"] == "overridden" && again[0]["memberID"]?.stringValue != holder)
  }

  @Test func whatIsNoneOrMayBeSeveralIsNothing() throws {
    #expect(try rules.explain("dishes@2026-01-06", in: planned, horizon) == nil)
    #expect(try rules.reassign("dishes@2026-01-05", to: "Cem", in: planned, horizon) == nil)
  }

  @Test func theWeeksToComeAreShared() throws {
    let lines = try objects(rules.simulate([Self.home], from: now, weeks: 4))
    #expect(lines.compactMap { $0["turns"]?.intValue } == [2, 2])
    let error = #expect(throws: SyncError.self) { try rules.simulate([Self.home], from: now, weeks: 0) }
    #expect(error?.code == .invalidOptionValue)
  }

  @Test func newTurnsAreToldAndRemindersComeInTime() throws {
    let told = try #require(NotificationRules { _ in nil })
    let plan = try objects(told.plan(from: [Self.home], to: planned, now: now))
    #expect(Set(plan.compactMap { $0["recipient"]?.stringValue }) == ["ann", "ben"])
    #expect(try objects(told.plan(from: planned, to: planned, now: now)) == [])
    #expect(try objects(told.due(planned, now: now)).map { $0["kind"] } == ["reminder"])
    let next = try #require(try told.nextReminder(planned, after: now))
    #expect(next > now)
  }

  @Test func quietHoursHoldAndDrop() throws {
    let held = try #require(NotificationRules(quietHours: "15:00-17:00") { _ in nil })
    #expect(
      try objects(held.plan(from: [Self.home], to: planned, now: now)).allSatisfy {
        $0["notBefore"] == "2026-01-05T17:00:00Z"
      })
    let dropped = try #require(NotificationRules(quietHours: "15:00-17:00", action: .drop) { _ in nil })
    #expect(try dropped.plan(from: [Self.home], to: planned, now: now).isEmpty)
    #expect(NotificationRules(quietHours: "late") { _ in nil } == nil)
  }

  @Test func errorsSayWhere() throws {
    let told = try #require(NotificationRules { _ in nil })
    expectSyncError("0 members are called 'Cem'", .unknownValue) {
      _ = try told.plan(from: [Self.home], to: planned, by: "Cem", now: now)
    }
    expectSyncError("text 1: line 1: not a JSON object", .notAnObject) {
      _ = try told.plan(from: [Self.home], to: [Array("[]\n".utf8)], now: now)
    }
  }
}
