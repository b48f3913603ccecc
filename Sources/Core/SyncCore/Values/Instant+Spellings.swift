extension Instant {
  /// Reads an RFC 3339 date-time, or one of the spellings without an offset, which are taken as UTC.
  package init?(spelled text: Span<UInt8>) {
    guard
      let instant = Instant(rfc3339: text) ?? Instant(sqlite: text) ?? Instant(basic: text)
        ?? Instant(date: text)
    else { return nil }
    self = instant
  }

  /// Reads `YYYY-MM-DD HH:MM:SS`, with a fraction or without, as SQLite writes it.
  private init?(sqlite text: Span<UInt8>) {
    var reader = DigitReader()
    guard let moment = DateAndTime(text, &reader, "-", " ", ":"), let nanoseconds = reader.fraction(text),
      reader.position == text.count, let seconds = moment.seconds(offset: 0)
    else { return nil }
    self.init(seconds: Int64(seconds), nanoseconds: Int32(nanoseconds))
  }

  /// Reads `YYYYMMDDTHHMMSSZ`, the basic format of ISO 8601.
  private init?(basic text: Span<UInt8>) {
    var reader = DigitReader()
    guard let moment = DateAndTime(text, &reader, nil, "T", nil), reader.take(text, "Z"),
      reader.position == text.count, let seconds = moment.seconds(offset: 0)
    else { return nil }
    self.init(seconds: Int64(seconds))
  }

  /// Reads `YYYY-MM-DD`: the first moment of that day.
  private init?(date text: Span<UInt8>) {
    var reader = DigitReader()
    guard let day = reader.day(text, "-"), reader.position == text.count else { return nil }
    self.init(seconds: Int64(day * 86_400))
  }
}
