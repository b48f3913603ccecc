@testable import Chores
import JSONLines
@testable import Server
import Store
import SyncCore
import TestSupport
import Testing

/// The list of notifications as an outbox reads it, whenever it does.
@Suite(.onEveryEngine) struct PushListTests {
  private static let occurrence = RecordID("o1")

  private static func reminder(
    _ number: UInt64, of occurrence: RecordID = occurrence, days: Int64 = 1
  ) -> Chores.Notification {
    var reminder = Chores.Notification(
      id: UUIDValue(high: 1, low: number), kind: .reminder, recipient: RecordID("ann"),
      notBefore: TestServer.now, expires: day(days), collapseID: "c")
    reminder.occurrence = occurrence
    return reminder
  }

  private static func day(_ number: Int64) -> Instant {
    TestServer.now.advanced(by: .seconds(number * 86_400))
  }

  /// An outbox that reads after every change, and one that always begins with the first line.
  private final class Reader {
    var last: Int64 = 0
    var waiting: Set<UUIDValue> = []

    func read(_ store: ChangeStore) throws {
      last = try store.forEachPush(after: last) { line in
        let line = Array(line.utf8)
        let value = try JSONValue(parsing: line.span)
        if let withdrawal = try Withdrawal(value) {
          waiting = waiting.filter { withdrawal.keep == $0 }
        } else {
          waiting.insert(try Chores.Notification(value).id)
        }
      }
    }
  }

  private static func check(_ steps: [(Withdrawal?, UInt64?)]) throws {
    let server = try TestServer()
    defer { server.end() }
    let store = try server.store()
    let (follower, late) = (Reader(), Reader())
    for (number, (withdrawal, reminder)) in steps.enumerated() {
      try store.write {
        let list = PushList(of: store, in: server.household, now: TestServer.now)
        try list.add([withdrawal].compactMap(\.self))
        try list.add([reminder].compactMap(\.self).map { Self.reminder($0) })
      }
      let expected = Set([reminder].compactMap(\.self).map { Self.reminder($0).id })
      let new = Reader()
      for reader in [follower, late, new] where reader !== late || number % 3 == 2 {
        if reader === late { reader.last = 0 }
        try reader.read(store)
        #expect(reader.waiting == expected, "step \(number)")
      }
    }
  }

  @Test func aDueTimeThatReturnsRemindsAgain() throws {
    func keep(_ number: UInt64) -> Withdrawal {
      Withdrawal(Self.occurrence, keep: Self.reminder(number).id)
    }
    try Self.check([
      (nil, 18), (keep(19), 19), (keep(18), 18), (keep(19), 19), (keep(18), 18), (keep(20), 20),
    ])
  }

  @Test func theSecondWithdrawalCounts() throws {
    let all = Withdrawal(Self.occurrence)
    try Self.check([(nil, 18), (all, nil), (nil, 19), (all, nil), (nil, 18), (all, nil)])
  }

  /// The same withdrawals are made every minute.
  @Test func whatIsStillRightIsNotWrittenAgain() throws {
    let server = try TestServer()
    defer { server.end() }
    let store = try server.store()
    let other = RecordID("o2")
    func lines() throws -> [String] {
      var lines: [String] = []
      let last = try store.forEachPush(after: 0) { lines.append($0) }
      return lines + ["\(last)"]
    }
    let list = PushList(of: store, in: server.household, now: TestServer.now)
    try store.write {
      try list.add([Self.reminder(1)])
      try list.add([Withdrawal(Self.occurrence), Withdrawal(other)])
      try list.add([Self.reminder(2, of: RecordID("o3"))])
    }
    let before = try lines()
    #expect(before.count == 4)
    try store.write { try list.add([Withdrawal(Self.occurrence), Withdrawal(other)]) }
    #expect(try lines() == before)
    // Only the withdrawal that something newer contradicts is made again.
    try store.write {
      try list.add([Self.reminder(3, of: other)])
      try list.add([Withdrawal(Self.occurrence), Withdrawal(other)])
    }
    #expect(try lines().count == 4 && lines().first == before.first)
  }

