/// The reminders whose time has come: of pending occurrences, to the member whose turn it is.
package struct DueReminders {
  private let making: NotificationMaking
  private var household: Household { making.household }

  /// The lead time of an occurrence whose template is not known.
  private static let usualLeadTime = Template(id: RecordID(""), spelling: []).leadTime
  /// A window is open for so long even where the lead time is shorter, so that a run now and then does not miss it.
  private static let shortestWindow = Duration.seconds(3_600)

  package init(_ household: Household, rules: HoldingRules, now: Instant) {
    making = NotificationMaking(household: household, rules: rules, now: now)
  }

  /// In the order of due times and ids.
  package var notifications: [Notification] {
    household.distinctOccurrences.map(\.record)
      .sorted { ($0.due, $0.id) < ($1.due, $1.id) }
      .compactMap(reminder)
  }

  private func reminder(_ occurrence: Occurrence) -> Notification? {
    let template = household.template(occurrence.template)?.record
    guard household.isPending(occurrence), template?.isActive != false,
      let index = household.index(of: occurrence.assigned)
    else { return nil }
    let lead = template?.leadTime ?? Self.usualLeadTime
    let opening = occurrence.due.moved(by: -lead.components.seconds)
    let end = max(occurrence.due, opening.advanced(by: Self.shortestWindow))
    guard opening <= making.now, making.now < end else { return nil }
    let member = household.members[index]
    return making.notification(
      .reminder,
      id: NotificationNames.id(
        "reminder", occurrence.id.text, member.id.text, occurrence.due.description),
      to: member, about: occurrence, from: opening,
      collapsing: NotificationNames.id("reminder", occurrence.id.text)
    ) { $0.reminder(due: occurrence.due) }
  }
}

extension Household {
  /// Whether it is still to be done.
  func isPending(_ occurrence: Occurrence) -> Bool { status(of: occurrence) == .pending }
}

extension Instant {
  /// So many seconds later, or before; the first and the last instant of all are never passed.
  fileprivate func moved(by seconds: Int64) -> Instant {
    Instant(seconds: self.seconds + seconds, nanoseconds: nanoseconds) ?? self
  }
}
