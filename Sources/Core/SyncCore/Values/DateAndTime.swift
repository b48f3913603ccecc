/// A day and a time of day, up to the second.
struct DateAndTime {
  /// Days since 1970-01-01.
  let day: Int
  let minuteOfDay: Int
  /// The second of the minute; 60 in a leap second.
  let second: Int

  /// Reads `YYYY-MM-DDTHH:MM:SS`; nil for other text, or for a date or time that does not exist.
  init?(_ text: Span<UInt8>, _ reader: inout DigitReader) {
    guard let day = reader.day(text, "-"), reader.consume(text, "T") || reader.consume(text, "t"),
      let (minute, second) = reader.time(text, ":")
    else { return nil }
    (self.day, minuteOfDay, self.second) = (day, minute, second)
  }

  /// Reads a day and a time of day, in UTC, without a leap second.
  ///
  /// `dash` and `colon` separate the parts of the day and of the time; nil means without separators. `space`
  /// separates day and time. The seconds may be missing at the end of the text.
  init?(
    _ text: Span<UInt8>, _ reader: inout DigitReader, _ dash: Unicode.Scalar?, _ space: Unicode.Scalar,
    _ colon: Unicode.Scalar?
  ) {
    guard let day = reader.day(text, dash), reader.consume(text, space),
      let (minute, second) = reader.time(text, colon, needsSecond: false), second < 60
    else { return nil }
    (self.day, minuteOfDay, self.second) = (day, minute, second)
  }

  /// Seconds since 1970 for an offset of this many minutes east; nil for an impossible leap second.
  func seconds(offset: Int) -> Int? {
    let minutes = day * 1_440 + minuteOfDay - offset
    if second == 60, (minutes % 1_440 + 1_440) % 1_440 != 1_439 { return nil }
    return minutes * 60 + second
  }
}

extension DigitReader {
  /// The day number of a year, a month and a day, with `dash` between them.
  mutating func day(_ text: Span<UInt8>, _ dash: Unicode.Scalar?) -> Int? {
    guard let year = number(text, 4), consume(text, dash), let month = number(text, 2), consume(text, dash),
      let day = number(text, 2), (1...12).contains(month), day >= 1,
      day <= Civil.days(inMonth: month, of: year)
    else { return nil }
    return Civil.day(year, month, day)
  }

  /// The minute of the day and the second, up to 60, from three numbers with `colon` between them.
  ///
  /// Without `needsSecond`, the text may end after the minute.
  fileprivate mutating func time(
    _ text: Span<UInt8>, _ colon: Unicode.Scalar?, needsSecond: Bool = true
  ) -> (Int, Int)? {
    guard let hour = number(text, 2), consume(text, colon), let minute = number(text, 2), hour < 24,
      minute < 60
    else { return nil }
    if !needsSecond, position == text.count { return (hour * 60 + minute, 0) }
    guard consume(text, colon), let second = number(text, 2), second <= 60 else { return nil }
    return (hour * 60 + minute, second)
  }

  private mutating func consume(_ text: Span<UInt8>, _ mark: Unicode.Scalar?) -> Bool {
    guard let mark else { return true }
    return consume(text, mark)
  }
}

/// Reads fixed pieces from the front of a text, which each call receives because a span cannot be stored.
package struct DigitReader {
  package private(set) var position = 0

  package init() {}

  @inline(__always)
  package mutating func consume(_ text: Span<UInt8>, _ letter: Unicode.Scalar) -> Bool {
    guard position < text.count, text[position] == UInt8(ascii: letter) else { return false }
    position &+= 1
    return true
  }

  /// Reads exactly `count` digits.
  @inline(__always)
  package mutating func number(_ text: Span<UInt8>, _ count: Int) -> Int? {
    guard text.count &- position >= count else { return nil }
    var number = 0
    var areDigits = true
    for index in position..<position &+ count {
      let digit = text[index] &- 48
      areDigits = areDigits && digit < 10
      number = number &* 10 &+ Int(digit)
    }
    position &+= count
    return areDigits ? number : nil
  }

  /// Reads nanoseconds: empty, or a point and at least one digit.
  package mutating func fraction(_ text: Span<UInt8>) -> Int? {
    guard consume(text, ".") else { return 0 }
    guard var number = digit(text) else { return nil }
    var count = 1
    while let digit = digit(text) {
      if count < 9 { number = number * 10 + digit }
      count += 1
    }
    for _ in count..<max(count, 9) { number *= 10 }
    return number
  }

  /// Reads an offset in minutes east of UTC.
  package mutating func offset(_ text: Span<UInt8>) -> Int? {
    if consume(text, "Z") || consume(text, "z") { return 0 }
    let isWest = consume(text, "-")
    guard isWest || consume(text, "+"), let hours = number(text, 2), consume(text, ":"),
      let minutes = number(text, 2),
      hours < 24, minutes < 60
    else { return nil }
    return (hours * 60 + minutes) * (isWest ? -1 : 1)
  }

  @inline(__always)
  private mutating func digit(_ text: Span<UInt8>) -> Int? {
    guard position < text.count, text[position] &- 48 < 10 else { return nil }
    defer { position += 1 }
    return Int(text[position] - 48)
  }
}
