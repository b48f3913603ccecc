extension Instant {
  /// Reads an RFC 3339 date-time, or one of the spellings without an offset, which are taken as UTC:
  /// `2025-05-02 08:00:00.123` as SQLite writes it, `20250502T080000Z` (ISO 8601, basic) and `2025-05-02`, its first
  /// moment.
  init?(spelled text: Span<UInt8>) {
    if let instant = Instant(rfc3339: text) ?? Instant(basic: text) {
      self = instant
    } else {
      var reader = DigitReader()
      guard let day = reader.day(text, between: "-") else { return nil }
      if reader.position == text.count {
        self.init(seconds: Int64(day) * 86_400)
      } else {
        guard reader.take(text, " "), let second = reader.time(text, between: ":"),
          let nanoseconds = reader.fraction(text), reader.position == text.count
        else { return nil }
        self.init(seconds: Int64(day * 86_400 + second), nanoseconds: Int32(nanoseconds))
      }
    }
  }

  /// Reads `YYYYMMDDTHHMMSSZ`.
  private init?(basic text: Span<UInt8>) {
    var reader = DigitReader()
    guard text.count == 16, let day = reader.day(text, between: nil), reader.take(text, "T"),
      let second = reader.time(text, between: nil), reader.take(text, "Z")
    else { return nil }
    self.init(seconds: Int64(day * 86_400 + second))
  }
}

extension DigitReader {
  /// The day number of a year, a month and a day of it.
  fileprivate mutating func day(_ text: Span<UInt8>, between mark: Unicode.Scalar?) -> Int? {
    guard let year = number(text, 4), take(text, mark), let month = number(text, 2), take(text, mark),
      let day = number(text, 2), (1...12).contains(month),
      (1...Civil.days(inMonth: month, of: year)).contains(day)
    else { return nil }
    return Civil.day(year, month, day)
  }

  /// The second of the day; none is a leap second.
  fileprivate mutating func time(_ text: Span<UInt8>, between mark: Unicode.Scalar?) -> Int? {
    guard let hour = number(text, 2), take(text, mark), let minute = number(text, 2), take(text, mark),
      let second = number(text, 2), hour < 24, minute < 60, second < 60
    else { return nil }
    return (hour * 60 + minute) * 60 + second
  }

  private mutating func take(_ text: Span<UInt8>, _ mark: Unicode.Scalar?) -> Bool {
    guard let mark else { return true }
    return take(text, mark)
  }
}
