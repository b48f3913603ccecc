/// The ids of notifications, made of what they are about; docs/formats/notification.md writes the names down.
enum NotificationNames {
  private static let names = UUIDNames(in: OccurrenceNames.namespace, beginning: Array("notification|".utf8))

  /// The parts are joined by `|`.
  static func id(_ parts: String...) -> UUIDValue { names.id(of: parts.joined(separator: "|")) }

  /// For the occurrences that have become somebody's turn: each with its clock, else its due time.
  static func assigned(_ occurrences: [Stored<Occurrence>], to recipient: RecordID) -> UUIDValue {
    let parts = occurrences.map { "\($0.record.id.text)|\(($0.clock ?? $0.record.due).description)" }
    return names.id(of: (["assigned", recipient.text] + parts).joined(separator: "|"))
  }
}
