import JSONLines
public import SyncCore

/// The rules for notifying members, applied to complete texts of records, for apps.
///
/// The resulting lines are those of `notify plan` and `notify due`; docs/formats/notification.md describes
/// them. Each has an id derived from its subject, so an app that shows each id once does not notify twice.
public struct NotificationRules: Sendable {
  /// How to handle a notification in quiet hours.
  public enum QuietAction: String, CaseIterable, Sendable {
    /// Show it after the quiet hours.
    case `defer`
    /// Never show it.
    case drop
    /// Show it after the quiet hours, combined with all others that waited.
    case collapse
  }

  private let assignment: AssignmentRules
  private var holding = HoldingRules()

  /// Creates the rules; nil if the quiet hours are not `HH:MM-HH:MM`.
  ///
  /// `quietHours` has a form such as `22:00-07:00`, for members without their own; `zone` is the time zone of
  /// members without their own.
  ///
  /// `zones` finds a time zone by its name.
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

  /// The notifications for the difference between two states, and withdrawals of outdated reminders.
  ///
  /// Members are notified of their new turns and of turns that others completed; with `tellingLosers`, also
  /// of turns that they no longer have. `actor` is the id or name of the member who made these changes; nil
  /// to derive it from the completions.
  ///
  /// - Throws: the code of an unusable line, with the numbers of its text and of the line. Texts are counted
  ///   from 0, first those of `old`, then those of `new`. Throws `unknownValue` if `actor` is not a member or
  ///   is ambiguous.
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
    let plan = ChangeNotifications(
      old: before, new: after, actor: members.map { after.members[$0[0]].id }, tellingLosers: tellingLosers,
      rules: holding, now: now)
    return Self.lines(plan.withdrawals, plan.notifications)
  }

  /// The due reminders, and withdrawals of outdated ones.
  ///
  /// - Throws: the code of an unusable line, with its text and number.
  public func due(_ texts: [[UInt8]], now: Instant) throws(SyncError) -> [UInt8] {
    let reminders = DueReminders(try assignment.household(texts), rules: holding, now: now)
    return Self.lines(reminders.withdrawals, reminders.notifications)
  }

  /// When the next reminder may be due; nil without a planned one.
  public func nextReminder(_ texts: [[UInt8]], after now: Instant) throws(SyncError) -> Instant? {
    DueReminders(try assignment.household(texts), rules: holding, now: now).next
  }

  private static func lines(_ withdrawals: [Withdrawal], _ notifications: [Notification]) -> [UInt8] {
    (withdrawals.map(\.value) + notifications.map(\.value)).flatMap { Array($0.text.utf8) + [10] }
  }
}
