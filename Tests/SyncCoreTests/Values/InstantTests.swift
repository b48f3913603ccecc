import Foundation
import SyncCore
import TestSupport
import Testing

@Suite struct InstantTests {
  private static let first: Int64 = -62_167_219_200
  private static let last: Int64 = 253_402_300_799

  private static func random(_ random: inout SplitMix64) -> Instant {
    let nanoseconds = random.pick([
      0, 1, 999_999_999, 500_000_000, 1_000, 123_000_000, 123_456_000, 123_456_789,
    ])
    let seconds =
      random.oneIn(4) ? random.pick([first, last, -1, 0, 1]) : Int64.random(in: first...last, using: &random)
    return Instant(seconds: seconds, nanoseconds: Int32(nanoseconds))!
  }

  @Test(arguments: Tries.seeds(200))
  func printsWhatItReads(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<50 {
      let instant = Self.random(&random)
      #expect(Instant(instant.description) == instant)
    }
  }

  /// The order of the texts, which all have the same form up to the fraction, is the order of the instants.
  @Test(arguments: UInt64(1)...50)
  func laterIsLarger(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<50 {
      let (a, b) = (Self.random(&random), Self.random(&random))
      let isEarlier = (a.seconds, a.nanoseconds) < (b.seconds, b.nanoseconds)
      #expect((a < b) == isEarlier, "\(a) \(b)")
      if a.seconds != b.seconds { #expect((a.description < b.description) == isEarlier, "\(a) \(b)") }
    }
  }

  /// From 1583 on, where Foundation's calendar is Gregorian in every version.
  @Test(arguments: UInt64(1)...50)
  func agreesWithFoundation(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let formatter = ISO8601DateFormatter()
    for _ in 0..<20 {
      let seconds = Int64.random(in: -12_212_467_200...Self.last - 86_400, using: &random)
      let minutes = Int.random(in: -1_439...1_439, using: &random)
      let local = Date(timeIntervalSince1970: Double(seconds + Int64(minutes * 60)))
      let offset = [abs(minutes) / 60, abs(minutes) % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
      let text =
        formatter.string(from: local).dropLast() + (minutes < 0 ? "-" : "+") + offset.joined(separator: ":")
      #expect(Instant(String(text)) == Instant(seconds: seconds), "\(text)")
      let printed = try #require(Instant(seconds: seconds)).description.replacing(".000Z", with: "Z")
      #expect(formatter.date(from: printed)?.timeIntervalSince1970 == Double(seconds), "\(printed)")
    }
  }

  @Test func boundsAreTheYears0To9999() {
    #expect(Instant(seconds: Self.first)?.description == "0000-01-01T00:00:00.000Z")
    #expect(
      Instant(seconds: Self.last, nanoseconds: 999_999_999)?.description == "9999-12-31T23:59:59.999999999Z")
    #expect(Instant(seconds: Self.first - 1) == nil)
    #expect(Instant(seconds: Self.last + 1) == nil)
    #expect(Instant(seconds: 0, nanoseconds: 1_000_000_000) == nil)
    #expect(Instant(seconds: 0, nanoseconds: -1) == nil)
    #expect(Instant(seconds: .max) == nil)
    #expect(Instant(seconds: .min) == nil)
  }

  @Test(arguments: [
    ("1970-01-01T00:00:00Z", "1970-01-01T00:00:00.001Z"),
    ("1969-12-31T23:59:59.999Z", "1970-01-01T00:00:00.000Z"),
    ("2024-02-29T23:59:59.999999999Z", "2024-03-01T00:00:00.000999999Z"),
    ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00.001Z"),
    ("9999-12-31T23:59:59.998999999Z", "9999-12-31T23:59:59.999999999Z"),
    ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999999999Z"),
    ("9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999999999Z"),
  ])
  func oneMillisecondLater(text: String, later: String) {
    #expect(Instant(text)?.advanced(by: .milliseconds(1)).description == later)
  }

  @Test(arguments: [
    ("2026-01-01T00:00:00Z", Duration.milliseconds(-500), "2025-12-31T23:59:59.500Z"),
    ("2026-01-01T00:00:00.600Z", .milliseconds(-500), "2026-01-01T00:00:00.100Z"),
    ("2026-01-01T00:00:00Z", .seconds(-86_400 * 800_000), "0000-01-01T00:00:00.000Z"),
    ("2026-01-01T00:00:00Z", .seconds(Int64.min), "0000-01-01T00:00:00.000Z"),
    ("2026-01-01T00:00:00Z", .seconds(Int64.max), "9999-12-31T23:59:59.999999999Z"),
  ])
  func earlierAndFarAway(text: String, duration: Duration, other: String) {
    #expect(Instant(text)?.advanced(by: duration).description == other)
  }

  @Test(arguments: [
    ("1970-01-01T00:00:00.123999999Z", "1970-01-01T00:00:00.123Z"),
    ("1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999Z"),
    ("1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z"),
  ])
  func inMilliseconds(text: String, cut: String) {
    #expect(Instant(text)?.inMilliseconds.description == cut)
  }

  @Test(arguments: Tries.seeds(100))
  func damagedTextsNeverCrash(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<100 {
      var text = Array(Self.random(&random).description.utf8)
      text[Int.random(in: 0..<text.count, using: &random)] = random.pick(
        Array("0129-+:.TZtz ".utf8) + [0, 0xff])
      if random.oneIn(3) { text.removeLast(Int.random(in: 0...text.count, using: &random)) }
      if let instant = Instant(rfc3339: text.span) { #expect(Instant(instant.description) == instant) }
    }
  }
}
