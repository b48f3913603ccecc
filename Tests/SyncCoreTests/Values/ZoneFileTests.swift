import Foundation
import SyncCore
import TestSupport
import Testing

/// Compiled zones of the system, complete and damaged.
@Suite struct ZoneFileTests {
  static let names = [
    "Europe/Paris", "America/New_York", "Pacific/Auckland", "Asia/Kathmandu", "America/Sao_Paulo",
    "Pacific/Apia",
    "Africa/Casablanca", "Australia/Lord_Howe", "Etc/GMT+12", "Asia/Pyongyang",
  ]

  private func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: "\(SystemZones.folder)/\(name)")))
  }

  private func isZone(_ bytes: [UInt8]) -> Bool { ZoneFile(bytes.span) != nil }

  @Test(
    .enabled(if: SystemZones.areInstalled, "needs the system's time zones"), arguments: ZoneFileTests.names)
  func offsetsAreThoseOfFoundation(name: String) throws {
    let file = try bytes(name)
    let read = ZoneFile(file.span)
    let zone = try #require(read)
    let theirs = try #require(TimeZone(identifier: name))
    var random = SplitMix64(seed: 1)
    for _ in 0..<2_000 {
      let moment = Int64.random(in: -1_000_000_000...6_000_000_000, using: &random)
      let date = Date(timeIntervalSince1970: Double(moment))
      #expect(zone.offset(at: moment) == theirs.secondsFromGMT(for: date), "\(name) at \(date)")
    }
  }

  @Test(.enabled(if: SystemZones.areInstalled, "needs the system's time zones"))
  func whatIsCutOffIsNoZone() throws {
    let whole = try bytes("Europe/Paris")
    for count in 0..<whole.count {
      let isZone = isZone(Array(whole[..<count]))
      #expect(!isZone, "\(count) bytes")
    }
  }

  @Test(.enabled(if: SystemZones.areInstalled, "needs the system's time zones"))
  func flippedBytesDoNoHarm() throws {
    let whole = try bytes("Europe/Paris")
    for index in whole.indices {
      for bit in [0, 3, 7] {
        var damaged = whole
        damaged[index] ^= 1 << bit
        // Any answer shorter than a day is valid.
        let offset = ZoneFile(damaged.span)?.offset(at: 1_767_225_600) ?? 0
        #expect(abs(offset) < 8 * 86_400)
      }
    }
  }

  @Test func otherFilesAreNoZones() {
    #expect(!isZone([]))
    #expect(!isZone(Array("root:x:0:0:root:/root:/bin/bash\n".utf8)))
    #expect(!isZone(Array("TZif2".utf8) + [UInt8](repeating: 255, count: 60)))
  }
}
