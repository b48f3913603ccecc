package import JSONLines
package import SyncCore

/// A notification for one member, on all of the member's devices.
package struct Notification: Equatable, Sendable {
  /// The id, derived from the subject, so that equal notifications are pushed once.
  package var id: UUIDValue
  package var kind: Kind
  package var recipient: RecordID
  /// The title; empty for a pull.
  package var title = ""
  package var body = ""
  /// The number of occurrences or notifications that this one represents.
  package var count = 1
  /// The first of its occurrences.
  package var occurrence: RecordID?
  package var templateTitle: String?
  package var due: Instant?
  package var assigned: RecordID?
  package var notBefore: Instant
  /// The notification is useless after this time.
  package var expires: Instant
  /// A device shows only the last of several notifications with the same collapse id.
  package var collapseID: String
  /// Notifications of the same group are combined at the end of quiet hours; nil without a group.
  package var digest: String?
  /// Times from `notBefore` on at which a waiting notification must not be sent, sorted by their beginnings.
  package var pauses: [Range<Instant>] = []

  /// How long to keep trying to send a notification after its event, or after the due time if that is later.
  package static let lifetime = Duration.seconds(86_400)
  /// The largest count that a digest shows.
  ///
  /// With this limit the sum over a whole outbox does not overflow.
  static let largestCount = 1_000_000
}

// MARK: The line

extension Notification {
  package var value: JSONValue {
    var members: [JSONMember] = [
      .init("id", .string(id.text)), .init("kind", .string(kind.rawValue)),
      .init("recipient", .string(recipient.text)),
    ]
    if kind != .pull { members += [.init("title", .string(title)), .init("body", .string(body))] }
    if count > 1 { members.append(.init("count", .integer(count))) }
    members += deepLink
    members += [
      .init("notBefore", .string(notBefore.brief)), .init("expires", .string(expires.brief)),
      .init("collapseID", .string(collapseID)),
    ]
    if let digest { members.append(.init("digest", .string(digest))) }
    if !pauses.isEmpty {
      let intervals = pauses.map { interval -> JSONValue in
        ["start": .string(interval.lowerBound.brief), "end": .string(interval.upperBound.brief)]
      }
      members.append(.init("notDuring", .array(intervals)))
    }
    return .object(members)
  }

  /// The data an app needs to open the right place.
  var deepLink: [JSONMember] {
    var members: [JSONMember] = []
    if let occurrence { members.append(.init("occurrenceID", .string(occurrence.text))) }
    if let templateTitle { members.append(.init("templateTitle", .string(templateTitle))) }
    if let due { members.append(.init("dueDate", .string(due.brief))) }
    if let assigned { members.append(.init("assignedMemberID", .string(assigned.text))) }
    return members
  }

