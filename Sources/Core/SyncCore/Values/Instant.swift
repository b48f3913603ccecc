/// A moment: seconds since 1970-01-01T00:00:00Z without leap seconds, and nanoseconds.
///
/// Always within the years 0000 to 9999, so that every instant has an RFC 3339 form.
public struct Instant: Hashable, Comparable, Sendable {
  /// Whole seconds, rounded toward minus infinity.
  public let seconds: Int64
  /// 0 ..< 1,000,000,000.
  public let nanoseconds: Int32

  /// 0000-01-01T00:00:00Z.
  private static let first: Int64 = -62_167_219_200
  /// 9999-12-31T23:59:59Z.
  private static let last: Int64 = 253_402_300_799

  /// Nil outside the years 0000 to 9999.
  public init?(seconds: Int64, nanoseconds: Int32 = 0) {
    guard (Self.first...Self.last).contains(seconds), (0..<1_000_000_000).contains(nanoseconds) else {
      return nil
    }
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// 1970-01-01T00:00:00Z.
  package static let epoch = Instant(unchecked: 0, nanoseconds: 0)

  private init(unchecked seconds: Int64, nanoseconds: Int32) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// Earlier comes first.
  public static func < (a: Instant, b: Instant) -> Bool {
    (a.seconds, a.nanoseconds) < (b.seconds, b.nanoseconds)
  }

  /// So much later; what would be after the last instant of all is that instant.
  package func advanced(by duration: Duration) -> Instant {
    let (whole, attoseconds) = duration.components
    let nanoseconds = Int64(nanoseconds) + attoseconds / 1_000_000_000
    let (sum, isBeyond) = seconds.addingReportingOverflow(whole)
    let last = Instant(unchecked: Self.last, nanoseconds: 999_999_999)
    guard !isBeyond, sum <= Self.last else { return last }
    let carry = nanoseconds / 1_000_000_000
    return Instant(seconds: sum + carry, nanoseconds: Int32(nanoseconds % 1_000_000_000)) ?? last
  }

  /// Without what is finer than a millisecond.
  package var inMilliseconds: Instant {
    Instant(seconds: seconds, nanoseconds: nanoseconds / 1_000_000 * 1_000_000) ?? self
  }
}
