/// A point in time: seconds since 1970-01-01T00:00:00Z without leap seconds, and nanoseconds.
///
/// An instant is always within the years 0000 to 9999, so it has an RFC 3339 form.
public struct Instant: Hashable, Comparable, Sendable {
  /// Whole seconds, rounded toward minus infinity.
  public let seconds: Int64
  /// The nanoseconds after the whole second, from 0 to 999,999,999.
  public let nanoseconds: Int32

  /// 0000-01-01T00:00:00Z.
  private static let first: Int64 = -62_167_219_200
  /// 9999-12-31T23:59:59Z.
  private static let last: Int64 = 253_402_300_799

  /// The instant at this time since 1970; nil outside the years 0000 to 9999.
  public init?(seconds: Int64, nanoseconds: Int32 = 0) {
    guard (Self.first...Self.last).contains(seconds), (0..<1_000_000_000).contains(nanoseconds) else {
      return nil
    }
    (self.seconds, self.nanoseconds) = (seconds, nanoseconds)
  }

  /// A system clock's reading, cut to milliseconds; ends the process outside the years 0000 to 9999.
  package init(clock reading: (seconds: Int64, nanoseconds: Int32)) {
    guard let instant = Instant(seconds: reading.seconds, nanoseconds: reading.nanoseconds) else {
      preconditionFailure("the system clock is outside the years 0000 to 9999")
    }
    self = instant.inMilliseconds
  }

  /// 1970-01-01T00:00:00Z.
  package static let epoch = Instant(unchecked: 0, nanoseconds: 0)

  private init(unchecked seconds: Int64, nanoseconds: Int32) {
    (self.seconds, self.nanoseconds) = (seconds, nanoseconds)
  }

  /// Whether `a` is earlier than `b`.
  public static func < (a: Instant, b: Instant) -> Bool {
    (a.seconds, a.nanoseconds) < (b.seconds, b.nanoseconds)
  }

  /// The instant this much later, limited to the first and the last instant.
  public func advanced(by duration: Duration) -> Instant {
    let (whole, attoseconds) = duration.components
    let nanoseconds = Int64(nanoseconds) + attoseconds / 1_000_000_000
    let carry: Int64 = nanoseconds < 0 ? -1 : nanoseconds / 1_000_000_000
    let first = Instant(unchecked: Self.first, nanoseconds: 0)
    let limit = duration < .zero ? first : Instant(unchecked: Self.last, nanoseconds: 999_999_999)
    let (sum, isBeyond) = seconds.addingReportingOverflow(whole)
    guard !isBeyond, (Self.first...Self.last).contains(sum) else { return limit }
    return Instant(seconds: sum + carry, nanoseconds: Int32(nanoseconds - carry * 1_000_000_000)) ?? limit
  }

  /// The instant cut to milliseconds.
  package var inMilliseconds: Instant {
    Instant(seconds: seconds, nanoseconds: nanoseconds / 1_000_000 * 1_000_000) ?? self
  }
}

extension Instant {
  /// Reads an RFC 3339 date-time: any offset, 0 to 9 fraction digits (more are cut), `T` and `Z` in any case.
  ///
  /// A second of 60 is accepted only at 23:59 UTC (RFC 3339 §5.7), and is the first instant of the next day.
  package init?(rfc3339 text: Span<UInt8>) {
    var reader = DigitReader()
    guard let date = DateAndTime(text, &reader), let nanoseconds = reader.fraction(text),
      let offset = reader.offset(text), reader.position == text.count,
      let seconds = date.seconds(offset: offset)
    else { return nil }
    self.init(seconds: Int64(seconds), nanoseconds: date.second == 60 ? 0 : Int32(nanoseconds))
  }

  /// Reads an RFC 3339 date-time.
  public init?(_ text: String) {
    self.init(rfc3339: Array(text.utf8).span)
  }

  /// The instant in UTC with milliseconds, or with more digits if needed: `2026-11-20T10:00:00.000Z`.
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
