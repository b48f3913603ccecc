@testable import Chores
import Foundation
import SyncCore
import TestSupport
import Testing

/// Quiet hours against clocks that jump, in zones of Foundation.
@Suite struct QuietHoursTests {
  private static func zone(_ name: String) throws -> Zone {
    let zone = try #require(TimeZone(identifier: name))
    return Zone { zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0))) }
  }

  private func end(_ hours: String, _ from: String, _ zone: String) throws -> String? {
    try #require(QuietHours(hours)).end(from: try #require(Instant(from)), in: try Self.zone(zone))?.brief
  }

  @Test func overMidnightAndWithinADay() throws {
    #expect(try end("22:00-07:00", "2026-01-10T20:59:59Z", "Europe/Paris") == nil)
    #expect(try end("22:00-07:00", "2026-01-10T21:00:00Z", "Europe/Paris") == "2026-01-11T06:00:00Z")
    #expect(try end("22:00-07:00", "2026-01-11T05:59:59Z", "Europe/Paris") == "2026-01-11T06:00:00Z")
    #expect(try end("22:00-07:00", "2026-01-11T06:00:00Z", "Europe/Paris") == nil)
    #expect(try end("13:00-15:00", "2026-01-10T12:30:00Z", "Europe/Paris") == "2026-01-10T14:00:00Z")
  }

  @Test func nightsThatAreShorterOrLonger() throws {
    #expect(try end("22:00-07:00", "2026-03-28T22:00:00Z", "Europe/Paris") == "2026-03-29T05:00:00Z")
    #expect(try end("22:00-07:00", "2026-10-24T21:00:00Z", "Europe/Paris") == "2026-10-25T06:00:00Z")
  }

  @Test func anEndThatClocksJumpOverIsTheJump() throws {
    #expect(try end("22:00-02:30", "2026-03-28T22:00:00Z", "Europe/Paris") == "2026-03-29T01:00:00Z")
  }

  @Test func anEndThatComesTwiceIsTheOneAhead() throws {
    #expect(try end("22:00-02:30", "2026-10-24T23:00:00Z", "Europe/Paris") == "2026-10-25T00:30:00Z")
    // Put back to 02:00, it is quiet once more.
    #expect(try end("22:00-02:30", "2026-10-25T01:10:00Z", "Europe/Paris") == "2026-10-25T01:30:00Z")
  }

  /// The end is the first loud minute, found by trying one after the other.
  @Test(arguments: [
    "Europe/Paris", "America/New_York", "Australia/Lord_Howe", "America/St_Johns", "Asia/Kathmandu",
  ])
  func theEndIsTheFirstLoudMinute(name: String) throws {
    let zone = try Self.zone(name)
    var random = SplitMix64(seed: 3)
    for _ in 0..<400 {
      let texts = (0..<2).map { _ in
        let minute = Int.random(in: 0..<1_440, using: &random)
        return "\(Self.two(minute / 60)):\(Self.two(minute % 60))"
      }
      guard let hours = QuietHours("\(texts[0])-\(texts[1])") else { continue }
      let start = Int64.random(in: 29_000_000...29_800_000, using: &random) * 60
      let moment = try #require(Instant(seconds: start))
      var (expected, minute) = (moment, start)
      while hours.contains(expected, in: zone) {
        minute += 60
        expected = try #require(Instant(seconds: minute))
      }
      let found = hours.end(from: moment, in: zone)
      #expect(found ?? moment == expected, "\(texts) at \(moment) in \(name)")
    }
  }

  /// On nights of a clock change: 21:30 to 02:30 has two ends in Paris, and the Azores have no midnight.
  @Test(arguments: [
    ("Europe/Paris", "2026-10-25T01:00:00Z", "21:30-02:30"),
    ("Atlantic/Azores", "2026-03-29T01:00:00Z", "00:00-07:00"),
    ("Atlantic/Azores", "2026-03-29T01:00:00Z", "22:00-00:30"),
    ("Pacific/Apia", "2011-12-30T10:00:00Z", "22:00-07:00"),
  ])
  func clockChangesByBruteForce(name: String, change: String, hours: String) throws {
    let change = try #require(Instant(change))
    try QuietNight(try #require(QuietHours(hours)), try Self.zone(name), around: change.seconds).check(name)
  }

  private static func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }

  @Test(arguments: [
    "", "22:00", "22:00-", "2:00-07:00", "22:00-24:00", "22:60-07:00", "07:00-07:00", "22:00-07:00 ",
  ])
  func otherTextsAreNone(text: String) { #expect(QuietHours(text) == nil) }
}
