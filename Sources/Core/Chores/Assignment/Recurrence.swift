import SyncCore

/// The due dates of a template, as day numbers.
///
/// Each is counted from the anchor, so that months do not drift: a day that a month does not have becomes the
/// month's last, and the next month has its own day again.
package struct Recurrence: Equatable, Sendable {
  package enum Unit: Equatable, Sendable { case days, months }

  package let anchor: Int
  /// How many units there are between two dates; above 0.
  package let step: Int
  package let unit: Unit
  private let firstMonth: Int
  private let dayOfMonth: Int

  /// Nil where nothing recurs, because `value` is not above 0.
  package init?(anchor: Int, unit: String, value: Int) {
    guard value > 0 else { return nil }
    self.anchor = anchor
    let (year, month, day) = Civil.date(of: anchor)
    (firstMonth, dayOfMonth) = (year * 12 + month - 1, day)
    // Beyond that no second date is within the years that there are.
    let value = min(value, 10_000_000)
    (self.unit, step) =
      switch unit {
      case "days": (.days, value)
      case "months": (.months, value)
      default: (.days, value * 7)
      }
  }

  /// The first date that is not before `day`.
  package func first(from day: Int) -> Int {
    guard day > anchor else { return anchor }
    switch unit {
    case .days: return anchor + (day - anchor + step - 1) / step * step
    case .months:
      let (year, month, _) = Civil.date(of: day)
      let index = (year * 12 + month - 1 - firstMonth) / step
      let date = date(inMonth: firstMonth + index * step)
      return date >= day ? date : self.date(inMonth: firstMonth + (index + 1) * step)
    }
  }

  @inline(__always)
  package func next(after day: Int) -> Int { unit == .days ? day &+ step : first(from: day + 1) }

  package func contains(_ day: Int) -> Bool { day >= anchor && first(from: day) == day }

  private func date(inMonth number: Int) -> Int {
    let year = Civil.floorDivide(number, 12)
    let month = number - year * 12 + 1
    return Civil.day(year, month, min(dayOfMonth, Civil.days(inMonth: month, of: year)))
  }
}
