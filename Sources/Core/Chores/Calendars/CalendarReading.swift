import JSONLines

/// A property of a component of an iCalendar file (RFC 5545), and its relevant parameters.
package struct CalendarProperty: Equatable, Sendable {
  /// The name in upper case.
  package var name: String
  package var value: String
  /// `TZID`.
  package var zone: String?
  /// `FBTYPE`.
  package var freeBusyType: String?
  /// `RANGE`.
  package var range: String?

  package init(
    name: String, value: String, zone: String? = nil, freeBusyType: String? = nil, range: String? = nil
  ) {
    (self.name, self.value, self.zone) = (name, value, zone)
    (self.freeBusyType, self.range) = (freeBusyType, range)
  }

  /// The name that a reader gives to an unreadable line; the value is the reason.
  static let unreadable = "X-LIC-ERROR"
}

/// The reader of components, which also expands recurrence rules: a library that the caller provides.
package protocol CalendarReading {
  /// The properties of a component without nested components; nil if the text is not a component.
  ///
  /// A list is returned as one property for each element.
  func properties(of component: String) -> [CalendarProperty]?

  /// The first occurrences of a rule, at most `limit`, ascending; nil if the text is not a rule.
  ///
  /// Times are seconds since 1970 on a clock without time zones. For an occurrence before 1970, any negative
  /// number may be returned.
  func occurrences(of rule: String, from start: Int, limit: Int) -> [Int]?
}

/// An error in an iCalendar file.
package struct CalendarError: Error, Equatable {
  /// The error in words: lower-case, no final period.
  package var message: String

  package init(_ message: String) { self.message = message }

  func of(event id: String) -> CalendarError {
    id.isEmpty ? self : CalendarError("event '\(id.shown)': \(message)")
  }
}
