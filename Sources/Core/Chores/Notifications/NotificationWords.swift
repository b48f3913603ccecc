import SyncCore

/// What notifications say, in the recipient's zone.
struct NotificationWords {
  var zone: Zone

  /// In bytes of a payload: titles and names never take so much room that a push has none for the rest.
  static let longestName = 240

  static func title(_ template: Template?) -> String { name(template?.title ?? "Chore") }

  /// A title or name on one line, cut to `longestName`.
  private static func name(_ text: String) -> String { text.onOneLine.cut(toPayloadBytes: longestName) }

  func assigned(count: Int, due: Instant) -> String {
    count == 1 ? "Your turn, due \(time(due))" : "Your turn \(count) times, the first due \(time(due))"
  }

  /// `member` is who has the turn now; nil if nobody has.
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

  /// `Mon 2026-01-12 18:00`.
  private func time(_ instant: Instant) -> String {
    let (day, second) = zone.local(instant)
    return "\(CivilText.weekday(day)) \(CivilText.date(day)) \(CivilText.time(second))"
  }
}
