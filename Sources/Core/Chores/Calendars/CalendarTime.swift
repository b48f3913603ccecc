import SyncCore

/// A date, or a date and time, of RFC 5545: a local time in some zone.
struct CalendarTime: Equatable {
  /// The local time in seconds since 1970, as if it were UTC; for a date, its midnight.
  var wall: Int
  var isDate: Bool
  var isUTC: Bool

  /// Reads `20260112`, `20260112T090000` or `20260112T090000Z`; nil for text in any other form.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    isUTC = bytes.last == UInt8(ascii: "Z")
    isDate = bytes.count == 8
    guard isDate || bytes.count == (isUTC ? 16 : 15) && bytes[8] == UInt8(ascii: "T"),
      let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[4..<6]),
      let day = Self.number(bytes[6..<8]), (1...12).contains(month),
      day >= 1, day <= Civil.days(inMonth: month, of: year)
    else { return nil }
    wall = Civil.day(year, month, day) * 86_400
    if isDate { return }
    guard let hour = Self.number(bytes[9..<11]), let minute = Self.number(bytes[11..<13]),
      let second = Self.number(bytes[13..<15]), hour < 24, minute < 60, second <= 60
    else { return nil }
    wall += hour * 3_600 + minute * 60 + min(second, 59)
  }

  /// Reads a duration such as `PT1H30M`, `P1W` or `P1DT2H`; days are returned separately, as some do not have
  /// 24 hours.
  static func duration(_ text: String) -> (days: Int, seconds: Int)? {
    var rest = Array(text.utf8)[...]
    if rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    guard rest.popFirst() == UInt8(ascii: "P"), !rest.isEmpty else { return nil }
    var (days, seconds, isTime) = (0, 0, false)
    while let first = rest.first {
      if first == UInt8(ascii: "T"), !isTime {
        isTime = true
        rest.removeFirst()
        continue
      }
      let digits = rest.prefix { $0 &- 48 < 10 }
      guard digits.count <= 9, let number = number(digits) else { return nil }
      rest = rest.dropFirst(digits.count)
      switch (rest.popFirst(), isTime) {
      case (UInt8(ascii: "W"), false): days += number * 7
      case (UInt8(ascii: "D"), false): days += number
      case (UInt8(ascii: "H"), true): seconds += number * 3_600
      case (UInt8(ascii: "M"), true): seconds += number * 60
      case (UInt8(ascii: "S"), true): seconds += number
      default: return nil
      }
    }
    return (days, seconds)
  }

  /// Reads an offset such as `+0100` or `-013015` as seconds east of UTC.
  static func offset(_ text: String) -> Int? {
    let bytes = Array(text.utf8)
    guard bytes.count == 5 || bytes.count == 7,
      bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"),
      let hours = number(bytes[1..<3]), let minutes = number(bytes[3..<5]),
      let seconds = bytes.count == 7 ? number(bytes[5..<7]) : 0, hours < 24, minutes < 60, seconds < 60
    else { return nil }
    let offset = hours * 3_600 + minutes * 60 + seconds
    return bytes[0] == UInt8(ascii: "-") ? -offset : offset
  }

  /// `20260112T090000`.
  static func text(_ wall: Int) -> String {
    let day = Civil.floorDivide(wall, 86_400)
    let text = CivilText.date(day).filter { $0 != "-" }
    let second = wall - day * 86_400
    return text + "T" + CivilText.time(second).filter { $0 != ":" } + (second % 60 < 10 ? "0" : "")
      + String(second % 60)
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard !digits.isEmpty, digits.allSatisfy({ $0 &- 48 < 10 }) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
  }
}

extension Zone {
  /// The instant of a local time, in seconds since 1970.
  func seconds(wall: Int) -> Int {
    let day = Civil.floorDivide(wall, 86_400)
    return seconds(day: day, second: wall - day * 86_400)
  }

  /// The local time at an instant, both in seconds.
  func wall(_ seconds: Int) -> Int {
    guard let instant = Instant(seconds: Int64(seconds)) else { return seconds }
    let local = local(instant)
    return local.day * 86_400 + local.second
  }
}
