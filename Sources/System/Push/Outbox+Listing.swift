import Chores
package import JSONLines
import Store
import SyncCore

extension Outbox {
  /// The states that a push can have.
  package enum State: String, CaseIterable, Sendable {
    case waiting, sending, sent, failed, expired, merged, withdrawn

    /// Of the pushes that are listed under it: those that failed on one device only are listed under two states.
    var condition: String { self == .failed ? Outbox.failedCondition : "state = '\(rawValue)'" }
  }

  /// Hands over a push after the other: its state, what became of it on each device, and the line as it came.
  package func forEachPush(_ state: State?, _ body: (JSONValue, _ line: [UInt8]) throws -> Void) throws {
    let filter = state.map { "WHERE \($0.condition)" } ?? ""
    let pushes = try database.statement("SELECT number, state, line FROM pushes \(filter) ORDER BY number")
    try pushes.forEachRow { row in
      let facts: JSONValue = [
        "state": .string(row.text(1)), "deliveries": .array(try deliveries(of: row.integer(0))),
      ]
      try body(facts, row.bytes(2))
    }
  }

  private func deliveries(of push: Int64) throws -> [JSONValue] {
    var deliveries: [JSONValue] = []
    let rows = try database.statement(
      "SELECT device, state, attempts, status, reason, nextAttempt FROM deliveries WHERE push = ?1"
    ).bind(1, push)
    try rows.forEachRow { row in
      var members: [JSONMember] = []
      if let token = DeviceToken(row.text(0)) { members.append(.init("device", .string(token.handle))) }
      members += [.init("state", .string(row.text(1))), .init("attempts", .integer(row.integer(2)))]
      if !row.isNull(3) { members.append(.init("status", .integer(row.integer(3)))) }
      if !row.isNull(4) { members.append(.init("reason", .string(row.text(4)))) }
      if row.text(1) == "waiting", let next = Instant(milliseconds: row.integer(5)), next > .epoch {
        members.append(.init("nextAttempt", .string(next.description)))
      }
      deliveries.append(.object(members))
    }
    return deliveries
  }
}
