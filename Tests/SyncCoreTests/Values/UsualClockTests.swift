import SyncCore
import TestSupport
import Testing

/// The most common form of clocks is read separately, and has the meaning of RFC 3339.
@Suite struct UsualClockTests {
  @Test(arguments: [
    "1970-01-01T00:00:00Z", "2025-11-20T10:00:00.000Z", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z",
    "2024-02-29T12:34:56.789Z", "2000-02-29T00:00:00Z", "1900-02-28T23:59:59.001Z",
  ])
  func isReadByItself(_ text: String) {
    let bytes = Array(text.utf8)
    let usual = Instant(usual: bytes.span, 0..<bytes.count)
    #expect(usual != nil && usual == Instant(text))
  }

  @Test(arguments: [
    "2025-11-20T10:00:00.00Z", "2025-11-20t10:00:00Z", "2025-11-20T10:00:00z", "2025-11-20T10:00:00+00:00",
    "2016-12-31T23:59:60Z", "2025-02-29T00:00:00Z", "2025-11-20T24:00:00Z", "2025-13-01T00:00:00.000Z",
  ])
  func leavesTheOthers(_ text: String) {
    let bytes = Array(text.utf8)
    #expect(Instant(usual: bytes.span, 0..<bytes.count) == nil)
  }

  @Test(arguments: UInt64(1)...50)
  func isNeverAnythingElse(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<100 {
      let seconds = Int64.random(in: -62_167_219_200...253_402_300_799, using: &random)
      var bytes = Array(Instant(seconds: seconds, nanoseconds: 123_000_000)!.description.utf8)
      if random.oneIn(2) { bytes.removeSubrange(19..<23) }
      let instant = Instant(usual: bytes.span, 0..<bytes.count)
      #expect(instant != nil && instant == Instant(rfc3339: bytes.span))
      bytes[Int.random(in: bytes.indices, using: &random)] = random.pick([
        47, 48, 50, 57, 58, 84, 90, 0, 176, 255,
      ])
      guard let damaged = Instant(usual: bytes.span, 0..<bytes.count) else { continue }
      #expect(damaged == Instant(rfc3339: bytes.span), "\(bytes)")
    }
  }
}
