import Chores
import CommandLine
import SyncCore

/// The value of `--until`: a duration from now, or a date.
struct HorizonOption: OptionValue {
  var end: Horizon.End

  static let valueName = "UNTIL"
  static let expectation = "a duration of at most 36525d such as 60d, or a date such as 2026-12-31"

  /// A hundred years: who wants more has mistyped, and a day of it costs a line a template.
  private static let longest = Duration.seconds(36_525 * 86_400)

  init(_ duration: Duration) { end = .after(duration) }

  init?(argument: String) {
    if let duration = Duration(argument: argument) {
      guard duration <= Self.longest else { return nil }
      end = .after(duration)
    } else {
      guard let day = CivilText.day(argument) else { return nil }
      end = .day(day)
    }
  }

  func horizon(from now: Instant) throws(UsageError) -> Horizon {
    let horizon = Horizon(now: now, until: end)
    if case .day(let day) = end, let days = Horizon(now: now, until: .after(Self.longest)).days(in: .utc),
      day > days.upperBound
    {
      throw .conflict("'--until \(CivilText.date(day))' is more than 36525d after now")
    }
    return horizon
  }
}
