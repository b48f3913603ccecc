extension Instant {
  /// Reads an RFC 3339 date-time: any offset, 0 to 9 fraction digits (more are cut), `T` and `Z` in either case.
  ///
  /// A second of 60 is taken at 23:59 UTC only (RFC 3339 §5.7), and is the first instant of the next day.
  package init?(rfc3339 text: Span<UInt8>) {
    var reader = DigitReader()
    guard let year = reader.number(text, 4), reader.take(text, "-"), let month = reader.number(text, 2),
      reader.take(text, "-"), let day = reader.number(text, 2), reader.take(text, "T", "t"),
      let hour = reader.number(text, 2), reader.take(text, ":"), let minute = reader.number(text, 2),
      reader.take(text, ":"), let second = reader.number(text, 2), let nanoseconds = reader.fraction(text),
      let offset = reader.offset(text), reader.position == text.count,
      (1...12).contains(month), day >= 1, day <= Civil.days(inMonth: month, of: year),
      hour < 24, minute < 60, second <= 60
    else { return nil }
    let minutes = Civil.day(year, month, day) * 1_440 + hour * 60 + minute - offset
    if second == 60, (minutes % 1_440 + 1_440) % 1_440 != 1_439 { return nil }
    self.init(seconds: Int64(minutes * 60 + second), nanoseconds: Int32(nanoseconds))
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

/// Takes fixed pieces off the front of a text; the text is given each time because a span cannot be kept.
private struct DigitReader {
  private(set) var position = 0

  mutating func take(_ text: Span<UInt8>, _ letters: Unicode.Scalar...) -> Bool {
    guard position < text.count, letters.contains(where: { UInt8(ascii: $0) == text[position] }) else {
      return false
    }
    position += 1
    return true
  }

  /// Exactly `count` digits.
  mutating func number(_ text: Span<UInt8>, _ count: Int) -> Int? {
    var number = 0
    for _ in 0..<count {
      guard let digit = digit(text) else { return nil }
      number = number * 10 + digit
    }
    return number
  }

  /// Nanoseconds: nothing, or a point and at least one digit.
  mutating func fraction(_ text: Span<UInt8>) -> Int? {
    guard take(text, ".") else { return 0 }
    guard var number = digit(text) else { return nil }
    var count = 1
    while let digit = digit(text) {
      if count < 9 { number = number * 10 + digit }
      count += 1
    }
    for _ in count..<max(count, 9) { number *= 10 }
    return number
  }

  /// Minutes east of UTC.
  mutating func offset(_ text: Span<UInt8>) -> Int? {
    if take(text, "Z", "z") { return 0 }
    let isWest = take(text, "-")
    guard isWest || take(text, "+"), let hours = number(text, 2), take(text, ":"),
      let minutes = number(text, 2),
      hours < 24, minutes < 60
    else { return nil }
    return (hours * 60 + minutes) * (isWest ? -1 : 1)
  }

  private mutating func digit(_ text: Span<UInt8>) -> Int? {
    guard position < text.count, text[position] &- 48 < 10 else { return nil }
    defer { position += 1 }
    return Int(text[position] - 48)
  }
}
