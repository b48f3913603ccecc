/// What is to be told of the differences of two states: new turns to those who have them, what was settled to the others.
package struct PushPlan {
  private let old: Household
  private let actor: RecordID?
  private let making: NotificationMaking
  private let before: [RecordID: Occurrence]
  private let after: [Stored<Occurrence>]
  private var new: Household { making.household }

  /// `actor` is whose changes these are; nil where that is to be seen from the completions.
  package init(old: Household, new: Household, actor: RecordID?, rules: HoldingRules, now: Instant) {
    (self.old, self.actor) = (old, actor)
    making = NotificationMaking(household: new, rules: rules, now: now)
    before = Dictionary(uniqueKeysWithValues: old.distinctOccurrences.map { ($0.record.id, $0.record) })
    after = new.distinctOccurrences
  }

  /// New turns by template and recipient, then what was settled, each in the order of due times.
  package var notifications: [Notification] {
    let occurrences = after.sorted { ($0.record.due, $0.record.id) < ($1.record.due, $1.record.id) }
    return turns(occurrences) + occurrences.flatMap { settled($0.record) }
  }

  // MARK: Whose turn it has become

  private struct Group: Hashable {
    var template: RecordID
    var recipient: RecordID
  }

  private func turns(_ occurrences: [Stored<Occurrence>]) -> [Notification] {
    var order: [Group] = []
    var groups: [Group: [Stored<Occurrence>]] = [:]
    for occurrence in occurrences {
      guard let recipient = newAssignee(of: occurrence.record) else { continue }
      let group = Group(template: occurrence.record.template, recipient: recipient)
      if groups[group] == nil { order.append(group) }
      groups[group, default: []].append(occurrence)
    }
    return order.compactMap { turn($0, groups[$0] ?? []) }
  }

  /// Who has a turn that was nobody's or another's before.
  private func newAssignee(of occurrence: Occurrence) -> RecordID? {
    guard new.isPending(occurrence), let member = occurrence.assigned, !making.isPast(occurrence.due) else {
      return nil
    }
    return before[occurrence.id]?.assigned == member ? nil : member
  }

  private func turn(_ group: Group, _ occurrences: [Stored<Occurrence>]) -> Notification? {
    guard let index = new.index(of: group.recipient), let first = occurrences.first?.record else {
      return nil
    }
    var notification = making.notification(
      .assigned, id: NotificationNames.assigned(occurrences, to: group.recipient), to: new.members[index],
      about: first, from: making.now,
      collapsing: NotificationNames.id("assigned", group.template.text, group.recipient.text)
    ) { $0.assigned(count: occurrences.count, due: first.due) }
    notification?.count = occurrences.count
    return notification
  }

  // MARK: What was done or skipped

  private func settled(_ occurrence: Occurrence) -> [Notification] {
    guard isNewlySettled(occurrence),
      !making.isPast(new.done(occurrence.id)?.first.time ?? occurrence.due)
    else { return [] }
    let kind = occurrence.status == .skipped ? Notification.Kind.skipped : .completed
    let actor = actor(of: occurrence)
    let by = new.index(of: actor).map { new.members[$0] }
    return new.members.filter { $0.id != actor }.compactMap { member in
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

  /// Who has settled an occurrence; nil where nobody knows, as with every skip.
  private func actor(of occurrence: Occurrence) -> RecordID? {
    actor ?? (occurrence.status == .skipped ? nil : new.done(occurrence.id)?.first.member)
  }

  // MARK: What nobody sees

  /// Who has settled all that is new; nil where that is nothing, was several, or is not known.
  private var onlyActor: RecordID? {
    let actors = Set(after.map(\.record).filter(isNewlySettled).map(actor(of:)))
    return actors.count == 1 ? actors.first ?? nil : nil
  }

  /// A pull for each member but the actor, where the states differ at all; quiet hours do not matter to it.
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
}
