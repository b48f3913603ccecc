import JSONLines

extension Instant {
  /// Reads an RFC 3339 date-time, or one of the spellings without an offset, which are read as UTC.
  package init?(spelled text: Span<UInt8>) {
    guard
      let instant = Instant(rfc3339: text) ?? Instant(sqlite: text) ?? Instant(basic: text)
        ?? Instant(date: text)
    else { return nil }
    self = instant
  }

  /// Reads `YYYY-MM-DD HH:MM:SS`, with or without a fraction, or `YYYY-MM-DD HH:MM`, as in SQLite.
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
    guard let moment = DateAndTime(text, &reader, nil, "T", nil), reader.consume(text, "Z"),
      reader.position == text.count, let seconds = moment.seconds(offset: 0)
    else { return nil }
    self.init(seconds: Int64(seconds))
  }

  /// Reads `YYYY-MM-DD` as the first instant of that day.
  private init?(date text: Span<UInt8>) {
    var reader = DigitReader()
    guard let day = reader.day(text, "-"), reader.position == text.count else { return nil }
    self.init(seconds: Int64(day * 86_400))
  }

  /// Reads `YYYY-MM-DDTHH:MM:SSZ` or the same with three digits of fraction, which covers nearly all clocks.
  ///
  /// Nil for all other date-times, including leap seconds.
  @inline(__always)
  package init?(usual text: Span<UInt8>, _ range: Range<Int>) {
    let hasFraction = range.count == 24
    guard hasFraction || range.count == 20 else { return nil }
    // A digit becomes its value, and a mark in the right place becomes zero.
    let date = text.orderedWord(at: range.lowerBound) ^ 0x3030_3030_2D30_302D  // 0000-00-
    let time = text.orderedWord(at: range.lowerBound &+ 8) ^ 0x3030_5430_303A_3030  // 00T00:00
    let rest =
      text.orderedWord(at: range.upperBound &- 8)
      ^ (hasFraction ? 0x3A30_302E_3030_305A : 0x303A_3030_3A30_305A)  // :00.000Z or 0:00:00Z
    // The values of digits, up to 9, and of marks, 0, do not overflow into the top bit; all other bytes do.
    let faults =
      Self.fault(date, 0x7676_7676_7F76_767F) | Self.fault(time, 0x7676_7F76_767F_7676)
      | Self.fault(rest, hasFraction ? 0x7F76_767F_7676_767F : 0x767F_7676_7F76_767F)
    guard faults == 0 else { return nil }
    self.init(
      day: Self.day(date, Self.pair(time, 0)), hour: Self.pair(time, 3), minute: Self.pair(time, 6),
      second: Self.pair(rest, hasFraction ? 1 : 5),
      milliseconds: hasFraction ? Self.pair(rest, 4) &* 10 &+ Self.digit(rest, 6) : 0)
  }

  @inline(__always)
  private init?(day: Int?, hour: Int, minute: Int, second: Int, milliseconds: Int) {
    guard let day, hour < 24, minute < 60, second < 60 else { return nil }
    self.init(
      seconds: Int64(((day &* 24 &+ hour) &* 60 &+ minute) &* 60 &+ second),
      nanoseconds: Int32(truncatingIfNeeded: milliseconds &* 1_000_000))
  }

  @inline(__always)
  private static func day(_ date: UInt64, _ day: Int) -> Int? {
    let (year, month) = (pair(date, 0) &* 100 &+ pair(date, 2), pair(date, 5))
    guard month >= 1, month <= 12, day >= 1, day <= 28 || day <= Civil.days(inMonth: month, of: year) else {
      return nil
    }
    return Civil.day(year, month, day)
  }

  @inline(__always)
  private static func fault(_ word: UInt64, _ limits: UInt64) -> UInt64 {
    ((word & 0x7F7F_7F7F_7F7F_7F7F) &+ limits | word) & 0x8080_8080_8080_8080
  }

  @inline(__always)
  private static func digit(_ word: UInt64, _ index: Int) -> Int {
    Int(truncatingIfNeeded: word &>> UInt64(56 &- 8 &* index) & 15)
  }

  @inline(__always)
  private static func pair(_ word: UInt64, _ index: Int) -> Int {
    digit(word, index) &* 10 &+ digit(word, index &+ 1)
  }
}
