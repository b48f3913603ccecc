@testable import Chores
import Foundation
@testable import SyncCore
import TestSupport
import Testing

/// Quiet hours on all nights of a clock change, in the zones of the system.
@Suite(.enabled(if: SystemZones.areInstalled, "needs the system's time zones")) struct QuietZoneTests {
  private static let year = 1_767_225_600..<Int64(1_798_761_600)
  /// 1970 to 2037.
  private static let allYears = 0..<Int64(2_145_916_800)

  /// Zones whose clocks change in the evening, at midnight, at night and in the morning, by half an hour too.
  @Test(arguments: [
    "Europe/Paris", "Atlantic/Azores", "America/New_York", "America/Santiago", "Africa/Cairo", "Asia/Beirut",
    "Australia/Lord_Howe", "Antarctica/Troll",
  ])
  func nightsOf2026(name: String) throws {
    let zone = try #require(try Self.zone(name))
    let changes = Self.changes(zone, Self.year)
    #expect(!changes.isEmpty)
    for change in changes { try check(name, zone, change, trials: 2, step: 37) }
  }

  @Test(.enabled(if: Tries.isSoak, "SOAK=1 runs it"))
  func someNightsOfAllZones() throws {
    let files = try #require(FileManager.default.enumerator(atPath: SystemZones.folder))
    var zones = 0
    // Many names are links to one zone.
    var seen: Set<Data> = []
    for case let name as String in files where !name.hasPrefix("posix/") {
      guard let data = try? Data(contentsOf: Self.url(name)), seen.insert(data).inserted,
        let zone = try Self.zone(name)
      else { continue }
      zones += 1
      var random = SplitMix64(seed: UInt64(zones))
      for change in Self.changes(zone, Self.allYears).shuffled(using: &random).prefix(20) {
        try check(name, zone, change, trials: 1, step: 61)
      }
    }
    #expect(zones > 300)
  }

  /// Quiet hours that begin or end near the change of the clocks are right to the minute.
  private func check(_ name: String, _ zone: Zone, _ change: Int64, trials: Int, step: Int) throws {
    let second = zone.local(try #require(Instant(seconds: change))).second
    var random = SplitMix64(seed: UInt64(bitPattern: change))
    for _ in 0..<trials {
      let edges = (0..<2).map { _ in
        let minute = (second / 60 + Int.random(in: -180...180, using: &random) + 1_440) % 1_440
        return (minute / 60 < 10 ? "0" : "") + "\(minute / 60):" + (minute % 60 < 10 ? "0" : "")
          + "\(minute % 60)"
      }
      guard let hours = QuietHours(edges.joined(separator: "-")) else { continue }
      try QuietNight(hours, zone, around: change).check("\(name) \(edges) around \(change)", step: step)
    }
  }

  private static func url(_ name: String) -> URL { URL(filePath: "\(SystemZones.folder)/\(name)") }

  /// Nil if the file is not that of a zone, or is of one whose clocks count leap seconds.
  private static func zone(_ name: String) throws -> Zone? {
    guard let data = try? Data(contentsOf: url(name)), let file = ZoneFile(Array(data).span) else {
      return nil
    }
    return Zone { file.offset(at: $0) }
  }

  /// The moments at which clocks are moved by whole minutes, found day by day.
  private static func changes(_ zone: Zone, _ moments: Range<Int64>) -> [Int64] {
    func offset(_ seconds: Int64) -> Int64 {
      guard let instant = Instant(seconds: seconds) else { return 0 }
      let (day, second) = zone.local(instant)
      return Int64(day) * 86_400 + Int64(second) - seconds
    }
    return stride(from: moments.lowerBound, to: moments.upperBound, by: 86_400).compactMap { start in
      var (low, high) = (start, start + 86_400)
      let before = offset(low)
      guard offset(high) != before, before % 60 == 0, offset(high) % 60 == 0 else { return nil }
      while high - low > 1 {
        let middle = (low + high) / 2
        if offset(middle) == before { low = middle } else { high = middle }
      }
      return high % 60 == 0 ? high : nil
    }
  }
}
