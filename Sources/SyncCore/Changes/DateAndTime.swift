/// The fields of a date-time up to the second, in the calendar.
struct DateAndTime {
  let year, month, day, hour, minute, second: Int

  /// Reads `YYYY-MM-DDTHH:MM:SS`; nil where that is not what comes, or no moment of the calendar.
  init?(_ text: Span<UInt8>, _ reader: inout DigitReader) {
    guard let year = reader.number(text, 4), reader.take(text, "-"), let month = reader.number(text, 2),
      reader.take(text, "-"), let day = reader.number(text, 2),
      reader.take(text, "T") || reader.take(text, "t"),
      let hour = reader.number(text, 2), reader.take(text, ":"), let minute = reader.number(text, 2),
      reader.take(text, ":"), let second = reader.number(text, 2),
      (1...12).contains(month), day >= 1, day <= Civil.days(inMonth: month, of: year),
      hour < 24, minute < 60, second <= 60
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
    (self.hour, self.minute, self.second) = (hour, minute, second)
  }

  /// Seconds since 1970 where the offset is so many minutes east; nil for a leap second that cannot be one.
  func seconds(offset: Int) -> Int? {
    let minutes = Civil.day(year, month, day) * 1_440 + hour * 60 + minute - offset
    if second == 60, (minutes % 1_440 + 1_440) % 1_440 != 1_439 { return nil }
    return minutes * 60 + second
  }
}
