import SyncCore
import Testing

/// A clock that a store has to move is written in the form of the record's own clock, and never becomes
/// earlier.
@Suite struct RespellingTests {
  private func respelled(_ clock: String, to instant: String) throws -> String? {
    let (bytes, moment) = (Array(clock.utf8), try #require(Instant(instant)))
    return moment.respelled(like: bytes.span, 0..<bytes.count).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: [
    (#""2025-05-02T08:00:00Z""#, #""2025-05-02T08:00:01Z""#),
    (#""2025-05-02T08:00:00.000Z""#, #""2025-05-02T08:00:00.001Z""#),
    (#""2025-05-02t08:00:00.00000z""#, #""2025-05-02t08:00:00.00100z""#),
    (#""2025-05-02T10:00:00.5+02:00""#, #""2025-05-02T10:00:00.1+02:00""#),
    (#""2025-05-01T23:59:59-08:00""#, #""2025-05-02T00:00:01-08:00""#),
    (#""2025-05-02T08:00:00.000000000000Z""#, #""2025-05-02T08:00:00.001000000Z""#),
    (#""2025-05-02 08:00:00""#, #""2025-05-02 08:00:01""#),
    (#""2025-05-02 08:00:00.25""#, #""2025-05-02 08:00:00.01""#),
    (#""20250502T080000Z""#, #""20250502T080001Z""#),
    (#""2025-05-02T08:00:00\u005a""#, #""2025-05-02T08:00:01Z""#),
    ("1746172800", "1746172801"), ("1746172800.25", "1746172800.01"), ("1746172800000", "1746172800001"),
    ("1746172800000.5", "1746172800001.0"), ("1.7461728e9", "1746172801"),
  ])
  func theFormStays(clock: String, wanted: String) throws {
    #expect(try respelled(clock, to: "2025-05-02T08:00:00.001Z") == wanted)
  }

  @Test(arguments: [
    (#""2025-05-02T08:00:00Z""#, "2025-12-31T23:59:59.000000001Z", #""2026-01-01T00:00:00Z""#),
    ("1746172800", "2025-12-31T23:59:59.999999999Z", "1767225600"),
    ("1746172800.123456789", "1970-01-01T00:00:00.000000007Z", "0.000000007"),
  ])
  func theUnitIsRoundedUp(clock: String, instant: String, wanted: String) throws {
    #expect(try respelled(clock, to: instant) == wanted)
  }

  /// A date has no time of day; other forms cannot hold every instant.
  @Test(arguments: [
    (#""2025-05-02""#, "2025-05-02T08:00:00Z"), (#""2025-05-02T08:00:00Z""#, "9999-12-31T23:59:59.5Z"),
    (#""2025-05-02T08:00:00+02:00""#, "9999-12-31T23:59:59Z"), ("1746172800", "9999-12-31T23:59:59Z"),
    ("1746172800", "1969-12-31T23:59:59Z"), ("1746172800000", "1972-01-01T00:00:00Z"),
  ])
  func whatCannotBeWrittenStays(clock: String, instant: String) throws {
    #expect(try respelled(clock, to: instant) == nil)
  }
}
