package import Chores
package import JSONLines
package import Store
import SyncCore

extension Outbox {
  /// A line for the outbox.
  package enum Entry: Sendable {
    /// A notification; its `line` is stored unchanged.
    case notification(Notification, line: [UInt8])
    case withdrawal(Withdrawal)
  }

  /// The outcomes of the lines.
  package struct Counts: Equatable, Sendable {
    package var added = 0
    /// Notifications whose ids already existed.
    package var known = 0
    /// Waiting reminders that are now withdrawn.
    package var withdrawn = 0

    package init() {}

    package static func += (sum: inout Counts, more: Counts) {
      sum.added += more.added
      sum.known += more.known
      sum.withdrawn += more.withdrawn
    }

    package var value: JSONValue {
      ["added": .integer(added), "known": .integer(known), "withdrawn": .integer(withdrawn)]
    }
  }

  /// Adds lines in their order, inside `write`.
  package func add(_ entries: [Entry]) throws -> Counts {
    var counts = Counts()
    var reminders = WaitingReminders(in: self)
    for entry in entries {
      switch entry {
      case .withdrawal(let withdrawal): counts.withdrawn += try reminders.withdraw(withdrawal)
      case .notification(let notification, let line):
        guard try add(notification, line: line.span) else {
          counts.known += 1
          continue
        }
        counts.added += 1
        reminders.add(notification)
        if let withdrawal = notification.replaced { counts.withdrawn += try reminders.withdraw(withdrawal) }
      }
    }
    return counts
  }

  /// Adds a notification inside `write`, with `line` unchanged; false if its id exists and was not withdrawn.
  package func add(_ notification: Notification, line: Span<UInt8>) throws(StoreError) -> Bool {
    try database.statement(
      """
      INSERT INTO pushes (id, recipient, notBefore, expires, digest, state, line)
      VALUES (?1, ?2, ?3, ?4, nullif(?5, ''), 'waiting', ?6)
      ON CONFLICT (id) DO UPDATE SET recipient = ?2, notBefore = ?3, expires = ?4, digest = nullif(?5, ''),
        state = 'waiting', line = ?6 WHERE state = 'withdrawn'
      """
    ).bind(1, notification.id.text).bind(2, notification.recipient.text)
      .bind(3, notification.notBefore.milliseconds).bind(4, notification.expires.milliseconds)
      .bind(5, notification.digest ?? "").bind(6, line).run()
    return database.changes > 0
  }
}

/// The waiting reminders, by occurrence; read once, and only for a withdrawal.
private struct WaitingReminders {
  private let outbox: Outbox
  private var known: [RecordID: [Notification]]?

  init(in outbox: Outbox) { self.outbox = outbox }

  mutating func add(_ notification: Notification) {
    guard known != nil, let occurrence = notification.occurrence else { return }
    known?[occurrence, default: []].append(notification)
  }

  /// Withdraws the reminders of an occurrence; returns their number.
  mutating func withdraw(_ withdrawal: Withdrawal) throws -> Int {
    let reminders = try known ?? outbox.waitingReminders()
    known = reminders
    var count = 0
    for reminder in reminders[withdrawal.occurrence] ?? [] where withdrawal.covers(reminder) {
      // Withdraw only pushes that are not claimed by a run, because a delivery under way cannot be recalled.
      try outbox.database.statement(
        "UPDATE pushes SET state = 'withdrawn' WHERE id = ?1 AND state = 'waiting'"
      )
      .bind(1, reminder.id.text).run()
      count += outbox.database.changes
    }
    return count
  }
}

extension Outbox {
  fileprivate func waitingReminders() throws -> [RecordID: [Notification]] {
    var reminders: [RecordID: [Notification]] = [:]
    try database.statement("SELECT line FROM pushes WHERE state = 'waiting'").forEachRow { row in
      let notification = try Self.notification(row.bytes(0))
      guard notification.kind == .reminder, let occurrence = notification.occurrence else { return }
      reminders[occurrence, default: []].append(notification)
    }
    return reminders
  }
}
