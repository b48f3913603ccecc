import SyncCore

/// What plans and reminders have in common: notifications about occurrences of a household, as the rules let them out.
struct NotificationMaking {
  let household: Household
  let rules: HoldingRules
  let now: Instant

  /// A notification to a member about an occurrence that came up at `moment`; nil where the rules let none out.
  ///
  /// `words` gets the words of the recipient's zone and makes the body.
  func notification(
    _ kind: Notification.Kind, id: UUIDValue, to member: Member, about occurrence: Occurrence,
    from moment: Instant, collapsing collapseID: UUIDValue, _ words: (NotificationWords) -> String
  ) -> Notification? {
    let zone = household.zone(of: member) ?? rules.zone
    guard let release = rules.release(to: member, in: zone, from: moment, now: now) else { return nil }
    let title = NotificationWords.title(household.template(occurrence.template)?.record)
    let last =
      [.assigned, .reassigned, .reminder].contains(kind)
      ? max(occurrence.due, release.moment) : release.moment
    let expires = last.advanced(by: Notification.lifetime)
    return Notification(
      id: id, kind: kind, recipient: member.id, title: title,
      body: words(NotificationWords(zone: zone)), occurrence: occurrence.id, templateTitle: title,
      due: occurrence.due, assigned: occurrence.assigned, notBefore: release.moment,
      expires: expires, collapseID: collapseID.text, digest: release.digest,
      pauses: rules.pauses(of: member, in: zone, after: release.moment, before: expires))
  }

  /// Whether something of that moment is too old to be told.
  func isPast(_ moment: Instant) -> Bool { moment.advanced(by: Notification.lifetime) <= now }
}
