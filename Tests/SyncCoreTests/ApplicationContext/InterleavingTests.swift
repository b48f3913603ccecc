import SyncCore
import Testing

/// Every order in which things can happen to a phone and its watch ends with the watch holding what it should.
@Suite struct InterleavingTests {
  private static let length = 8

  /// Orders that lead to the same state go on as one, and are counted as many.
  @Test func everyInterleavingConverges() {
    var counts: [WatchPair: Int] = [WatchPair(): 1]
    var total = 0
    var ends = Endings()
    for _ in 0...Self.length {
      total += counts.values.reduce(0, +)
      for pair in counts.keys { ends.follow(pair) }
      counts = Self.next(counts)
    }
    #expect(ends.wrong == nil)
    #expect(total == 0)
    #expect(ends.count == 0)
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
        if pair.held != pair.eligible { wrong = pair }
      }
      for move in moves {
        var moved = pair
        moved.make(move)
        open.append(moved)
      }
    }
  }
}
