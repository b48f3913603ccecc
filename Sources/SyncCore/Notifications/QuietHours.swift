/// The hours of each day in which somebody wants no notifications, such as `22:00-07:00`, as the clocks there show them.
package struct QuietHours: Equatable, Sendable {
  /// Seconds of the day; from `start` up to `end`, over midnight where that is the smaller one.
  private let start: Int
  private let end: Int

  package static let expectation = "hours such as 22:00-07:00"

  /// Nil where the text is not `HH:MM-HH:MM`, or both times are the same.
  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Self.second(of: $0) }
    guard parts.count == 2, let start = parts[0], let end = parts[1], start != end else { return nil }
    (self.start, self.end) = (start, end)
  }

  private static func second(of text: Substring) -> Int? {
    var reader = DigitReader()
    let bytes = Array(text.utf8)
    let span = bytes.span
    guard span.count == 5, let hour = reader.number(span, 2), reader.take(span, ":"),
      let minute = reader.number(span, 2), hour < 24, minute < 60
    else { return nil }
    return (hour * 60 + minute) * 60
  }

  package func contains(_ instant: Instant, in zone: Zone) -> Bool { contains(zone.local(instant).second) }

  private func contains(_ second: Int) -> Bool {
    start < end ? start <= second && second < end : start <= second || second < end
  }

  /// The first moment after `instant` at which clocks show no quiet hour; nil where `instant` is in none.
  package func end(from instant: Instant, in zone: Zone) -> Instant? {
    let (day, second) = zone.local(instant)
    guard contains(second) else { return nil }
    let from = Int(instant.seconds)
    var result = zone.seconds(day: second < end ? day : day + 1, second: end)
    // Clocks that were put back show this hour again, and its end with it.
    if result <= from { result = from + (end - second + 86_400) % 86_400 }
    guard let found = Instant(seconds: Int64(result)) else { return nil }
    return zone.local(found).second == end ? found : firstLoud(after: from, upTo: result, in: zone)
  }

  /// The quiet hours that begin after one moment and before another.
  func intervals(after first: Instant, before last: Instant, in zone: Zone) -> [Range<Instant>] {
    let days = zone.local(first).day...max(zone.local(first).day, zone.local(last).day)
    return days.compactMap { day in
      guard let begin = Instant(seconds: Int64(zone.seconds(day: day, second: start))), first < begin,
        begin < last, let end = end(from: begin, in: zone)
      else { return nil }
      return begin..<end
    }
  }

  /// Clocks jump over the end: the moment at which they do.
  private func firstLoud(after quiet: Int, upTo loud: Int, in zone: Zone) -> Instant? {
    var (low, high) = (quiet, loud)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      guard let instant = Instant(seconds: Int64(middle)) else { return nil }
      if contains(instant, in: zone) { low = middle } else { high = middle }
    }
    return Instant(seconds: Int64(high))
  }
}
