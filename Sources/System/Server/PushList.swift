import Chores
import JSONLines
import Store
import SyncCore

/// The notifications of a household that are kept for the outbox.
///
/// An outbox that reads the list in its order must end in the present state. The list does not keep lines
/// that have expired, and its size is limited, because it counts for the quota of the household.
struct PushList {
  private let store: ChangeStore
  private let household: String
  private let now: Instant
  /// The maximum size of all kept lines, in bytes.
  private let limit: Int

  /// A withdrawal stays for at least this long, like a withdrawal that is made again.
  private static let lifetime = Notification.lifetime * 2

  /// A kept line about the reminders of an occurrence.
  private struct Kept {
    var number: Int64
    var id: String
    /// The reminder; nil for a withdrawal.
    var reminder: Notification?
    var expires: Instant?

    /// Whether a later withdrawal of the same occurrence replaces this line.
    func isReplaced(by withdrawal: Withdrawal) -> Bool { reminder.map(withdrawal.covers) ?? true }
  }

  /// The list of a household with this quota.
  init(of store: ChangeStore, in household: String, quota: Int64? = nil, now: Instant) {
    (self.store, self.household, self.now) = (store, household, now)
    limit = min(ChangeStore.mostPushBytes, Int((quota ?? .max) / 4))
  }

  /// Adds notifications whose ids are not kept yet, inside `write`, and removes lines that have expired.
  ///
  /// If they need too much space, only the first of them are kept, up to `limit / parts`. The oldest other
  /// lines make room for them. Returns whether all are kept.
  @discardableResult
  func add(_ notifications: some Sequence<Notification>, parts: Int = 1) throws -> Bool {
    let kept = try usefulLines()
    let sizes = Dictionary(kept.map { ($0.id, $0.size) }) { first, _ in first }
    var (wanted, new): (Set<String>, [(id: String, line: String)]) = ([], [])
    var (size, newSize, hasAll) = (0, 0, true)
    for notification in notifications {
      let id = notification.id.text
      let line = sizes[id] == nil ? line(notification.value) : ""
      let bytes = sizes[id] ?? ChangeStore.size(ofPush: line.utf8.count, id)
      guard bytes <= limit / parts else { continue }
      guard size + bytes <= limit / parts, wanted.count < ChangeStore.mostPushes else {
        hasAll = false
        break
      }
      guard wanted.insert(id).inserted else { continue }
      size += bytes
      guard sizes[id] == nil else { continue }
      newSize += bytes
      new.append((id, line))
    }
    try makeRoom(in: kept, besides: wanted, count: new.count, size: newSize)
    for (id, line) in new { try store.addPush(id, line) }
    return hasAll
  }

  /// Removes the oldest lines except those that are `wanted`, so that there is room for new ones.
  private func makeRoom(
    in kept: [ChangeStore.KeptPush], besides wanted: Set<String>, count: Int, size: Int
  ) throws {
    var (count, size) = (kept.count + count, kept.reduce(size) { $0 + $1.size })
    for line in kept.dropLast() where size > limit || count > ChangeStore.mostPushes {
      if wanted.contains(line.id) { continue }
      try store.removePush(line.number)
      (count, size) = (count - 1, size - line.size)
    }
  }

  /// The kept lines, after those that have expired were removed.
  private func usefulLines() throws -> [ChangeStore.KeptPush] {
    let kept = try store.keptPushes()
    return try kept.filter { line in
      guard hasExpired(line), line.number != kept.last?.number else { return true }
      try store.removePush(line.number)
      return false
    }
  }

  private func hasExpired(_ line: ChangeStore.KeptPush) -> Bool { line.expires.map { $0 <= now } ?? false }

  /// Whether some of these kept lines should be removed.
  func hasExcess(_ kept: [ChangeStore.KeptPush]) -> Bool {
    let removable = kept.dropLast()
    return removable.contains(where: hasExpired) || removable.reduce(0) { $0 + $1.size } > limit
  }

  /// Adds withdrawals, inside `write`, in place of the reminders and older withdrawals that they replace.
  ///
  /// The ids of replaced lines are free again, so the same notification can be added again, under a new
  /// number. A kept withdrawal stays unchanged unless it has expired or a newer line contradicts it, because
  /// the same withdrawals are made every minute.
  func add(_ withdrawals: [Withdrawal]) throws {
    let kept = try kept(about: withdrawals)
    for withdrawal in withdrawals {
      let id = withdrawal.value.text
      let lines = kept[withdrawal.occurrence] ?? []
      let replaced = lines.filter { $0.isReplaced(by: withdrawal) }
      if let equal = lines.first(where: { $0.id == id }), equal.expires.map({ $0 > now }) ?? true,
        replaced.allSatisfy({ $0.number <= equal.number })
      {
        continue
      }
      // It must stay as long as an outbox may have a reminder that it withdraws.
      let expires = replaced.compactMap(\.expires).reduce(now.advanced(by: Self.lifetime), max)
      try store.replacePushes(replaced.map(\.number), by: id, line(withdrawal.value, until: expires))
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
      let expires = value["expires"]?.stringValue.flatMap { Instant($0) }
      kept[occurrence, default: []].append(
        Kept(number: number, id: id, reminder: reminder, expires: expires))
    }
    return kept
  }

  private func line(_ value: JSONValue, until expires: Instant? = nil) -> String {
    let time = expires.map { [JSONMember("expires", .string($0.brief))] } ?? []
    return JSONValue.object((value.objectValue ?? []) + time + [JSONMember("household", .string(household))])
      .text
  }
}
