import JSONLines

/// The proleptic Gregorian calendar: dates and day numbers, day 0 being 1970-01-01.
package enum Civil {
  package static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

  @inline(__always)
  package static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The day number of a date; the year is counted from March, so a leap day is the last of its year.
  @inline(__always)
  package static func day(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month > 2 ? year : year - 1
    let century = floorDivide(shifted, 100)
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    // Shifts divide by 4 and round down.
    return shifted * 365 + (shifted >> 2) - century + (century >> 2) + dayOfYear - 719_468
  }

  /// The date of a day number.
  package static func date(of day: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = day + 719_468
    let era = floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }

  /// Divides by a number above 0, rounding down.
  @inline(__always)
  package static func floorDivide(_ number: Int, _ divisor: Int) -> Int {
    number >= 0 ? number / divisor : (number - divisor + 1) / divisor
  }
}

/// Converts dates and times to and from bytes, without intermediate strings.
package enum CivilText {
  /// `YYYY-MM-DD` as two words, `YYYY-MM-` and `DD`, the first character highest, for the years 0000 to 9999.
  @inline(__always)
  package static func letters(ofDate day: Int) -> (month: UInt64, day: UInt64) {
    let (year, month, day) = Civil.date(of: day)
    let dash = UInt64(UInt8(ascii: "-"))
    let letters = two(abs(year) / 100 % 100) &<< 48 | two(abs(year) % 100) &<< 32 | dash &<< 24
    return (letters | two(month) &<< 8 | dash, two(day))
  }

  /// Appends `YYYY-MM-DD`.
  package static func append(day: Int, to bytes: inout [UInt8]) {
    let date = letters(ofDate: day)
    bytes.append(orderedWord: date.month)
    append(two: date.day, to: &bytes)
  }

  /// `YYYY-MM-DDTHH:MM:SSZ`.
  package struct Letters {
    fileprivate let words: (UInt64, UInt64)
    fileprivate let rest: UInt32

    @inline(__always)
    package func store(in bytes: inout MutableSpan<UInt8>, at place: Int) {
      bytes.store(orderedWord: words.0, at: place)
      bytes.store(orderedWord: words.1, at: place + 8)
      bytes.store(orderedWord: rest, at: place + 16)
    }
  }

  /// The characters of `YYYY-MM-DDTHH:MM:SSZ` for a time in seconds since 1970.
  @inline(__always)
  package static func letters(ofSeconds seconds: Int) -> Letters {
    let day = Civil.floorDivide(seconds, 86_400)
    let second = seconds &- day &* 86_400
    let date = letters(ofDate: day)
    let colon = UInt64(UInt8(ascii: ":"))
    let hour = UInt64(UInt8(ascii: "T")) &<< 40 | two(second / 3_600) &<< 24 | colon &<< 16
    let rest = colon &<< 24 | two(second % 60) &<< 8 | UInt64(UInt8(ascii: "Z"))
    return Letters(
      words: (date.month, date.day &<< 48 | hour | two(second / 60 % 60)),
      rest: UInt32(truncatingIfNeeded: rest))
  }

  /// Appends `YYYY-MM-DDTHH:MM:SSZ`.
  package static func append(seconds: Int, to bytes: inout [UInt8]) {
    let letters = letters(ofSeconds: seconds)
    bytes.append(orderedWord: letters.words.0)
    bytes.append(orderedWord: letters.words.1)
    bytes.append(orderedWord: letters.rest)
  }

  package static func date(_ day: Int) -> String {
    var bytes: [UInt8] = []
    append(day: day, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// `HH:MM` of a second of the day.
  package static func time(_ second: Int) -> String {
    var bytes: [UInt8] = []
    append(two: two(second / 3_600), to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    append(two: two(second / 60 % 60), to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The day number of `YYYY-MM-DD`; nil if the text is not such a date.
  package static func day(_ text: Span<UInt8>) -> Int? {
    var reader = DigitReader()
    guard text.count == 10, let year = reader.number(text, 4), reader.consume(text, "-"),
      let month = reader.number(text, 2), reader.consume(text, "-"), let day = reader.number(text, 2),
      (1...12).contains(month), day >= 1, day <= Civil.days(inMonth: month, of: year)
    else { return nil }
    return Civil.day(year, month, day)
  }

  package static func day(_ text: String) -> Int? { day(Array(text.utf8).span) }

  /// `Mon` to `Sun`.
  package static func weekday(_ day: Int) -> String { weekdays[weekdayIndex(day)] }

  /// The weekday as a number, 0 for Monday; day 0 is a Thursday.
  package static func weekdayIndex(_ day: Int) -> Int { ((day + 3) % 7 + 7) % 7 }

  package static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

  package static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
  ]

  /// A number as two digits.
  @inline(__always)
  private static func two(_ number: Int) -> UInt64 {
    0x3030 &+ UInt64(truncatingIfNeeded: number / 10) &<< 8 &+ UInt64(truncatingIfNeeded: number % 10)
  }

  @inline(__always)
  private static func append(two letters: UInt64, to bytes: inout [UInt8]) {
    bytes.append(UInt8(truncatingIfNeeded: letters &>> 8))
    bytes.append(UInt8(truncatingIfNeeded: letters))
  }
}
