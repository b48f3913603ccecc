import JSONLines
public import SyncCore

/// The rules for notifying members, on complete texts of records: the interface for apps.
///
/// The resulting lines are those of `notify plan` and `notify due`; docs/formats/notification.md describes
/// them. Each has an id derived from its subject, so an app that shows each id once does not notify twice.
public struct NotificationRules: Sendable {
  /// The treatment of notifications in quiet hours.
  public enum QuietAction: String, CaseIterable, Sendable {
    /// It waits until they are over.
    case `defer`
    /// It is never shown.
    case drop
    /// It waits, and is sent together with all others that waited.
    case collapse
  }

  private let assignment: AssignmentRules
  private var holding = HoldingRules()

  /// `quietHours` has a form such as `22:00-07:00`, for members without their own; `zone` is for members
  /// without one.
  ///
  /// `zones` finds a time zone by its name. Nil if the quiet hours are not `HH:MM-HH:MM`.
  public init?(
    quietHours: String? = nil, zone: Zone = .utc, action: QuietAction = .defer,
    zones: @escaping @Sendable (String) -> Zone?
  ) {
    assignment = AssignmentRules(zones: zones)
    holding.zone = zone
    holding.action = HoldingRules.Action(rawValue: action.rawValue) ?? .defer
    if let quietHours {
      guard let hours = QuietHours(quietHours) else { return nil }
      holding.quiet = hours
    }
  }

  /// The notifications for the difference between two states: new turns to their members, completed turns to
  /// the others, and outdated reminders.
  ///
  /// `actor` is the member who made these changes: an id or a name; nil to derive it from the completions.
  /// With `tellingLosers` members are notified of turns that they no longer have.
  ///
  /// - Throws: the code of an unusable line, with its text (0 is the first of `old`, and those of `new`
  ///   follow) and number. Throws `unknownValue` if `actor` is not a member or is ambiguous.
  public func plan(
    from old: [[UInt8]], to new: [[UInt8]], by actor: String? = nil, tellingLosers: Bool = false, now: Instant
  ) throws(SyncError) -> [UInt8] {
    let before = try assignment.household(old)
    let after = try assignment.household(new, countingFrom: old.count)
    let members = actor.map { after.members(named: $0) }
    if let members, members.count != 1 {
      throw SyncError(
        Diagnostic(.unknownValue, "\(members.count) members are called '\((actor ?? "").shown)'"))
    }
    let plan = PushPlan(
      old: before, new: after, actor: members.map { after.members[$0[0]].id }, tellingLosers: tellingLosers,
      rules: holding, now: now)
    return Self.lines(plan.withdrawals, plan.notifications)
  }

  /// The due reminders, and those to withdraw.
  ///
  /// - Throws: the code of an unusable line, with its text and number.
  public func due(_ texts: [[UInt8]], now: Instant) throws(SyncError) -> [UInt8] {
    let reminders = DueReminders(try assignment.household(texts), rules: holding, now: now)
    return Self.lines(reminders.withdrawals, reminders.notifications)
  }

  /// When the next reminder may be due; nil if there is none.
  public func nextReminder(_ texts: [[UInt8]], after now: Instant) throws(SyncError) -> Instant? {
    DueReminders(try assignment.household(texts), rules: holding, now: now).next
  }

  private static func lines(_ withdrawals: [Withdrawal], _ notifications: [Notification]) -> [UInt8] {
    (withdrawals.map(\.value) + notifications.map(\.value)).flatMap { Array($0.text.utf8) + [10] }
  }
}
