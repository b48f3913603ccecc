import JSONLines

/// Dates and times as text, without the detour over strings.
package enum CivilText {
  /// Appends `YYYY-MM-DD`; the years are 0000 to 9999.
  package static func append(day: Int, to bytes: inout [UInt8]) {
    let (year, month, day) = Civil.date(of: day)
    appendTwo(abs(year) / 100 % 100, to: &bytes)
    appendTwo(abs(year) % 100, to: &bytes)
    bytes.append(UInt8(ascii: "-"))
    appendTwo(month, to: &bytes)
    bytes.append(UInt8(ascii: "-"))
    appendTwo(day, to: &bytes)
  }

  /// Appends `YYYY-MM-DDTHH:MM:SSZ`.
  package static func append(seconds: Int, to bytes: inout [UInt8]) {
    let second = (seconds % 86_400 + 86_400) % 86_400
    append(day: (seconds - second) / 86_400, to: &bytes)
    bytes.append(UInt8(ascii: "T"))
    appendTwo(second / 3_600, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    appendTwo(second / 60 % 60, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    appendTwo(second % 60, to: &bytes)
    bytes.append(UInt8(ascii: "Z"))
  }

  package static func date(_ day: Int) -> String {
    var bytes: [UInt8] = []
    append(day: day, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// `HH:MM` of a second of the day.
  package static func time(_ second: Int) -> String {
    var bytes: [UInt8] = []
    appendTwo(second / 3_600, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    appendTwo(second / 60 % 60, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The day number of `YYYY-MM-DD`; nil where the text is no such date.
  package static func day(_ text: Span<UInt8>) -> Int? {
    var reader = DigitReader()
    guard text.count == 10, let year = reader.number(text, 4), reader.take(text, "-"),
      let month = reader.number(text, 2), reader.take(text, "-"), let day = reader.number(text, 2),
      (1...12).contains(month), day >= 1, day <= Civil.days(inMonth: month, of: year)
    else { return nil }
    return Civil.day(year, month, day)
  }

  package static func day(_ text: String) -> Int? { day(Array(text.utf8).span) }

  /// `Mon` to `Sun`.
  package static func weekday(_ day: Int) -> String { weekdays[weekdayIndex(day)] }

  /// 0 for a Monday; day 0 is a Thursday.
  package static func weekdayIndex(_ day: Int) -> Int { ((day + 3) % 7 + 7) % 7 }

  package static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

  package static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
  ]

  @inline(__always)
  private static func appendTwo(_ number: Int, to bytes: inout [UInt8]) {
    bytes.append(UInt8(truncatingIfNeeded: 48 &+ number / 10))
    bytes.append(UInt8(truncatingIfNeeded: 48 &+ number % 10))
  }
}
