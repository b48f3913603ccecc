package import JSONLines
package import SyncCore

/// When a notification may be shown: quiet hours and busy times.
package struct HoldingRules: Sendable {
  /// How to handle a notification in quiet hours.
  package enum Action: String, CaseIterable, Sendable {
    /// Send it after the quiet hours.
    case `defer`
    /// Never send it.
    case drop
    /// Send it after the quiet hours, combined with all others that waited.
    case collapse
  }

  /// A time, and the digest of the notifications that are sent at that time.
  struct Release: Equatable {
    var moment: Instant
    var digest: String?
  }

  /// The quiet hours of members without their own.
  package var quiet: QuietHours?
  package var zone = Zone.utc
  package var action = Action.defer
  package var busy = BusyTimes()
  /// Pauses are listed this far ahead, even if a notification may wait longer.
  package var reach = HoldingRules.farthestPause

  package init() {}

  /// The default of `reach`.
  static let farthestPause = Duration.seconds(366 * 86_400)

  /// The times at which a waiting notification must continue to wait, in order; up to `reach` ahead.
  func pauses(of member: Member, in zone: Zone, after first: Instant, before last: Instant) -> [Range<
    Instant
  >] {
    let last = min(last, first.advanced(by: reach))
    let nights = (member.quietHours ?? quiet)?.intervals(after: first, before: last, in: zone) ?? []
    let all = nights + busy.intervals(of: member.id, after: first, before: last)
    return all.sorted { $0.lowerBound < $1.lowerBound }
  }

  /// When a notification for a member may be shown; nil if it is dropped.
  ///
  /// `moment` is the time of the event, at or before `now`. Busy times never drop a notification, because a
  /// member in a meeting still needs it afterwards.
  func release(to member: Member, in zone: Zone, from moment: Instant, now: Instant) -> Release? {
    let quiet = member.quietHours ?? quiet
    if action == .drop, let quiet, quiet.contains(moment, in: zone) || quiet.contains(now, in: zone) {
      return nil
    }
    var free = now
    while let next = quiet?.end(from: free, in: zone) ?? busy.end(from: free, of: member.id) { free = next }
    guard action == .collapse, free > now else { return Release(moment: free) }
    return Release(moment: free, digest: NotificationNames.id("digest", member.id.text, free.brief).text)
  }
}

/// An interval in which a member must not be disturbed.
package struct BusyInterval: Sendable {
  fileprivate var member: RecordID
  fileprivate var interval: Range<Instant>

  /// An interval from a calendar of a member.
  package init(of member: RecordID, _ interval: Range<Instant>) {
    (self.member, self.interval) = (member, interval)
  }

  /// Reads a line such as `{"memberID":"ann","start":"2026-01-12T09:00:00Z","end":"2026-01-12T10:00:00Z"}`.
  package init(_ line: JSONValue) throws(NotificationError) {
    let line = NotificationMembers(line)
    (member, interval) = (RecordID(try line.string("memberID")), try line.interval())
  }
}

/// When members must not be disturbed, from a shared calendar.
package struct BusyTimes: Sendable {
  /// The intervals of each member, sorted by their beginnings.
  private let intervals: [RecordID: [Range<Instant>]]

  /// Takes intervals in any order.
  package init(_ all: [BusyInterval] = []) {
    intervals = Dictionary(grouping: all, by: \.member).mapValues { all in
      all.map(\.interval).sorted { $0.lowerBound < $1.lowerBound }
    }
  }

  /// The intervals of a member that begin after `first` and before `last`.
  func intervals(of member: RecordID, after first: Instant, before last: Instant) -> [Range<Instant>] {
    (intervals[member] ?? []).filter { first < $0.lowerBound && $0.lowerBound < last }
  }

  /// The end of an interval that contains `instant`, including adjacent ones; nil without such an interval.
  func end(from instant: Instant, of member: RecordID) -> Instant? {
    (intervals[member] ?? []).end(from: instant)
  }
}

/// Intervals sorted by their beginnings.
extension [Range<Instant>] {
  mutating func insert(inOrder interval: Range<Instant>) {
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if self[middle].lowerBound <= interval.lowerBound { low = middle + 1 } else { high = middle }
    }
    insert(interval, at: low)
  }

  /// The end of an interval that contains `moment`, including adjacent ones; nil without such an interval.
  func end(from moment: Instant) -> Instant? {
    var end = moment
    for interval in self where interval.contains(end) { end = interval.upperBound }
    return end == moment ? nil : end
  }
}
