/// What notifications say, in the recipient's zone.
struct NotificationWords {
  var zone: Zone

  /// A title never takes so much room that a push has none for the rest.
  static func title(_ template: Template?) -> String {
    let label = template?.title ?? "Chore"
    return label.count > 80 ? label.prefix(79) + "…" : label
  }

  func assigned(count: Int, due: Instant) -> String {
    count == 1 ? "Your turn, due \(time(due))" : "Your turn \(count) times, the first due \(time(due))"
  }

  func reminder(due: Instant) -> String { "Due \(time(due))" }

  static func settled(_ kind: Notification.Kind, by member: Member?) -> String {
    let verb = kind == .completed ? "Done" : "Skipped"
    return member.map { "\(verb) by \($0.label.prefix(80))" } ?? verb
  }

  /// `Mon 2026-01-12 18:00`.
  private func time(_ instant: Instant) -> String {
    let (day, second) = zone.local(instant)
    return "\(CivilText.weekday(day)) \(CivilText.date(day)) \(CivilText.time(second))"
  }
}
