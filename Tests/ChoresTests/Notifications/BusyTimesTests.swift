@testable import Chores
import JSONLines
@testable import SyncCore
import TestSupport
import Testing

/// When a member is free again.
@Suite struct BusyTimesTests {
  private static let start: Int64 = 1_768_200_000

  private static func instant(_ seconds: Int) throws -> Instant {
    try #require(Instant(seconds: start + Int64(seconds)))
  }

  private static func busy(_ intervals: [Range<Int>]) throws -> BusyTimes {
    try BusyTimes(
      intervals.map {
        try BusyInterval([
          "memberID": "ann", "start": .string(try instant($0.lowerBound).brief),
          "end": .string(try instant($0.upperBound).brief),
        ])
      })
  }

  /// In whatever order they came, and however they overlap: the first second that is in none.
  @Test func theEndIsTheFirstFreeSecond() throws {
    var random = SplitMix64(seed: 5)
    for _ in 0..<300 {
      let intervals = (0..<Int.random(in: 0..<8, using: &random)).map { _ in
        let begin = Int.random(in: 0..<40, using: &random)
        return begin..<begin + Int.random(in: 1..<15, using: &random)
      }
      let busy = try Self.busy(intervals)
      for second in 0..<60 {
        var free = second
        while intervals.contains(where: { $0.contains(free) }) { free += 1 }
        let end = busy.end(from: try Self.instant(second), of: RecordID("ann"))
        #expect(try end ?? Self.instant(second) == Self.instant(free), "\(intervals) at \(second)")
      }
    }
  }

  /// A calendar of many short meetings one after the other takes no longer than its length asks for.
  @Test(.endsHangs) func manyThatTouch() throws {
    let count = 100_000
    let busy = try Self.busy((0..<count).reversed().map { $0 * 5..<($0 + 1) * 5 })
    #expect(try busy.end(from: Self.instant(7), of: RecordID("ann")) == Self.instant(count * 5))
    #expect(try busy.end(from: Self.instant(7), of: RecordID("ben")) == nil)
  }
}
