import JSONLines

extension Instant {
  /// The instant as JSON, in the form of the clock at `raw`, rounded up to that clock's unit.
  ///
  /// Nil if the clock is only a date, or if its form cannot represent the instant.
  package func respelled(like text: Span<UInt8>, _ raw: Range<Int>) -> [UInt8]? {
    let spelled =
      text.isString(raw)
      ? respelled(like: Array(JSONString.decoded(text, raw.lowerBound + 1..<raw.upperBound - 1).utf8))
      : respelled(likeNumber: text, raw)
    guard let spelled, let read = Clock.instant(spelled.span, 0..<spelled.count),
      read >= self, read <= advanced(by: .seconds(1))
    else { return nil }
    return spelled
  }

  /// The instant, rounded up so that its fraction of a second has at most this many digits, 0 to 9.
  private func roundedUp(toDigits digits: Int) -> Instant? {
    let unit = (digits..<9).reduce(Int32(1)) { unit, _ in unit * 10 }
    let over = nanoseconds % unit
    guard over > 0 else { return self }
    let next = nanoseconds - over + unit
    return next == 1_000_000_000
      ? Instant(seconds: seconds + 1) : Instant(seconds: seconds, nanoseconds: next)
  }

  private func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  // MARK: Numbers

  /// The seconds or milliseconds since 1970, with as many digits after the point as the number at `raw`.
  private func respelled(likeNumber text: Span<UInt8>, _ raw: Range<Int>) -> [UInt8]? {
    let decimals = Self.decimals(text, raw)
    let scale = Clock.isInMilliseconds(text, raw) ? 3 : 0
    guard seconds >= 0, let rounded = roundedUp(toDigits: min(scale + decimals, 9)) else { return nil }
    let digits = Array((padded(rounded.seconds, 1) + padded(Int64(rounded.nanoseconds), 9)).utf8)
    let point = digits.count - 9 + scale
    let whole = digits[..<point].drop { $0 == UInt8(ascii: "0") }
    var bytes = whole.isEmpty ? [UInt8(ascii: "0")] : Array(whole)
    if decimals > 0 { bytes += [UInt8(ascii: ".")] + digits[point...].prefix(decimals) }
    return bytes
  }

  /// How many digits a number has after its point; 0 if it has an exponent.
  private static func decimals(_ text: Span<UInt8>, _ raw: Range<Int>) -> Int {
    var decimals = 0
    var isBehindPoint = false
    for index in raw {
      switch text[index] {
      case UInt8(ascii: "."): isBehindPoint = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"): return 0
      default: if isBehindPoint { decimals += 1 }
      }
    }
    return decimals
  }

  // MARK: Texts

  /// The instant as text, in which the date and time, the fraction and the offset have the style of `form`.
  private func respelled(like form: [UInt8]) -> [UInt8]? {
    // `YYYYMMDDTHHMMSSZ`; a date has 10 characters.
    let isBasic = form.count == 16 && form[8] == UInt8(ascii: "T")
    guard isBasic || form.count >= 19 else { return nil }
    let fraction = isBasic ? [] : form.dropFirst(20).prefix { (48...57).contains($0) }
    let hasFraction = !isBasic && form.count > 19 && form[19] == UInt8(ascii: ".")
    let digits = hasFraction ? min(fraction.count, 9) : 0
    let offset = isBasic ? form[15...] : form[(hasFraction ? 20 + fraction.count : 19)...]
    guard let minutes = Self.minutes(offset), let rounded = roundedUp(toDigits: digits),
      let local = Instant(seconds: rounded.seconds + Int64(minutes * 60))
    else { return nil }
    var time = Array(local.description.utf8.prefix(19))
    time[10] = isBasic ? UInt8(ascii: "T") : form[10]
    if isBasic { time.removeAll { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ":") } }
    var bytes = [UInt8(ascii: "\"")] + time
    if digits > 0 {
      bytes += [UInt8(ascii: ".")] + padded(Int64(rounded.nanoseconds), 9).utf8.prefix(digits)
    }
    return bytes + offset + [UInt8(ascii: "\"")]
  }

  /// The offset east of UTC, from the end of a valid clock.
  private static func minutes(_ offset: ArraySlice<UInt8>) -> Int? {
    if offset.isEmpty { return 0 }
    let bytes = Array(offset)
    var reader = DigitReader()
    return reader.offset(bytes.span)
  }
}
