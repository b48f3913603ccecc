@testable import SyncCore
import Testing

/// Accepted clocks: up to now and the maximum, to the nanosecond.
@Suite struct DriftGuardTests {
  private func admits(_ clock: String?, now: String = "2025-05-02T10:00:00Z", maximum: Duration?) throws
    -> Bool
  {
    let guarding = DriftGuard(now: try #require(Instant(now)), maximum: maximum)
    var line = ChangeLine(kind: .change)
    line.clock = try clock.map { try #require(Instant($0)) }
    return guarding.admits(line)
  }

  @Test(arguments: [
    ("2025-05-02T10:05:00Z", true), ("2025-05-02T10:05:00.000000001Z", false),
    ("2025-05-02T10:04:59.999999999Z", true), ("2025-05-02T12:05:00+02:00", true),
    ("2025-05-02T12:05:00.000000001+02:00", false), ("0000-01-01T00:00:00Z", true),
    ("9999-12-31T23:59:59Z", false),
  ])
  func theLimitIsNowAndTheMaximum(clock: String, isAdmitted: Bool) throws {
    #expect(try admits(clock, maximum: .seconds(300)) == isAdmitted)
  }

  @Test func nowItselfMayHaveAFraction() throws {
    let now = "2025-05-02T10:00:00.999999999Z"
    #expect(try admits("2025-05-02T10:00:01.000999999Z", now: now, maximum: .milliseconds(1)))
    #expect(try !admits("2025-05-02T10:00:01.001000000Z", now: now, maximum: .milliseconds(1)))
  }

  @Test func zeroLetsThroughWhatIsNow() throws {
    #expect(try admits("2025-05-02T10:00:00Z", maximum: .zero))
    #expect(try !admits("2025-05-02T10:00:00.000000001Z", maximum: .zero))
  }

  @Test func offAndNoClockLetThrough() throws {
    #expect(try admits("9999-12-31T23:59:59.999999999Z", maximum: nil))
    #expect(try admits(nil, maximum: .zero))
  }

  @Test(arguments: [
    Duration.seconds(Int64.max),
    Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999),
    .seconds(1 << 40),
  ])
  func aMaximumBeyondTheLastInstantLetsAllThrough(maximum: Duration) throws {
    let now = "2025-05-02T10:00:00.999999999Z"
    #expect(try admits("9999-12-31T23:59:59.999999999Z", now: now, maximum: maximum))
  }
}
