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
    var (expected, followers): ([String: Int], [String: Follower]) = ([:], [:])
    for number in 0..<(Tries.isSoak ? 200 : 60) {
      let store = try ChangeStore(folder.path("h\(number).db"), creating: true, wait: .seconds(10))
      let days = number % 5 + 1
      try Self.fill(store, number, days)
      expected["h\(number)"] = Self.turns(days: days, in: 7)
      followers["h\(number)"] = Follower(folder.path("h\(number).db"))
    }
    var server = SyncServer(rules, KeyRing(in: folder.path("server")), workers: 4) { Issue.record("\($0)") }
    for hour in 0..<(7 * 24) {
      clock.withLock { $0 = Self.start.advanced(by: .seconds(hour * 3_600)) }
      if hour == 80 {
        server = SyncServer(rules, KeyRing(in: folder.path("server")), workers: 4) { Issue.record("\($0)") }
      }
      server.tend(at: .seconds(hour * 3_600))
      server.finishWork()
      // A line stays for at least a day.
      if hour % 12 == 11 { for follower in followers.values { try follower.read() } }
    }
    for (name, count) in expected {
      let told = followers[name]?.told ?? []
      #expect(told.count == count && Set(told).count == count, "\(name): \(told)")
    }
  }

  /// The server starts with a clock that is a month ahead; after a day the clock is set back.
  @Test func aClockThatIsSetBack() throws {
    let folder = try TemporaryFolder()
    let clock = Mutex(Self.start.advanced(by: .seconds(30 * 86_400)))
    let now: @Sendable () -> Instant = { clock.withLock { $0 } }
    let rules = HouseholdRules(.folder(folder.url.path), now: now)
    let store = try ChangeStore(folder.path("h0.db"), creating: true, wait: .seconds(10))
    try Self.fill(store, 0, 1)
    let follower = Follower(folder.path("h0.db"))
    let server = SyncServer(rules, KeyRing(in: folder.path("server")), workers: 1) { Issue.record("\($0)") }
    for hour in -24..<(7 * 24) {
      if hour >= 0 { clock.withLock { $0 = Self.start.advanced(by: .seconds(hour * 3_600)) } }
      server.tend(at: .seconds((hour + 24) * 3_600))
      server.finishWork()
      try follower.read()
    }
    let told = follower.told
    #expect(told.count == 7 && Set(told).count == 7, "\(told)")
  }

  /// Reminders far ahead have many nights; they do not fill the household, and none of them is lost.
  @Test func manyRemindersKeepToTheQuota() throws {
    let folder = try TemporaryFolder()
    let clock = Mutex(Self.start)
    var rules = HouseholdRules(.folder(folder.url.path), now: { clock.withLock { $0 } })
    rules.quota = 1 << 20
    let store = try ChangeStore(folder.path("h0.db"), creating: true, wait: .seconds(10))
    let id = { (kind: Int, number: Int) in
      "00000000-0000-\(kind)000-8000-\(String(1_000_000_000_000 + number).suffix(12))"
    }
    let ann = id(4, 0)
    let dues = (1...150).map { Self.start.advanced(by: .seconds(Int64($0) * 2 * 86_400)) }
    var records = [
      ("Member", ann, #""displayName":"Ann","quietHours":"22:00-07:00""#),
      (
        "Template", ann,
        #""title":"Dishes","cadenceUnitRaw":"days","cadenceValue":0,"startDate":"2025-06-01T18:00:00Z","leadTimeHours":8784"#
      ),
    ]
    for (number, due) in dues.enumerated() {
      let members = #""templateID":"\#(ann)","dueDate":"\#(due)","assignedMemberID":"\#(ann)""#
      records.append(("Occurrence", id(5, number), members))
    }
    try Self.put(
      records.map { kind, id, members in
        #"{"entityName":"\#(kind)","identity":{"id":"\#(id)"},"modifiedAt":"2025-05-01T00:00:00Z","fields":{"id":"\#(id)",\#(members)}}"#
      }, into: store)
    let follower = Follower(folder.path("h0.db"))
    let server = SyncServer(rules, KeyRing(in: folder.path("server")), workers: 1) { Issue.record("\($0)") }
    for day in stride(from: 0, through: 310, by: 2) {
      clock.withLock { $0 = Self.start.advanced(by: .seconds(Int64(day) * 86_400 - 1)) }
      server.tend(at: .seconds(day * 86_400))
      server.finishWork()
      try follower.read()
      let size = try store.read { try store.keptPushes().reduce(0) { $0 + $1.size } }
      #expect(size <= 1 << 18)
    }
    #expect(Set(follower.told).count == dues.count && (29...31).contains(follower.mostPauses))
    // The clock is far beyond the last due time: only the last line is left.
    #expect(try store.read { try store.keptPushes().count } == 1)
  }

  /// A reader that follows the notifications of a store, as `syncserve pushes --follow`.
  private final class Follower {
    private let path: String
    private var last: Int64 = 0
    /// The due times of the reminders.
    private(set) var told: [String] = []
    private(set) var mostPauses = 0

    init(_ path: String) { self.path = path }

    func read() throws {
      let store = try ChangeStore(path, creating: false, wait: .seconds(10))
      last = try store.forEachPush(after: last) { line in
        let line = Array(line.utf8)
        let value = try JSONValue(parsing: line.span)
        if value["kind"] == "reminder" { told.append(value["dueDate"]?.stringValue ?? "") }
        mostPauses = max(mostPauses, value["notDuring"]?.arrayValue?.count ?? 0)
      }
    }
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
    try put(lines, into: store)
  }

  private static func put(_ lines: [String], into store: ChangeStore) throws {
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
