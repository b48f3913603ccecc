import SyncCore

/// The ids of notifications, made of what they are about; docs/formats/notification.md writes the names down.
enum NotificationNames {
  private static let names = UUIDNames(in: OccurrenceNames.namespace, beginning: Array("notification|".utf8))

  /// The parts are joined by `|`.
  static func id(_ parts: String...) -> UUIDValue { names.id(of: parts.joined(separator: "|")) }

  static func reminder(_ occurrence: RecordID, to recipient: RecordID, due: Instant) -> UUIDValue {
    id("reminder", occurrence.text, recipient.text, due.description)
  }

  /// For the occurrences that have become somebody's turn, or no longer are: each with its clock, else its due time.
  static func turns(
    _ kind: Notification.Kind, _ occurrences: [Stored<Occurrence>], to recipient: RecordID
  ) -> UUIDValue {
    let parts = occurrences.map { "\($0.record.id.text)|\(($0.clock ?? $0.record.due).description)" }
    return names.id(of: ([kind.rawValue, recipient.text] + parts).joined(separator: "|"))
  }
}
