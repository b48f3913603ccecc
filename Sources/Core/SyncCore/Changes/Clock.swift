import JSONLines

/// The reading of a clock member.
package enum Clock {
  /// From here up a number is milliseconds since 1970, below it seconds.
  private static let firstMillisecond: Int64 = 100_000_000_000

  /// The instant at `raw`, a date-time in a string or an epoch number; nil where it is neither.
  package static func instant(_ text: Span<UInt8>, _ raw: Range<Int>) -> Instant? {
    switch JSONKind(firstByte: text[raw.lowerBound]) {
    case .string: date(text, raw.lowerBound + 1..<raw.upperBound - 1)
    case .number: number(ExactDecimal(text, raw))
    default: nil
    }
  }

  /// The same without the spellings that have no offset.
  ///
  /// Other implementations do not read those on a wire, and in a chore they could mean another day.
  package static func rfc3339Instant(_ text: Span<UInt8>, _ raw: Range<Int>) -> Instant? {
    guard text.isString(raw) else { return instant(text, raw) }
    let content = raw.lowerBound + 1..<raw.upperBound - 1
    return Instant(usual: text, content) ?? Instant(JSONString.decoded(text, content))
  }

  /// The instant at `raw`, the value of the member named.
  static func require(
    _ text: Span<UInt8>, _ raw: Range<Int>, _ name: @autoclosure () -> String
  ) throws(ChangeError) -> Instant {
    guard let instant = instant(text, raw) else { throw .invalidClock(member: name()) }
    return instant
  }

  private static func date(_ text: Span<UInt8>, _ content: Range<Int>) -> Instant? {
    if let usual = Instant(usual: text, content) { return usual }
    guard ByteSearch.firstIndex(of: UInt8(ascii: "\\"), in: text, content) != nil else {
      return Instant(spelled: text.extracting(content))
    }
    var decoded: [UInt8] = []
    JSONString.appendDecoded(text, content, to: &decoded)
    return Instant(spelled: decoded.span)
  }

  /// Whether the number at `raw` counts milliseconds, not seconds.
  static func isInMilliseconds(_ text: Span<UInt8>, _ raw: Range<Int>) -> Bool {
    (ExactDecimal(text, raw).parts(timesTenToThe: 0)?.whole ?? 0) >= firstMillisecond
  }

  private static func number(_ value: ExactDecimal) -> Instant? {
    guard var parts = value.parts(timesTenToThe: 0) else { return nil }
    if parts.whole >= firstMillisecond {
      guard let seconds = value.parts(timesTenToThe: -3) else { return nil }
      parts = seconds
    }
    return Instant(seconds: parts.whole, nanoseconds: parts.billionths)
  }
}
