import JSONLines
import SyncCore

/// A rule of recurrence, and its limits.
struct CalendarRule {
  /// The rule without its end.
  private let repetition: String
  private let until: CalendarTime?
  private let count: Int?
  /// The shortest length of a step in seconds, and the largest number of occurrences in one step.
  private let (step, product): (Int, Int)
  private let isFiltered: Bool
  /// The pattern repeats after this many seconds; nil if it never repeats.
  private let period: Int?

  /// The limit for the number of steps from the start of a rule to the end of the window, and for the number
  /// of occurrences.
  static let mostSteps = 1_000_000
  static let mostOccurrences = 100_000
  /// The limit for the steps of a filtered rule, because the search for its next occurrence can be long.
  ///
  /// Definitions of time zones often have such rules from the year 1601 on.
  private static let mostFilteredSteps = 200_000

  init(_ text: String) throws(CalendarError) {
    var parts: [String] = []
    var (until, count, length, product, interval) = (nil as CalendarTime?, nil as Int?, nil as Int?, 1, 1)
    // The library looks for bytes, which a combining mark may follow.
    for part in text.parts(at: ";") where !part.isEmpty {
      let sign = part.utf8.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
      let (name, value) = (part[..<sign].uppercased(), String(Substring(part[sign...].utf8.dropFirst())))
      switch name {
      case "UNTIL":
        guard let time = CalendarTime(value) else { throw Self.invalid(text) }
        until = time
        continue
      case "COUNT":
        guard let number = Int(value), number > 0 else { throw Self.invalid(text) }
        count = number
        continue
      case "FREQ": length = Self.seconds[value.uppercased()]
      case "INTERVAL":
        guard let number = Int(value), (1...Int(Int16.max)).contains(number) else { throw Self.invalid(text) }
        interval = number
      case "RSCALE":
        // The search for a date in another calendar is much slower.
        guard value.uppercased() == "GREGORIAN" else { throw Self.invalid(text) }
      case "BYHOUR", "BYMINUTE", "BYSECOND":
        product = min(product * value.parts(at: ",").count, Self.mostSteps)
      default: break
      }
      parts.append(part)
    }
    repetition = parts.joined(separator: ";")
    (self.until, self.count, self.product) = (until, count, product)
    period = length.map { $0 * interval }
    step = if let length, length < 86_400 { length * interval } else { 86_400 }
    isFiltered = parts.contains { $0.uppercased().hasPrefix("BY") }
  }

  private static let seconds = [
    "SECONDLY": 1, "MINUTELY": 60, "HOURLY": 3_600, "DAILY": 86_400, "WEEKLY": 604_800,
  ]

  private static func invalid(_ text: String) -> CalendarError {
    CalendarError("invalid or unsupported rule: '\(text.shown)'")
  }

  /// The occurrences from `start` to `end`, as local times in `zone`; some before `first` may be missing.
  func walls(
    from start: Int, after first: Int = Int.min, to end: Int, in zone: Zone, _ library: some CalendarReading
  ) throws(CalendarError) -> [Int] {
    var (start, count) = (start, count)
    if let period, first > start, count == nil || !isFiltered {
      let skipped = (first - start) / period
      if let all = count {
        guard skipped < all else { return [] }
        count = all - skipped
      }
      start += skipped * period
    }
    var last = end
    if let until {
      let wall = until.isUTC ? zone.wall(until.wall) : until.isDate ? until.wall + 86_399 : until.wall
      last = min(last, wall)
    }
    guard last >= start else { return [] }
    let steps = (last - start) / step
    let expected = isFiltered ? nil : count
    let most = isFiltered ? Self.mostFilteredSteps : Self.mostSteps
    guard min(steps, expected ?? steps) <= most / product else {
      throw CalendarError("the rule '\(repetition.shown)' repeats too often")
    }
    let room = min(count ?? Self.mostOccurrences, Self.mostOccurrences, steps * product + 1_000)
    let rule = "\(repetition);UNTIL=\(CalendarTime.text(last))"
    guard let walls = library.occurrences(of: rule, from: start, limit: room) else {
      throw Self.invalid(repetition)
    }
    if walls.count == room, count != room {
      throw CalendarError("the rule '\(repetition.shown)' repeats too often")
    }
    return walls.filter { $0 >= 0 && $0 <= last }
  }
}
