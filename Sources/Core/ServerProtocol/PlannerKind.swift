import JSONLines
import SyncCore

/// The four kinds of records in the planner's `/sync`, with the members that an app's decoder requires.
package enum PlannerKind: String, CaseIterable, Sendable {
  case member = "Member"
  case template = "Template"
  case occurrence = "Occurrence"
  case completion = "CompletionEvent"

  /// The name of the list of such records in a body.
  package var list: String {
    switch self {
    case .member: "members"
    case .template: "templates"
    case .occurrence: "occurrences"
    case .completion: "completions"
    }
  }

  /// A member that an app knows.
  struct Known {
    let name: String
    let type: ValueType
    let presence: Presence

    init(_ name: String, _ type: ValueType, _ presence: Presence) {
      (self.name, self.type, self.presence) = (name, type, presence)
    }
  }

  enum ValueType {
    case string, uuid, date, integer, bool
    /// A number; the app receives it rounded up to a whole number.
    case hours

    /// The value to send for a stored value; nil if the app's decoder would reject it.
    func told(_ value: JSONValue) -> JSONValue? {
      switch self {
      case .string: value.stringValue.map { .string($0) }
      case .uuid: value.stringValue.flatMap { UUIDText($0) == nil ? nil : .string($0) }
      case .date: PlannerDate.instant(value).map { .string(PlannerDate.text($0)) }
      case .integer: value.intValue.map { .integer($0) }
      case .hours: value.wholeNumber.map { .integer($0) }
      case .bool: value.boolValue.map { .bool($0) }
      }
    }

    /// The fault of a value from an app.
    func fault(_ value: JSONValue) -> (code: ErrorCode, expected: String)? {
      switch self {
      case .string: value.stringValue == nil ? (.wrongType, "a string") : nil
      case .uuid: value.stringValue.flatMap { UUIDText($0) } == nil ? (.wrongType, "a UUID") : nil
      case .date: PlannerDate.instant(value) == nil ? (.invalidDate, "a date-time of ISO 8601") : nil
      case .integer: value.intValue == nil ? (.wrongType, "a whole number") : nil
      case .hours: value.wholeNumber == nil ? (.wrongType, "a number of hours") : nil
      case .bool: value.boolValue == nil ? (.wrongType, "true or false") : nil
      }
    }
  }

  enum Presence {
    /// A record without this member cannot be sent or accepted.
    case needed
    case optional
    /// The decoder requires this member; the default is sent for a record without it.
    case `default`(JSONValue)
    /// As `default`, but the default is the time of the record's clock.
    case clock
  }

  /// The known members, in the order of sending.
  var known: [Known] {
    switch self {
    case .member: Self.memberMembers
    case .template: Self.templateMembers
    case .occurrence: Self.occurrenceMembers
    case .completion: Self.completionMembers
    }
  }

  private static let memberMembers = [
    Known("id", .uuid, .needed), Known("displayName", .string, .default("")),
    Known("emojiSymbol", .string, .default("🙂")), Known("accentColorHex", .string, .default("#888888")),
    Known("createdAt", .date, .clock), Known("updatedAt", .date, .clock),
  ]

  private static let templateMembers = [
    Known("id", .uuid, .needed), Known("title", .string, .default("")), Known("details", .string, .optional),
    Known("cadenceUnitRaw", .string, .default("weeks")), Known("cadenceValue", .integer, .default(0)),
    Known("leadTimeHours", .hours, .default(12)), Known("isActive", .bool, .default(true)),
    Known("createdAt", .date, .clock), Known("updatedAt", .date, .clock),
    Known("startDate", .date, .optional), Known("lastGeneratedDate", .date, .optional),
  ]

  private static let occurrenceMembers = [
    Known("id", .uuid, .needed), Known("templateID", .uuid, .needed), Known("dueDate", .date, .needed),
    Known("statusRaw", .string, .default("pending")), Known("assignedMemberID", .uuid, .optional),
    Known("scheduledAt", .date, .clock), Known("completedAt", .date, .optional),
    Known("notes", .string, .optional), Known("updatedAt", .date, .optional),
  ]

  private static let completionMembers = [
    Known("id", .uuid, .needed), Known("occurrenceID", .uuid, .needed), Known("memberID", .uuid, .needed),
    Known("timestamp", .date, .clock), Known("notes", .string, .optional),
  ]

  /// The members of `/sync` that are not content.
  static let bookkeeping = ["syncRevision", "isSelf"]

  /// The member that is the clock of a record.
  var clockName: String { self == .completion ? "timestamp" : "updatedAt" }
}

/// Dates in the form that the planner's app reads and writes: ISO 8601 in whole seconds.
enum PlannerDate {
  static func text(_ instant: Instant) -> String {
    let text = "\(Instant(seconds: instant.seconds) ?? instant)"
    return text.hasSuffix(".000Z") ? "\(text.dropLast(5))Z" : text
  }

  /// A date-time, or an epoch number, as for clocks.
  static func instant(_ value: JSONValue) -> Instant? {
    let text = Array(value.text.utf8)
    return Clock.instant(text.span, 0..<text.count)
  }
}

extension JSONValue {
  /// A number, rounded up; nil for other values and for numbers of a million or more.
  fileprivate var wholeNumber: Int? {
    guard case .number(let text) = self, let number = Double(text), abs(number) < 1e6 else { return nil }
    return Int(number.rounded(.up))
  }
}
