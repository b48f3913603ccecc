package import JSONLines

/// When members are not to be disturbed, from a shared calendar.
package struct BusyTimes: Sendable {
  private var intervals: [RecordID: [Range<Instant>]] = [:]

  package init() {}

  /// Takes a line such as `{"memberID":"ann","start":"2026-01-12T09:00:00Z","end":"2026-01-12T10:00:00Z"}`.
  package mutating func add(_ line: JSONValue) throws(NotificationError) {
    let member = try line.text("memberID")
    intervals[RecordID(member), default: []].append(try line.interval())
  }

  /// The intervals of a member that begin after one moment and before another.
  func intervals(of member: RecordID, after first: Instant, before last: Instant) -> [Range<Instant>] {
    (intervals[member] ?? []).filter { first < $0.lowerBound && $0.lowerBound < last }
  }

  /// The end of an interval that a moment is in; nil where it is in none.
  func end(from instant: Instant, of member: RecordID) -> Instant? {
    (intervals[member] ?? []).filter { $0.contains(instant) }.map(\.upperBound).max()
  }
}
