package import JSONLines
import SyncCore

/// When members are not to be disturbed, from a shared calendar.
package struct BusyTimes: Sendable {
  /// Of each member by their beginnings.
  private var intervals: [RecordID: [Range<Instant>]] = [:]

  package init() {}

  /// Takes a line such as `{"memberID":"ann","start":"2026-01-12T09:00:00Z","end":"2026-01-12T10:00:00Z"}`.
  package mutating func add(_ line: JSONValue) throws(NotificationError) {
    let (member, interval) = (try line.text("memberID"), try line.interval())
    intervals[RecordID(member), default: []].insert(inOrder: interval)
  }

  /// The intervals of a member that begin after one moment and before another.
  func intervals(of member: RecordID, after first: Instant, before last: Instant) -> [Range<Instant>] {
    (intervals[member] ?? []).filter { first < $0.lowerBound && $0.lowerBound < last }
  }

  /// The end of an interval that a moment is in, those that follow at once too; nil where it is in none.
  func end(from instant: Instant, of member: RecordID) -> Instant? {
    (intervals[member] ?? []).end(from: instant)
  }
}

/// Intervals by their beginnings.
extension [Range<Instant>] {
  mutating func insert(inOrder interval: Range<Instant>) {
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if self[middle].lowerBound <= interval.lowerBound { low = middle + 1 } else { high = middle }
    }
    insert(interval, at: low)
  }

  /// When an interval that a moment is in ends, those that follow at once too; nil where it is in none.
  func end(from moment: Instant) -> Instant? {
    var end = moment
    for interval in self where interval.contains(end) { end = interval.upperBound }
    return end == moment ? nil : end
  }
}
