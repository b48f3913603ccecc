package import SyncCore

/// The hours of each day without notifications, such as `22:00-07:00`, in local time.
package struct QuietHours: Equatable, Sendable {
  /// Seconds of the day; quiet from `start` up to `end`, past midnight if `end` is the smaller number.
  private let start: Int
  private let end: Int

  package static let expectation = "hours such as 22:00-07:00"

  /// Reads `HH:MM-HH:MM`; nil for any other text, or if both times are the same.
  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Self.second(of: $0) }
    guard parts.count == 2, let start = parts[0], let end = parts[1], start != end else { return nil }
    (self.start, self.end) = (start, end)
  }

  private static func second(of text: Substring) -> Int? {
    var reader = DigitReader()
    let bytes = Array(text.utf8)
    let span = bytes.span
    guard span.count == 5, let hour = reader.number(span, 2), reader.consume(span, ":"),
      let minute = reader.number(span, 2), hour < 24, minute < 60
    else { return nil }
    return (hour * 60 + minute) * 60
  }

  package func contains(_ instant: Instant, in zone: Zone) -> Bool { contains(zone.local(instant).second) }

  private func contains(_ second: Int) -> Bool {
    start < end ? start <= second && second < end : start <= second || second < end
  }

  /// The first instant after `instant` outside the quiet hours; nil if `instant` itself is outside them.
  package func end(from instant: Instant, in zone: Zone) -> Instant? {
    guard contains(instant, in: zone) else { return nil }
    return change(after: instant, in: zone)
  }

  /// The quiet times that begin after `first` and before `last`, in order.
  ///
  /// If clocks change at night, one day can have two quiet times.
  func intervals(after first: Instant, before last: Instant, in zone: Zone) -> [Range<Instant>] {
    var intervals: [Range<Instant>] = []
    guard var loud = contains(first, in: zone) ? change(after: first, in: zone) : first else { return [] }
    while let begin = change(after: loud, in: zone), begin < last, let end = change(after: begin, in: zone) {
      intervals.append(begin..<end)
      loud = end
    }
    return intervals
  }

  /// The first instant after `instant` at which a quiet time begins or ends; nil if it is out of range.
  ///
  /// Clocks reach the other edge of the quiet hours within a day. If clocks change before that, the change
  /// itself may pass the edge. Otherwise the remaining time is computed again from the change.
  private func change(after instant: Instant, in zone: Zone) -> Instant? {
    let isQuiet = contains(instant, in: zone)
    var from = instant.seconds
    for _ in 0..<Self.mostClockChanges {
      guard let moment = Instant(seconds: from) else { return nil }
      let second = zone.local(moment).second
      let way = ((isQuiet ? end : start) - second + 86_399) % 86_400 + 1
      guard let edge = Instant(seconds: from + Int64(way)) else { return nil }
      guard let move = zone.clockChange(after: moment, upTo: edge) else { return edge }
      if contains(move, in: zone) != isQuiet { return move }
      from = move.seconds
    }
    return nil
  }

  /// The maximum number of clock changes to follow, more than any time zone has had.
  private static let mostClockChanges = 100
}

extension Zone {
  /// The first instant at which the zone's clocks change; nil without such an instant.
  ///
  /// The instant is after `first` and at most `last`, in whole seconds.
  ///
  /// Two changes within a day that cancel each other out are not detected. Time zones have not had such
  /// changes since 1970.
  fileprivate func clockChange(after first: Instant, upTo last: Instant) -> Instant? {
    let before = offset(at: first.seconds)
    guard offset(at: last.seconds) != before else { return nil }
    var (low, high) = (first.seconds, last.seconds)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if offset(at: middle) == before { low = middle } else { high = middle }
    }
    return Instant(seconds: high)
  }

  private func offset(at seconds: Int64) -> Int {
    guard let instant = Instant(seconds: seconds) else { return 0 }
    let (day, second) = local(instant)
    return day * 86_400 + second - Int(seconds)
  }
}
