import Chores
import JSONLines
import Store
import SyncCore

/// The notifications of a household that are kept for the outbox.
///
/// An outbox that reads the list in its order must end in the present state.
struct PushList {
  private let store: ChangeStore
  private let household: String

  /// A kept line about the reminders of an occurrence.
  private struct Kept {
    var number: Int64
    var id: String
    /// The reminder; nil for a withdrawal.
    var reminder: Notification?

    /// Whether a later withdrawal of the same occurrence replaces this line.
    func isReplaced(by withdrawal: Withdrawal) -> Bool { reminder.map(withdrawal.covers) ?? true }
  }

  init(of store: ChangeStore, in household: String) { (self.store, self.household) = (store, household) }

  /// Adds notifications whose ids are not kept yet, inside `write`.
  func add(_ notifications: [Notification]) throws {
    for notification in notifications {
      try store.addPush(notification.id.text, line(notification.value))
    }
  }

  /// Adds withdrawals, inside `write`, in place of the reminders and older withdrawals that they replace.
  ///
  /// The ids of replaced lines are free again, so the same notification can be added again, under a new
  /// number. A kept withdrawal stays unchanged unless a newer line contradicts it, because the same
  /// withdrawals are made every minute.
  func add(_ withdrawals: [Withdrawal]) throws {
    let kept = try kept(about: withdrawals)
    for withdrawal in withdrawals {
      let id = withdrawal.value.text
      let lines = kept[withdrawal.occurrence] ?? []
      let replaced = lines.filter { $0.isReplaced(by: withdrawal) }
      if let equal = lines.first(where: { $0.id == id }), replaced.allSatisfy({ $0.number <= equal.number }) {
        continue
      }
      try store.replacePushes(replaced.map(\.number), by: id, line(withdrawal.value))
    }
  }

  /// The lines that may have to be replaced, by occurrence; lines before the first equal withdrawal are
  /// skipped.
  private func kept(about withdrawals: [Withdrawal]) throws -> [RecordID: [Kept]] {
    if withdrawals.isEmpty { return [:] }
    let first = try withdrawals.map { try store.pushNumber(of: $0.value.text) ?? 0 }.min() ?? 0
    let occurrences = Set(withdrawals.map(\.occurrence))
    var kept: [RecordID: [Kept]] = [:]
    try store.forEachReminder(from: first) { number, id, line in
      let line = Array(line.utf8)
      let value = try JSONValue(parsing: line.span)
      let reminder = try value["withdraw"] == nil ? Notification(value) : nil
      guard let occurrence = try reminder?.occurrence ?? Withdrawal(value)?.occurrence,
        occurrences.contains(occurrence)
      else { return }
      kept[occurrence, default: []].append(Kept(number: number, id: id, reminder: reminder))
    }
    return kept
  }

  private func line(_ value: JSONValue) -> String {
    JSONValue.object((value.objectValue ?? []) + [JSONMember("household", .string(household))]).text
  }
}
