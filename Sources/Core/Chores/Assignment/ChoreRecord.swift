package import JSONLines
package import SyncCore

/// The part of a line that affects turns.
package enum ChoreRecord: Sendable {
  case member(Member)
  case template(Template)
  case occurrence(Occurrence)
  case completion(Completion)
  case override(Override)
  case absence(Absence)
  case summary(TurnSummary)
  case tombstone(ChoreEntity, RecordID)
}

/// The entities that affect turns, by their names in lines.
package enum ChoreEntity: String, CaseIterable, Sendable {
  case member = "Member"
  case template = "Template"
  case occurrence = "Occurrence"
  case completion = "CompletionEvent"
  case override = "Override"
  case absence = "Absence"
  case summary = "TurnSummary"

  /// The entities, each with the bytes that begin its canonical keys.
  static let openings = allCases.map { (entity: $0, bytes: Array("[\"\($0.rawValue)\",".utf8)) }
}

/// A member of the household.
package struct Member: Sendable {
  package var id: RecordID
  /// The id in quotes, as it will be written.
  package var spelling: [UInt8]
  package var name: String?
  package var color: String?
  /// When the member joined; nil for a member from the beginning.
  package var joined: Instant?
  /// The member's time zone, for notifications.
  package var zoneName: String?
  package var quietHours: QuietHours?

  /// A label for people to read.
  package var label: String { name ?? id.text }

  package var spelledID: JSONValue { (try? JSONValue(parsing: spelling.span)) ?? .string(id.text) }
}

/// A recurring chore.
package struct Template: Sendable {
  package var id: RecordID
  package var spelling: [UInt8]
  package var title: String?
  /// The first due time; nil for a deleted template.
  package var anchor: Instant?
  package var unit = "weeks"
  package var value = 0
  package var isActive = true
  package var zoneName: String?
  package var rule = TurnRule.alternate
  package var participants: [RecordID]?
  package var skip = SkipRule.keep
  /// How long before the due time a reminder is sent.
  package var leadTime = Duration.seconds(12 * 3_600)

  package var label: String { title ?? id.text }

  package var spelledID: JSONValue { (try? JSONValue(parsing: spelling.span)) ?? .string(id.text) }
}

/// The rule for a skipped turn: kept for the same member, or passed on as if done.
package enum SkipRule: String, CaseIterable, Sendable {
  case keep, pass
}

/// One due date in the state.
package struct Occurrence: Sendable {
  package enum Status: Sendable { case pending, completed, skipped }

  package var id: RecordID
  package var template: RecordID
  package var due: Instant
  package var status: Status
  package var assigned: RecordID?
}

/// The record of a completion by a member.
package struct Completion: Sendable {
  package var id: RecordID
  package var occurrence: RecordID
  package var member: RecordID
  package var time: Instant
}

/// The record that assigns a turn to a certain member.
package struct Override: Sendable {
  package var id: RecordID
  package var occurrence: RecordID
  package var member: RecordID
}

/// The days on which a member is away, from the first to the last.
package struct Absence: Sendable {
  package var id: RecordID
  package var member: RecordID
  package var days: ClosedRange<Int>
  /// The template; nil if the member is away from all templates.
  package var template: RecordID?
}

/// The summary of the turns before a date.
package struct TurnSummary: Sendable {
  package struct Entry: Equatable, Sendable {
    package var member: RecordID
    package var turns: Int
    package var level: Int
    package var isPresent: Bool
  }

  package var id: RecordID
  package var template: RecordID
  /// The cut-off, a day number: earlier dates are ignored.
  package var before: Int
  package var entries: [Entry]
  package var last: RecordID?
  /// The latest clock of the archived overrides, if any.
  package var overridesClock: Instant?
}

/// An id by which records refer to each other: a UUID in lower case, or any other text unchanged.
///
/// Ids are ordered by their bytes, so the order is the same on every device.
package struct RecordID: Hashable, Comparable, Sendable {
  package let bytes: [UInt8]
  /// The value of the id, if it is a UUID.
  package let uuid: UUIDValue?

  /// `decoded` is the UTF-8 of the id.
  package init(_ decoded: [UInt8]) {
    uuid = UUIDValue(decoded.span)
    bytes = uuid == nil ? decoded : decoded.map { (65...90).contains($0) ? $0 | 0x20 : $0 }
  }

  package init(_ text: String) { self.init(Array(text.utf8)) }

  package static func == (a: RecordID, b: RecordID) -> Bool { a.bytes == b.bytes }
  package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
  package static func < (a: RecordID, b: RecordID) -> Bool { a.bytes.lexicographicallyPrecedes(b.bytes) }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The shortest accepted beginning of an id, in bytes.
  private static let shortestBeginning = 4

  /// Whether a person may mean the id by `start`: the id, or its first 4 or more characters.
  ///
  /// The case of a UUID does not matter.
  package func isMeant(by start: RecordID) -> Bool {
    start.bytes.count >= Self.shortestBeginning
      && bytes.starts(with: uuid == nil ? start.bytes : start.lowerCase)
  }

  /// The id with ASCII letters in lower case.
  package var lowerCase: [UInt8] { bytes.map { (65...90).contains($0) ? $0 | 0x20 : $0 } }
}
