import SyncCore

/// The common part of plans and reminders: notifications about occurrences of a household, within the rules.
struct NotificationMaking {
  let household: Household
  let rules: HoldingRules
  let now: Instant

  /// A notification to a member about an occurrence whose event was at `moment`; nil if the rules suppress
  /// it.
  ///
  /// `words` receives the wording in the recipient's zone and returns the body.
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

  /// Whether an event at `moment` is too old for a notification.
  func isPast(_ moment: Instant) -> Bool { moment.advanced(by: Notification.lifetime) <= now }
}

/// The ids of notifications, derived from their subjects; docs/formats/notification.md defines the names.
enum NotificationNames {
  private static let names = UUIDNames(in: OccurrenceNames.namespace, beginning: Array("notification|".utf8))

  /// The id that is derived from these parts, joined by `|`.
  static func id(_ parts: String...) -> UUIDValue { names.id(of: parts.joined(separator: "|")) }

  static func reminder(_ occurrence: RecordID, to recipient: RecordID, due: Instant) -> UUIDValue {
    id("reminder", occurrence.text, recipient.text, due.description)
  }

  /// The id of a notification about occurrences with a new member.
  ///
  /// It is derived from each occurrence's id and clock, or its due time if the clock is missing.
  static func turns(
    _ kind: Notification.Kind, _ occurrences: [Stored<Occurrence>], to recipient: RecordID
  ) -> UUIDValue {
    let parts = occurrences.map { "\($0.record.id.text)|\(($0.clock ?? $0.record.due).description)" }
    return names.id(of: ([kind.rawValue, recipient.text] + parts).joined(separator: "|"))
  }
}

/// The wording of notifications, in the recipient's time zone.
struct NotificationWords {
  var zone: Zone

  /// The longest title or name, in bytes of a payload; this length leaves enough room for the rest of a push.
  static let longestName = 240

  static func title(_ template: Template?) -> String { name(template?.title ?? "Chore") }

  /// A title or name on one line, cut to `longestName`.
  private static func name(_ text: String) -> String { text.onOneLine.cut(toPayloadBytes: longestName) }

  func assigned(count: Int, due: Instant) -> String {
    count == 1 ? "Your turn, due \(time(due))" : "Your turn \(count) times, the first due \(time(due))"
  }

  /// `member` has the turn now; nil for a turn without a member.
  func reassigned(count: Int, due: Instant, to member: Member?) -> String {
    let what = count == 1 ? "due \(time(due))" : "\(count) turns, the first due \(time(due))"
    guard let member else { return "No longer your turn, \(what)" }
    return "Now the turn of \(Self.name(member.label)), \(what)"
  }

  func reminder(due: Instant) -> String { "Due \(time(due))" }

  static func settled(_ kind: Notification.Kind, by member: Member?) -> String {
    let verb = kind == .completed ? "Done" : "Skipped"
    return member.map { "\(verb) by \(name($0.label))" } ?? verb
  }

  /// `Mon 2026-01-12 18:00`; in UTC if the local date cannot be written.
  private func time(_ instant: Instant) -> String {
    let local = zone.local(instant)
    let (day, second) = Civil.isWritable(local.day) ? local : Zone.utc.local(instant)
    return "\(CivilText.weekday(day)) \(CivilText.date(day)) \(CivilText.time(second))"
  }
}

extension String {
  /// The text without line breaks and other control characters, each replaced by a space.
  ///
  /// Titles arrive from other devices and are written to headers, environment variables and terminals. There,
  /// a line break would begin another header or line.
  package var onOneLine: String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    return String(UnicodeScalarView(unicodeScalars.map { $0.isControl ? " " : $0 }))
  }

  /// The text, cut to at most `limit` bytes of a JSON string; if characters are cut off, an ellipsis replaces
  /// them.
  ///
  /// A single character can exceed the limit, as it may have any number of scalars. Such a character is cut
  /// between scalars.
  func cut(toPayloadBytes limit: Int) -> String {
    var size = 0
    for scalar in unicodeScalars {
      size += scalar.payloadSize
      if size > limit { return prefix(ofPayloadBytes: limit - Self.ellipsis.utf8.count) + Self.ellipsis }
    }
    return self
  }

  private static let ellipsis = "…"

  private func prefix(ofPayloadBytes limit: Int) -> String {
    var left = limit
    let characters = prefix { character in
      left -= character.unicodeScalars.reduce(0) { $0 + $1.payloadSize }
      return left >= 0
    }
    guard characters.isEmpty else { return String(characters) }
    left = limit
    return String(
      unicodeScalars.prefix { scalar in
        left -= scalar.payloadSize
        return left >= 0
      })
  }
}

extension Unicode.Scalar {
  /// Whether this is a control character (C0, DEL or C1), or a separator that some programs treat as a break.
  var isControl: Bool {
    switch value {
    case ..<0x20, 0x7F...0x9F, 0x2028, 0x2029: true
    default: false
    }
  }

  /// The number of bytes of the scalar in a JSON string.
  fileprivate var payloadSize: Int {
    switch value {
    case ..<0x20: 6
    case 0x22, 0x5C: 2
    case ..<0x80: 1
    case ..<0x800: 2
    case ..<0x1_0000: 3
    default: 4
    }
  }
}
