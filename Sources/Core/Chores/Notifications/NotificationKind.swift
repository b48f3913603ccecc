extension Notification {
  /// The reason for a notification.
  ///
  /// `DueReminders` makes the kind `reminder`, and `ChangeNotifications` makes all other kinds.
  package enum Kind: String, CaseIterable, Sendable {
    /// The recipient now has the turn.
    case assigned
    /// The recipient no longer has the turn; another member may have it.
    case reassigned
    case completed, skipped
    /// The lead time before the due time has begun.
    case reminder
    /// A request to fetch the changes, without a text to show.
    case pull
  }
}
