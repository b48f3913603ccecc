/// The rule of a zone for all years, as POSIX writes it in TZ: `CET-1CEST,M3.5.0,M10.5.0/3`.
package struct ZoneRule: Sendable {
  /// Seconds east of UTC.
  private let standard: Int
  private let summer: Summer?

  private struct Summer: Sendable {
    var offset: Int
    var start: ZoneDate
    var end: ZoneDate
  }

  /// Reads a rule; nil if the text is not a rule in this form.
  package init?(_ text: Span<UInt8>) {
    var reader = ZoneRuleReader()
    guard reader.name(text), let west = reader.time(text, hours: 24) else { return nil }
    standard = -west
    guard !reader.isAtEnd(text) else {
      summer = nil
      return
    }
    guard reader.name(text) else { return nil }
    var offset = standard + 3_600
    if !reader.isNext(",", text), !reader.isAtEnd(text) {
      guard let west = reader.time(text, hours: 24) else { return nil }
      offset = -west
    }
    guard reader.consume(",", text), let start = ZoneDate(text, &reader), reader.consume(",", text),
      let end = ZoneDate(text, &reader), reader.isAtEnd(text)
    else { return nil }
    summer = Summer(offset: offset, start: start, end: end)
  }

  /// The offset in seconds east of UTC; `moment` is in seconds since 1970.
  package func offset(at moment: Int64) -> Int {
    guard let summer else { return standard }
    // The rule states each change in local time, with the offset that applies before the change.
    let local = Int(moment) + standard
    let year = Civil.date(of: Civil.floorDivide(local, 86_400)).year
    for year in [year - 1, year, year + 1] {
      let start = summer.start.seconds(in: year) - standard
      var end = summer.end.seconds(in: year) - summer.offset
      // In the southern hemisphere summer extends over the end of the year.
      if end < start { end = summer.end.seconds(in: year + 1) - summer.offset }
      if Int(moment) >= start, Int(moment) < end { return summer.offset }
    }
    return standard
  }
}

/// A day and time of each year.
struct ZoneDate: Sendable {
  private enum Day: Sendable {
    /// 1 to 365; 29 February is never counted.
    case withoutLeapDay(Int)
    /// 0 to 365.
    case withLeapDay(Int)
    /// The week is 1 to 5, 5 being the last; weekday 0 is Sunday.
    case week(month: Int, week: Int, weekday: Int)
  }

  private let day: Day
  private let time: Int

  init?(_ text: Span<UInt8>, _ reader: inout ZoneRuleReader) {
    if reader.consume("J", text) {
      guard let number = reader.number(text), (1...365).contains(number) else { return nil }
      day = .withoutLeapDay(number)
    } else if reader.consume("M", text) {
      guard let month = reader.number(text), (1...12).contains(month), reader.consume(".", text),
        let week = reader.number(text), (1...5).contains(week), reader.consume(".", text),
        let weekday = reader.number(text), (0...6).contains(weekday)
      else { return nil }
      day = .week(month: month, week: week, weekday: weekday)
    } else {
      guard let number = reader.number(text), (0...365).contains(number) else { return nil }
      day = .withLeapDay(number)
    }
    if reader.consume("/", text) {
      guard let time = reader.time(text, hours: 167) else { return nil }
      self.time = time
    } else {
      time = 7_200
    }
  }

  /// The date and time in a year as local time, in seconds since 1970 as if it were UTC.
  func seconds(in year: Int) -> Int {
    let first = Civil.day(year, 1, 1)
    switch day {
    case .withLeapDay(let number): return (first + number) * 86_400 + time
    case .withoutLeapDay(let number):
      let isLater = number > 59 && Civil.isLeap(year)
      return (first + number - 1 + (isLater ? 1 : 0)) * 86_400 + time
    case .week(let month, let week, let weekday):
      let begin = Civil.day(year, month, 1)
      let end = begin + Civil.days(inMonth: month, of: year)
      // Day 0 is a Thursday.
      let offset = ((weekday - (begin + 4) % 7) % 7 + 7) % 7
      var day = begin + offset + (week - 1) * 7
      if day >= end { day -= 7 }
      return day * 86_400 + time
    }
  }
}

/// Reads the parts of a rule from the front of its text.
struct ZoneRuleReader {
  private var position = 0

  func isAtEnd(_ text: Span<UInt8>) -> Bool { position == text.count }

  func isNext(_ letter: Unicode.Scalar, _ text: Span<UInt8>) -> Bool {
    position < text.count && text[position] == UInt8(ascii: letter)
  }

  mutating func consume(_ letter: Unicode.Scalar, _ text: Span<UInt8>) -> Bool {
    guard isNext(letter, text) else { return false }
    position += 1
    return true
  }

  /// Reads at least three letters, or any text between `<` and `>`; false for any other text.
  mutating func name(_ text: Span<UInt8>) -> Bool {
    let start = position
    if consume("<", text) {
      while position < text.count, text[position] != UInt8(ascii: ">") { position += 1 }
      return consume(">", text)
    }
    while position < text.count, (65...90).contains(text[position] & 0xDF) { position += 1 }
    return position - start >= 3
  }

  /// Reads at most four digits.
  mutating func number(_ text: Span<UInt8>) -> Int? {
    let start = position
    var number = 0
    while position < text.count, position - start < 4, text[position] &- 48 < 10 {
      number = number * 10 + Int(text[position] - 48)
      position += 1
    }
    return position > start ? number : nil
  }

  /// Reads `[+-]H[:MM[:SS]]` as seconds.
  mutating func time(_ text: Span<UInt8>, hours: Int) -> Int? {
    let isNegative = consume("-", text)
    if !isNegative { _ = consume("+", text) }
    guard let hour = number(text), hour <= hours else { return nil }
    var seconds = hour * 3_600
    if consume(":", text) {
      guard let minute = number(text), minute < 60 else { return nil }
      seconds += minute * 60
      if consume(":", text) {
        guard let second = number(text), second < 60 else { return nil }
        seconds += second
      }
    }
    return isNegative ? -seconds : seconds
  }
}
