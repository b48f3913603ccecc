package import SyncCore

/// The notifications for the differences of two states: new turns, lost turns and settled ones.
package struct ChangeNotifications {
  private let old: Household
  private let actor: RecordID?
  private let making: NotificationMaking
  /// Whether members are notified of turns that they no longer have.
  private let tellsLosers: Bool
  private let before: [RecordID: Occurrence]
  private let after: [Stored<Occurrence>]
  private var new: Household { making.household }

  /// `actor` is the member who made these changes; nil to derive it from the completions.
  package init(
    old: Household, new: Household, actor: RecordID?, tellingLosers: Bool = false, rules: HoldingRules,
    now: Instant
  ) {
    (self.old, self.actor, tellsLosers) = (old, actor, tellingLosers)
    making = NotificationMaking(household: new, rules: rules, now: now)
    before = Dictionary(uniqueKeysWithValues: old.distinctOccurrences.map { ($0.record.id, $0.record) })
    after = new.distinctOccurrences
  }

  /// New turns by template and recipient, then lost turns in the same order, then settled ones, each by due
  /// time.
  package var notifications: [Notification] { notifications(upTo: .max) }

  package func notifications(upTo most: Int) -> [Notification] {
    let occurrences = after.sorted { ($0.record.due, $0.record.id) < ($1.record.due, $1.record.id) }
    let turns = turns(occurrences, of: .assigned, to: newAssignee)
    let lost = tellsLosers ? self.turns(occurrences, of: .reassigned, to: loser) : []
    var notifications = turns + lost
    // A settled turn notifies every member.
    for occurrence in occurrences where notifications.count < most {
      notifications += settled(occurrence.record)
    }
    return Array(notifications.prefix(most))
  }

  // MARK: Changed turns

  private struct Group: Hashable {
    var template: RecordID
    var recipient: RecordID
  }

  /// One notification for each template and recipient; `recipient` returns the recipient for an occurrence.
  private func turns(
    _ occurrences: [Stored<Occurrence>], of kind: Notification.Kind, to recipient: (Occurrence) -> RecordID?
  ) -> [Notification] {
    var order: [Group] = []
    var groups: [Group: [Stored<Occurrence>]] = [:]
    for occurrence in occurrences {
      guard let recipient = recipient(occurrence.record) else { continue }
      let group = Group(template: occurrence.record.template, recipient: recipient)
      if groups[group] == nil { order.append(group) }
      groups[group, default: []].append(occurrence)
    }
    return order.compactMap { turn(kind, $0, groups[$0] ?? []) }
  }

  /// The member who has a turn now but did not have it before.
  private func newAssignee(of occurrence: Occurrence) -> RecordID? {
    guard isToCome(occurrence), let member = occurrence.assigned else { return nil }
    return before[occurrence.id]?.assigned == member ? nil : member
  }

  /// The member who no longer has a turn; nil if the actor gave it away.
  private func loser(of occurrence: Occurrence) -> RecordID? {
    guard isToCome(occurrence), let old = before[occurrence.id], self.old.isPending(old),
      let member = old.assigned, member != actor
    else { return nil }
    return occurrence.assigned == member ? nil : member
  }

  private func isToCome(_ occurrence: Occurrence) -> Bool {
    new.isPending(occurrence) && !making.isPast(occurrence.due)
  }

  private func turn(_ kind: Notification.Kind, _ group: Group, _ occurrences: [Stored<Occurrence>])
    -> Notification?
  {
    guard let index = new.index(of: group.recipient), let first = occurrences.first?.record else {
      return nil
    }
    let successor = new.index(of: first.assigned).map { new.members[$0] }
    var notification = making.notification(
      kind, id: NotificationNames.turns(kind, occurrences, to: group.recipient), to: new.members[index],
      about: first, from: making.now,
      collapsing: NotificationNames.id(kind.rawValue, group.template.text, group.recipient.text)
    ) { words in
      kind == .assigned
        ? words.assigned(count: occurrences.count, due: first.due)
        : words.reassigned(count: occurrences.count, due: first.due, to: successor)
    }
    notification?.count = occurrences.count
    return notification
  }

  // MARK: Completions and skips

  private func settled(_ occurrence: Occurrence) -> [Notification] {
    guard isNewlySettled(occurrence),
      !making.isPast(new.done(occurrence.id)?.first.time ?? occurrence.due)
    else { return [] }
    let kind = occurrence.status == .skipped ? Notification.Kind.skipped : .completed
    let doer = actor(of: occurrence)
    let by = new.index(of: doer).map { new.members[$0] }
    // A member who recorded a completion for another member is not notified either.
    return new.members.filter { $0.id != doer && $0.id != actor }.compactMap { member in
      making.notification(
        kind, id: NotificationNames.id(kind.rawValue, occurrence.id.text, member.id.text), to: member,
        about: occurrence, from: making.now,
        collapsing: NotificationNames.id("settled", occurrence.id.text)
      ) { _ in NotificationWords.settled(kind, by: by) }
    }
  }

  private func isNewlySettled(_ occurrence: Occurrence) -> Bool {
    !new.isPending(occurrence) && before[occurrence.id].map(old.isPending) ?? true
  }

  /// The member who settled an occurrence; nil if unknown.
  ///
  /// A completion names the member. Without a completion, a done occurrence counts for the member who had the
  /// turn. Another member may have skipped an occurrence.
  private func actor(of occurrence: Occurrence) -> RecordID? {
    if let actor = new.done(occurrence.id)?.first.member ?? actor { return actor }
    return occurrence.status == .skipped ? nil : occurrence.assigned
  }

  // MARK: Pulls

  /// The only member who settled turns since `old`; nil for several, unknown or no members, or if anything
  /// else has changed.
  private var onlyActor: RecordID? {
    let settled = after.filter { isNewlySettled($0.record) }
    let actors = Set(settled.map(\.record).map(actor(of:)))
    guard actors.count == 1, case let member?? = actors.first else { return nil }
    let ids = Set(settled.map(\.record.id))
    let oldLines = old.distinctOccurrences.filter { ids.contains($0.record.id) }.map(\.line)
    let newLines = settled.map(\.line) + ids.flatMap { new.completions(of: $0, by: member) }
    return old.text(without: oldLines) == new.text(without: newLines) ? member : nil
  }

  /// If the states differ, a pull for each member except the actor; quiet hours do not affect it.
  package var pulls: [Notification] {
    guard old.text != new.text else { return [] }
    let actor = actor ?? onlyActor
    let state = UUIDNames(in: OccurrenceNames.namespace).id(of: new.text.span).text
    return new.members.filter { $0.id != actor }.map { member in
      Notification(
        id: NotificationNames.id("pull", state, member.id.text), kind: .pull, recipient: member.id,
        notBefore: making.now, expires: making.now.advanced(by: Notification.lifetime), collapseID: "pull")
    }
  }

  // MARK: Obsolete reminders

  /// The occurrences whose waiting reminder is no longer right, in the order of ids.
  package var withdrawals: [Withdrawal] {
    let now = Dictionary(uniqueKeysWithValues: after.map { ($0.record.id, $0.record) })
    let before = NotificationMaking(household: old, rules: making.rules, now: making.now)
    return self.before.values.sorted { $0.id < $1.id }.compactMap { occurrence in
      guard before.mayWait(occurrence), let id = old.reminderID(of: occurrence) else { return nil }
      let right = now[occurrence.id].flatMap(new.reminderID)
      return right == id ? nil : Withdrawal(occurrence.id, keep: right)
    }
  }
}
