import JSONLines
import Remotes
import SyncCore
import TestSupport
import Testing

/// Random schedules of devices that write and sync with one server, whose answers get lost.
///
/// Devices are restored from backups, and a standby that lags replaces the server.
///
/// In the end all have the newest of each record.
@Suite struct ServerStoryTests {
  @Test(.onEveryEngine, arguments: Tries.seeds(8, soak: 300))
  func everyStoreEndsWithTheNewestOfEachRecord(seed: UInt64) throws {
    #expect(try ServerStory.violations(seed) == [])
  }

  /// Each planted mistake between a device and the server is found within a hundred stories, with any engine.
  @Test(arguments: PlantedMistake.allCases) func mistakeIsFound(_ mistake: PlantedMistake) throws {
    #expect(try (1...100).contains { try Self.finds(mistake, UInt64($0)) })
  }

  /// The server itself refuses a page that does not continue its checkpoint.
  private static func finds(_ mistake: PlantedMistake, _ seed: UInt64) throws -> Bool {
    do {
      return try !ServerStory.violations(seed, mistake).isEmpty
    } catch let refusal as Diagnostic where refusal.code == .peerBusy && mistake == .checkpointOnOneSide {
      return true
    }
  }
}
