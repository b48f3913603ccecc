package import JSONLines
package import SyncCore

/// Takes back the reminders of one occurrence that still wait: it is done, gone, or somebody else's turn.
package struct Withdrawal: Equatable, Sendable {
  package var occurrence: RecordID
  /// The reminder that is right; nil if nobody is to be reminded.
  package var keep: UUIDValue?

  package init(_ occurrence: RecordID, keep: UUIDValue? = nil) {
    (self.occurrence, self.keep) = (occurrence, keep)
  }

  package var value: JSONValue {
    var members: [JSONMember] = [.init("occurrenceID", .string(occurrence.text))]
    if let keep { members.append(.init("keep", .string(keep.text))) }
    return ["withdraw": .object(members)]
  }

  /// Reads a line; nil if it is not a withdrawal but something else.
  package init?(_ line: JSONValue) throws(NotificationError) {
    guard let members = line["withdraw"] else { return nil }
    occurrence = RecordID(try members.text("occurrenceID"))
    guard let text = try members.textIfPresent("keep") else { return }
    guard let id = UUIDValue(text) else { throw .wrongType("keep", expected: "a UUID") }
    keep = id
  }

  /// Whether it takes a notification back; not a digest, which is about other things too.
  package func covers(_ notification: Notification) -> Bool {
    notification.kind == .reminder && notification.occurrence == occurrence && notification.count == 1
      && notification.id != keep
  }
}

extension Notification {
  /// What a reminder withdraws by being queued: those that were made of the same occurrence when it was due at another
  /// time or somebody else's turn; nil if it was not made by `DueReminders`.
  ///
  /// Others may remind several members of one occurrence. Their ids are not made of it, and so they stay.
  package var replaced: Withdrawal? {
    guard isMadeOfOccurrence, let occurrence else { return nil }
    return Withdrawal(occurrence, keep: id)
  }

  /// Whether the id of a reminder follows from the occurrence, the recipient and the due time.
  private var isMadeOfOccurrence: Bool {
    guard kind == .reminder, let occurrence, let due else { return false }
    return id == NotificationNames.reminder(occurrence, to: recipient, due: due)
  }
}
