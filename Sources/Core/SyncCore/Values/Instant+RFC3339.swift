extension Instant {
  /// Reads an RFC 3339 date-time: any offset, 0 to 9 fraction digits (more are cut), `T` and `Z` in either case.
  ///
  /// A second of 60 is taken at 23:59 UTC only (RFC 3339 §5.7), and is the first instant of the next day.
  package init?(rfc3339 text: Span<UInt8>) {
    var reader = DigitReader()
    guard let date = DateAndTime(text, &reader), let nanoseconds = reader.fraction(text),
      let offset = reader.offset(text), reader.position == text.count,
      let seconds = date.seconds(offset: offset)
    else { return nil }
    self.init(seconds: Int64(seconds), nanoseconds: date.second == 60 ? 0 : Int32(nanoseconds))
  }

  /// Reads an RFC 3339 date-time.
  public init?(_ text: String) {
    self.init(rfc3339: Array(text.utf8).span)
  }

  /// In UTC with milliseconds, or with as many more digits as the instant has: `2026-11-20T10:00:00.000Z`.
  public var description: String {
    let days = Int(seconds - Int64(secondOfDay)) / 86_400
    let (year, month, day) = Civil.date(of: days)
    let clock = [secondOfDay / 3_600, secondOfDay / 60 % 60, secondOfDay % 60].map { Self.padded($0, 2) }
    return "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))T"
      + clock.joined(separator: ":") + ".\(fraction)Z"
  }

  private var secondOfDay: Int { Int((seconds % 86_400 + 86_400) % 86_400) }

  private var fraction: String {
    let digits = Self.padded(Int(nanoseconds), 9)
    if nanoseconds % 1_000_000 == 0 { return String(digits.prefix(3)) }
    return nanoseconds % 1_000 == 0 ? String(digits.prefix(6)) : digits
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

extension Instant: CustomStringConvertible {}
