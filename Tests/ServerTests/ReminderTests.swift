import Chores
import Foundation
import JSONLines
import Remotes
import Server
import Store
import SyncCore
import Synchronization
import SystemIO
import TestSupport
import Testing

/// Notifications of the planner's households without a request.
@Suite struct ReminderTests {
  /// Many households with separate chores in a simulated week, with one server that is restarted in the middle.
  @Test func eachReminderOnce() throws {
    let folder = try TemporaryFolder()
    let places = HouseholdPlaces.folder(folder.url.path)
    let clock = Mutex(Self.start)
    let now: @Sendable () -> Instant = { clock.withLock { $0 } }
    let rules = HouseholdRules(places, now: now)
    var expected: [String: Int] = [:]
    for number in 0..<(Tries.isSoak ? 200 : 60) {
      let store = try ChangeStore(folder.path("h\(number).db"), creating: true, wait: .seconds(10))
      let days = number % 5 + 1
      try Self.fill(store, number, days)
      expected["h\(number)"] = Self.turns(days: days, in: 7)
    }
    var server = SyncServer(rules, KeyRing(in: folder.path("server")), workers: 4) { Issue.record("\($0)") }
    for hour in 0..<(7 * 24) {
      clock.withLock { $0 = Self.start.advanced(by: .seconds(hour * 3_600)) }
      if hour == 80 {
        server = SyncServer(rules, KeyRing(in: folder.path("server")), workers: 4) { Issue.record("\($0)") }
      }
      server.tend(at: .seconds(hour * 3_600))
      server.finishWork()
    }
    for (name, count) in expected {
      let told = try Self.told(in: folder.path("\(name).db"))
      #expect(told.count == count && Set(told).count == count, "\(name): \(told)")
    }
  }

  /// The server starts with a clock that is a month ahead; after a day the clock is set back.
  @Test func aClockThatIsSetBack() throws {
    let folder = try TemporaryFolder()
    let clock = Mutex(Self.start.advanced(by: .seconds(30 * 86_400)))
    let now: @Sendable () -> Instant = { clock.withLock { $0 } }
    let rules = HouseholdRules(.folder(folder.url.path), now: now)
    try Self.fill(ChangeStore(folder.path("h0.db"), creating: true, wait: .seconds(10)), 0, 1)
    let server = SyncServer(rules, KeyRing(in: folder.path("server")), workers: 1) { Issue.record("\($0)") }
    for hour in -24..<(7 * 24) {
      if hour >= 0 { clock.withLock { $0 = Self.start.advanced(by: .seconds(hour * 3_600)) } }
      server.tend(at: .seconds((hour + 24) * 3_600))
      server.finishWork()
    }
    let told = try Self.told(in: folder.path("h0.db"))
    #expect(told.count == 7 && Set(told).count == 7, "\(told)")
  }

  /// The due times of the reminders that a store keeps.
  private static func told(in path: String) throws -> [String] {
    let store = try ChangeStore(path, creating: false, wait: .seconds(10))
    var told: [String] = []
    _ = try store.forEachPush(after: 0) { line in
      let line = Array(line.utf8)
      let value = try JSONValue(parsing: line.span)
      if value["kind"] == "reminder" { told.append(value["dueDate"]?.stringValue ?? "") }
    }
    return told
  }

  private static let start = Instant("2025-06-01T00:00:00Z")!

  /// Due at 18:00 on each `days`-th day from the first on, with a lead time of two hours.
  private static func turns(days: Int, in week: Int) -> Int { (0..<week).count { $0 % days == 0 } }

  private static func fill(_ store: ChangeStore, _ number: Int, _ days: Int) throws {
    let household = "00000000-0000-4000-8000-\(String(1_000_000 + number).suffix(6))000000"
    var lines = [
      #"{"entityName":"Member","identity":{"id":"\#(household)"},"modifiedAt":"2025-05-01T00:00:00Z","fields":{"id":"\#(household)","displayName":"Ann"}}"#
    ]
    for day in stride(from: 0, to: 7, by: days) {
      let id = String(household.dropLast(2)) + (day < 10 ? "0" : "") + "\(day)"
      let occurrence = String(household.prefix(14)) + "5" + id.dropFirst(15)
      lines.append(
        #"{"entityName":"Occurrence","identity":{"id":"\#(occurrence)"},"modifiedAt":"2025-05-01T00:00:00Z","fields":{"id":"\#(occurrence)","templateID":"\#(household)","dueDate":"2025-06-0\#(day + 1)T18:00:00Z","assignedMemberID":"\#(household)"}}"#
      )
    }
    lines.append(
      #"{"entityName":"Template","identity":{"id":"\#(household)"},"modifiedAt":"2025-05-01T00:00:00Z","fields":{"id":"\#(household)","title":"Dishes","cadenceUnitRaw":"days","cadenceValue":\#(days),"leadTimeHours":2,"startDate":"2025-06-01T18:00:00Z"}}"#
    )
    try store.write {
      try store.setRules(.chores)
      var (intake, reader) = (try LocalIntake(store, .chores, now: start), LineReader(RecordShape.chores))
      for line in lines {
        let line = Array(line.utf8)
        var key: [UInt8] = []
        _ = try reader.read(line.span, key: &key)
        _ = try intake.apply(key.span, changeLine: line.span)
      }
    }
  }
}
