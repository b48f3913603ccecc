extension Notification {
  /// What several notifications that waited for one moment say together, under the id of the first of them.
  ///
  /// It names what they are about, each once, and is never larger than the push service takes; `notifications` has at
  /// least two.
  package static func digest(of notifications: [Notification]) -> Notification {
    var digest = notifications[0]
    var titles: [String] = []
    for title in notifications.map(\.shortTitle) where !titles.contains(title) { titles.append(title) }
    digest.count = min(notifications.reduce(0) { $0 + $1.count }, Self.largestCount)
    digest.title = "\(digest.count) notifications"
    digest.body = titles.prefix(5).joined(separator: ", ") + (titles.count > 5 ? ", …" : "")
    digest.collapseID = digest.digest ?? digest.collapseID
    digest.expires = notifications.map(\.expires).max() ?? digest.expires
    // The first of them may have ids of any length. Several are told without a place to open rather than not at all.
    if !PushRequest.canCarry(digest) { digest.forgetPlace() }
    return digest
  }

  private var shortTitle: String { title.cut(toPayloadBytes: NotificationWords.longestName) }

  private mutating func forgetPlace() {
    (occurrence, templateTitle, due, assigned) = (nil, nil, nil, nil)
  }
}
