import SyncCore
import Testing

/// Every order of events for a phone and its watch ends with the right values on the watch.
@Suite struct InterleavingTests {
  @Test func everyInterleavingConverges() {
    let (total, ends) = Self.explore(WatchPair(), length: 8)
    #expect(ends.wrong == nil)
    #expect(total == 5_677_827)
    #expect(ends.count == 115)
  }

  /// The defect that the test looks for can be found.
  @Test func aWatchThatTakesEveryReplyGoesBackToOldValues() {
    let (_, ends) = Self.explore(WatchPair(takesEveryReply: true), length: 7)
    #expect(ends.wrong != nil)
  }

  /// All orders of up to `length` moves, their number, and their end states.
  ///
  /// Orders that lead to the same state continue as one, and are counted as many.
  private static func explore(_ start: WatchPair, length: Int) -> (total: Int, ends: Endings) {
    var counts = [start: 1]
    var total = 0
    var ends = Endings()
    for _ in 0...length {
      total += counts.values.reduce(0, +)
      for pair in counts.keys { ends.follow(pair) }
      counts = next(counts)
    }
    return (total, ends)
  }

  private static func next(_ counts: [WatchPair: Int]) -> [WatchPair: Int] {
    var next: [WatchPair: Int] = [:]
    for (pair, count) in counts {
      for move in WatchPair.Move.allCases where pair.allows(move) {
        var moved = pair
        moved.make(move)
        next[moved, default: 0] += count
      }
    }
    return next
  }
}

/// What a state can end in, once both apps run, are in reach, and all that is on its way has arrived in any order.
private struct Endings {
  private var seen: Set<WatchPair> = []
  private(set) var count = 0
  private(set) var wrong: WatchPair?

  mutating func follow(_ start: WatchPair) {
    var open = [start]
    while let pair = open.popLast() {
      guard seen.insert(pair).inserted else { continue }
      let moves = WatchPair.Move.allCases.filter { pair.mustGoOn(by: $0) }
      if moves.isEmpty {
        count += 1
        if pair.held != pair.due { wrong = pair }
      }
      for move in moves {
        var moved = pair
        moved.make(move)
        open.append(moved)
      }
    }
  }
}