  /// Reads a line; unknown members are skipped.
  package init(_ line: JSONValue) throws(NotificationError) {
    let line = NotificationMembers(line)
    guard let id = UUIDValue(try line.string("id")) else { throw .wrongType("id", expected: "a UUID") }
    guard let kind = Kind(rawValue: try line.string("kind")) else {
      throw .wrongType("kind", expected: "one of \(Kind.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    self.init(
      id: id, kind: kind, recipient: RecordID(try line.string("recipient")),
      notBefore: try line.instant("notBefore"), expires: try line.instant("expires"),
      collapseID: try line.string("collapseID"))
    if kind != .pull { (title, body) = (try line.string("title"), try line.string("body")) }
    count =
      try line.find("count", as: "a whole number from 1 to \(Self.largestCount)") { value in
        value.intValue.flatMap { 1...Self.largestCount ~= $0 ? $0 : nil }
      } ?? count
    occurrence = try line.optionalString("occurrenceID").map { RecordID($0) }
    templateTitle = try line.optionalString("templateTitle")
    due = try line.optionalInstant("dueDate")
    assigned = try line.optionalString("assignedMemberID").map { RecordID($0) }
    digest = try line.optionalString("digest")
    for interval in try line.find("notDuring", as: "an array", { $0.arrayValue }) ?? [] {
      pauses.insert(inOrder: try NotificationMembers(interval).interval())
    }
  }

  /// The end of a pause that contains `moment`, including adjacent ones; nil without such a pause.
  package func pauseEnd(at moment: Instant) -> Instant? { pauses.end(from: moment) }
}

extension Instant {
  /// The instant in UTC; whole seconds are written without a fraction: `2026-11-20T10:00:00Z`.
  package var brief: String {
    guard nanoseconds == 0 else { return description }
    var bytes: [UInt8] = []
    CivilText.append(seconds: Int(seconds), to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Notification {
  /// Combines notifications that waited for the same time, under the id of the first.
  ///
  /// The digest names each subject once, and never exceeds the limit of the push service. `notifications`
  /// must have at least two elements.
  package static func digest(of notifications: [Notification]) -> Notification {
    var digest = notifications[0]
    var titles: [String] = []
    for title in notifications.map(\.shortTitle) where !titles.contains(title) { titles.append(title) }
    digest.count = min(notifications.reduce(0) { $0 + $1.count }, Self.largestCount)
    digest.title = "\(digest.count) notifications"
    digest.body = titles.prefix(5).joined(separator: ", ") + (titles.count > 5 ? ", …" : "")
    digest.collapseID = digest.digest ?? digest.collapseID
    digest.expires = notifications.map(\.expires).max() ?? digest.expires
    // Each notification lists only the pauses before its own expiry.
    for pause in notifications.dropFirst().flatMap(\.pauses) where !digest.pauses.contains(pause) {
      digest.pauses.insert(inOrder: pause)
    }
    // The first notification may have ids of any length. A digest without a place to open is better than a
    // digest that cannot be sent.
    if !PushRequest.canCarry(digest) { digest.forgetPlace() }
    return digest
  }

  private var shortTitle: String { title.cut(toPayloadBytes: NotificationWords.longestName) }

  private mutating func forgetPlace() {
    (occurrence, templateTitle, due, assigned) = (nil, nil, nil, nil)
  }
}

/// Withdraws the waiting reminders of one occurrence: it is done or deleted, or another member has the turn.
package struct Withdrawal: Equatable, Sendable {
  package var occurrence: RecordID
  /// The reminder to keep; nil to withdraw all of them.
  package var keep: UUIDValue?

  package init(_ occurrence: RecordID, keep: UUIDValue? = nil) {
    (self.occurrence, self.keep) = (occurrence, keep)
  }

  package var value: JSONValue {
    var members: [JSONMember] = [.init("occurrenceID", .string(occurrence.text))]
    if let keep { members.append(.init("keep", .string(keep.text))) }
    return ["withdraw": .object(members)]
  }

  /// Reads a line; nil if it is not a withdrawal.
  package init?(_ line: JSONValue) throws(NotificationError) {
    guard let value = try NotificationMembers(line)["withdraw"] else { return nil }
    let members = NotificationMembers(value)
    occurrence = RecordID(try members.string("occurrenceID"))
    guard let text = try members.optionalString("keep") else { return }
    guard let id = UUIDValue(text) else { throw .wrongType("keep", expected: "a UUID") }
    keep = id
  }

  /// Whether this withdraws a notification.
  ///
  /// A digest is never withdrawn, as it has other subjects too.
  package func covers(_ notification: Notification) -> Bool {
    notification.kind == .reminder && notification.occurrence == occurrence && notification.count == 1
      && notification.id != keep
  }
}

extension Notification {
  /// The withdrawal caused by queueing this reminder; nil if `DueReminders` did not make the reminder.
  ///
  /// The withdrawal is for reminders of the same occurrence with another due time or another member.
  ///
  /// Other programs may remind several members of one occurrence. The ids of their reminders are not derived
  /// from the occurrence, so these reminders stay.
  package var replaced: Withdrawal? {
    guard isMadeOfOccurrence, let occurrence else { return nil }
    return Withdrawal(occurrence, keep: id)
  }

  /// Whether the id of a reminder is derived from the occurrence, the recipient and the due time.
  private var isMadeOfOccurrence: Bool {
    guard kind == .reminder, let occurrence, let due else { return false }
    return id == NotificationNames.reminder(occurrence, to: recipient, due: due)
  }
}
