@testable import Chores
@testable import SyncCore
import Testing

/// Quiet hours in the two days around a clock change, against clocks that are looked at every minute.
struct QuietNight {
  private let hours: QuietHours
  private let zone: Zone
  private let first: Int64
  /// For each minute from `first` on, whether clocks show a quiet hour.
  private let isQuiet: [Bool]

  init(_ hours: QuietHours, _ zone: Zone, around change: Int64) throws {
    (self.hours, self.zone) = (hours, zone)
    let first = (change - 86_400) / 60 * 60
    self.first = first
    isQuiet = try (0..<4_320).map { hours.contains(try Self.instant(first, $0), in: zone) }
  }

  /// `step` is how many minutes lie between the moments whose end is asked for.
  func check(_ label: String, step: Int = 7) throws {
    // The last day is there for the ends of what began before.
    for minute in stride(from: 0, to: 2_880, by: step) {
      guard isQuiet[minute] else {
        #expect(hours.end(from: try moment(minute), in: zone) == nil, "\(label) at minute \(minute)")
        continue
      }
      let end = try #require(isQuiet[minute...].firstIndex(of: false))
      #expect(
        hours.end(from: try moment(minute), in: zone) == (try moment(end)), "\(label) at minute \(minute)")
    }
    let begins = try #require(isQuiet.firstIndex(of: false))
    let found = hours.intervals(after: try moment(begins), before: try moment(2_880), in: zone)
    #expect(found == (try intervals(after: begins, before: 2_880)), "\(label)")
  }

  private func intervals(after first: Int, before last: Int) throws -> [Range<Instant>] {
    try (first + 1..<last).filter { isQuiet[$0] && !isQuiet[$0 - 1] }.map { begin in
      try moment(begin)..<moment(try #require(isQuiet[begin...].firstIndex(of: false)))
    }
  }

  private func moment(_ minute: Int) throws -> Instant { try Self.instant(first, minute) }

  private static func instant(_ first: Int64, _ minute: Int) throws -> Instant {
    try #require(Instant(seconds: first + Int64(minute) * 60))
  }
}
