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

  private static func reminder(_ number: UInt64, of occurrence: RecordID = occurrence) -> Chores.Notification
  {
    var reminder = Chores.Notification(
      id: UUIDValue(high: 1, low: number), kind: .reminder, recipient: RecordID("ann"),
      notBefore: TestServer.now, expires: TestServer.now, collapseID: "c")
    reminder.occurrence = occurrence
    return reminder
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
        let list = PushList(of: store, in: server.household)
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
    let list = PushList(of: store, in: server.household)
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
}