  /// A reader continues after the last number, so the numbers must not begin again.
  @Test func whatHasExpiredIsNotKept() throws {
    let server = try TestServer()
    defer { server.end() }
    let store = try server.store()
    var (told, last): ([UUIDValue], Int64) = ([], 0)
    func add(_ day: Int64, _ reminders: [Chores.Notification]) throws {
      _ = try store.write {
        try PushList(of: store, in: server.household, now: Self.day(day)).add(reminders)
      }
    }
    func read() throws {
      last = try store.forEachPush(after: last) { line in
        let line = Array(line.utf8)
        told.append(try Chores.Notification(JSONValue(parsing: line.span)).id)
      }
    }
    let all = (1...UInt64(6)).map { Self.reminder($0, of: RecordID("o\($0)"), days: $0 > 3 ? 9 : 1) }
    try add(0, Array(all[..<3]))
    try read()
    try add(2, [])
    #expect(try store.read { try store.keptPushes().map(\.number) } == [3])
    try add(2, Array(all[3...]))
    try read()
    #expect(told == all.map(\.id))
    #expect(try store.read { try store.keptPushes().count } == 4)
    try add(2, [])
    #expect(try store.read { try store.keptPushes().map(\.number) } == [4, 5, 6])
  }

  @Test func aWithdrawalStaysAsLongAsItsReminderCanWait() throws {
    let server = try TestServer()
    defer { server.end() }
    let store = try server.store()
    func kept(_ day: Int64, _ withdrawals: [Withdrawal], _ reminders: [Chores.Notification]) throws -> Int {
      try store.write {
        let list = PushList(of: store, in: server.household, now: Self.day(day))
        try list.add(withdrawals)
        try list.add(reminders)
      }
      return try store.read { try store.keptPushes().count }
    }
    #expect(try kept(0, [], [Self.reminder(1, days: 10)]) == 1)
    let last = Self.reminder(2, of: RecordID("o3"), days: 99)
    #expect(try kept(0, [Withdrawal(Self.occurrence), Withdrawal(RecordID("o2"))], [last]) == 3)
    #expect(try kept(1, [], []) == 3)
    #expect(try kept(2, [], []) == 2)
    #expect(try kept(9, [], []) == 2)
    #expect(try kept(10, [], []) == 1)
  }

  /// Otherwise an outbox that begins with the first line would not get it, because expired lines are not
  /// printed.
  @Test func aWithdrawalThatHasExpiredIsMadeAgain() throws {
    let server = try TestServer()
    defer { server.end() }
    let store = try server.store()
    func kept(_ day: Int64) throws -> [ChangeStore.KeptPush] {
      try store.write {
        let list = PushList(of: store, in: server.household, now: Self.day(day))
        try list.add([Withdrawal(Self.occurrence)])
        try list.add([] as [Chores.Notification])
      }
      return try store.read { try store.keptPushes() }
    }
    #expect(try kept(0).map(\.expires) == [Self.day(2)])
    #expect(try kept(1).map(\.expires) == [Self.day(2)])
    #expect(try kept(2).map(\.expires) == [Self.day(4)])
    #expect(try kept(2).map(\.number) == [2])
  }

  /// The list counts for the quota of the household.
  @Test func theListHasAPartOfTheQuota() throws {
    let server = try TestServer()
    defer { server.end() }
    let store = try server.store()
    let list = PushList(of: store, in: server.household, quota: 1 << 20, now: TestServer.now)
    func kept() throws -> [ChangeStore.KeptPush] { try store.read { try store.keptPushes() } }
    func size() throws -> Int { try kept().reduce(0) { $0 + $1.size } }
    let all = (1...UInt64(1_000)).map { Self.reminder($0, of: RecordID("o\($0)")) }
    #expect(try store.write { try list.add(all, parts: 2) } == false)
    let first = try kept().map(\.id)
    #expect(first == all.prefix(first.count).map(\.id.text))
    #expect(try size() <= 1 << 17 && size() > 1 << 16)
    #expect(try store.write { try list.add(all, parts: 2) } == false)
    #expect(try kept().map(\.id) == first)
    // Later notifications displace the oldest, but not each other.
    let others = (2_001...UInt64(2_600)).map { Self.reminder($0, of: RecordID("o\($0)")) }
    #expect(try store.write { try list.add(others) })
    #expect(try kept().suffix(600).map(\.id) == others.map(\.id.text))
    #expect(try size() <= 1 << 18 && kept().count < first.count + 600)
    // Those that are due first are made again, and the others make room.
    #expect(try store.write { try list.add(all, parts: 2) } == false)
    #expect(try Set(kept().map(\.id)).isSuperset(of: first) && size() <= 1 << 18)
    // The nearest of the reminders are not displaced by the others.
    #expect(try list.hasExcess(kept()) == false)
  }
}
