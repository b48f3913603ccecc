public import SyncCore

/// The dates that are to be generated: from that of now on.
public struct Horizon: Sendable {
  /// Where they end.
  public enum End: Sendable {
    /// With the date so long after now.
    case after(Duration)
    /// With a date, as a day number; day 0 is 1970-01-01.
    case day(Int)
  }

  let now: Instant
  let end: End

  /// No due date is so late that its time could not be written.
  private static let lastDay = Civil.day(9999, 12, 30)

  /// Dates are those of each template's zone.
  public init(now: Instant, until end: End) { (self.now, self.end) = (now, end) }

  /// The first and the last date in a zone; nil where there is none.
  package func days(in zone: Zone) -> ClosedRange<Int>? {
    let first = zone.day(of: now)
    let last =
      switch end {
      case .after(let duration): zone.day(of: now.advanced(by: duration))
      case .day(let day): day
      }
    return first <= min(last, Self.lastDay) ? first...min(last, Self.lastDay) : nil
  }
}
