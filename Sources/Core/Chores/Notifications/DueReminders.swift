package import SyncCore

/// The due reminders: about pending occurrences, for the member who has the turn.
package struct DueReminders {
  private let making: NotificationMaking
  private var household: Household { making.household }
  /// All occurrences, in the order of due times and ids.
  private let occurrences: [Occurrence]

  /// A reminder is due for at least this long, even with a shorter lead time.
  ///
  /// Otherwise a program that runs rarely could miss it.
  private static let shortestWindow = Duration.seconds(3_600)

  package init(_ household: Household, rules: HoldingRules, now: Instant) {
    making = NotificationMaking(household: household, rules: rules, now: now)
    occurrences = household.distinctOccurrences.map(\.record).sorted { ($0.due, $0.id) < ($1.due, $1.id) }
  }

  /// The due reminders, in the order of due times and ids.
  package var notifications: [Notification] { occurrences.compactMap(reminder) }

  /// The same, each made when it is needed.
  package var lazyNotifications: some Sequence<Notification> {
    occurrences.lazy.compactMap { reminder($0) }
  }

  /// Occurrences whose reminder may still be waiting although it is no longer due, in the order of ids.
  package var withdrawals: [Withdrawal] {
    let settled = occurrences.filter { making.mayWait($0) && household.reminded(of: $0) == nil }.map(\.id)
    let live = Set(occurrences.map(\.id))
    let deleted = household.deletedOccurrences.filter { !live.contains($0.key) && making.isRecent($0.value) }
    return (settled + deleted.keys).sorted().map { Withdrawal($0) }
  }

  /// When the next lead time begins; nil without a planned one.
  package var next: Instant? {
    occurrences.filter { household.reminded(of: $0) != nil }.map(household.opening)
      .filter { $0 > making.now }.min()
  }

  private func reminder(_ occurrence: Occurrence) -> Notification? {
    let opening = household.opening(of: occurrence)
    let end = max(occurrence.due, opening.advanced(by: Self.shortestWindow))
    guard opening <= making.now, making.now < end, let index = household.reminded(of: occurrence),
      let id = household.reminderID(of: occurrence)
    else { return nil }
    return making.notification(
      .reminder, id: id, to: household.members[index], about: occurrence, from: opening,
      collapsing: NotificationNames.id("reminder", occurrence.id.text)
    ) { $0.reminder(due: occurrence.due) }
  }
}

extension Household {
  /// The lead time of an occurrence whose template is not known.
  private static let defaultLeadTime = Template(id: RecordID(""), spelling: []).leadTime

  /// Whether an occurrence must still be done.
  func isPending(_ occurrence: Occurrence) -> Bool { status(of: occurrence) == .pending }

  /// When the lead time of an occurrence begins.
  func opening(of occurrence: Occurrence) -> Instant {
    let lead = template(occurrence.template)?.record.leadTime ?? Self.defaultLeadTime
    return occurrence.due.moved(by: -lead.components.seconds)
  }

  /// The place of the member to remind of an occurrence, even if the reminder is not due.
  fileprivate func reminded(of occurrence: Occurrence) -> Int? {
    guard isPending(occurrence), template(occurrence.template)?.record.isActive != false else { return nil }
    return index(of: occurrence.assigned)
  }

  /// The id of an occurrence's reminder, even if it is not due; nil without a member to remind.
  func reminderID(of occurrence: Occurrence) -> UUIDValue? {
    reminded(of: occurrence).map {
      NotificationNames.reminder(occurrence.id, to: members[$0].id, due: occurrence.due)
    }
  }
}

extension NotificationMaking {
  /// Whether a reminder may be waiting: its lead time has begun, and its due time is not long ago.
  func mayWait(_ occurrence: Occurrence) -> Bool {
    household.opening(of: occurrence) <= now && isRecent(occurrence.due)
  }

  /// Whether an occurrence that was due or deleted at `moment` may still have a waiting reminder.
  ///
  /// A reminder expires a day after the due time; quiet hours or a busy day can delay it until then.
  func isRecent(_ moment: Instant?) -> Bool {
    guard let moment else { return false }
    return now < moment.advanced(by: Notification.lifetime).advanced(by: Notification.lifetime)
  }
}

extension Instant {
  /// This many seconds later or earlier, limited to the first and the last instant.
  fileprivate func moved(by seconds: Int64) -> Instant {
    Instant(seconds: self.seconds + seconds, nanoseconds: nanoseconds) ?? self
  }
}
