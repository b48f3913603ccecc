import JSONLines
@testable import SyncCore
import TestSupport
import Testing

/// Each entry is in one range, no word in two, and ranges follow each other.
@Suite struct RangePlanTests {
  @Test(arguments: [0, 1, 2, 8_192, 8_193, 100_000], [1, 3, 50])
  func everyEntryIsInOneRange(count: Int, blocks: Int) {
    var random = SplitMix64(seed: UInt64(count + blocks))
    check((0..<count).map { _ in random.next() }, in: blocks, largest: 3 * 8_192)
    check((0..<count).map { _ in random.next() % 100_000_000 }, in: blocks, largest: 3 * 8_192)
    check((0..<count).map { _ in random.next() % 20 }, in: blocks)
    check((0..<count).map { $0 % 5 == 0 ? random.next() : 7 }, in: blocks)
    check(Array(repeating: 0, count: count), in: blocks)
    check(Array(repeating: .max, count: count), in: blocks)
    check((0..<count).map { $0 % 2 == 0 ? 0 : .max }, in: blocks)
  }

  /// `largest` is how many entries there may be in one range.
  private func check(_ words: [UInt64], in count: Int, largest: Int = .max) {
    var blocks = (0..<count).map { LineBlock(TextRegion([]), 0..<0, source: UInt16($0 % 2)) }
    for (index, word) in words.enumerated() {
      var entry = LineEntry(block: index % count, offset: 0, line: index, source: UInt16(index % count % 2))
      entry.word = word
      blocks[index % count].entries.append(entry)
    }
    for index in blocks.indices { blocks[index].entries.sort { ($0.word, $0.line) < ($1.word, $1.line) } }
    let (plan, table) = (RangePlan(blocks), LineTable(blocks))
    let ranges = (0..<plan.count).map { plan.entries(of: $0, in: table) }
    #expect(ranges.reduce(0) { $0 + $1.count } == words.count)
    #expect(Set(ranges.joined().map(\.line)).count == words.count)
    #expect(ranges.allSatisfy { $0.count <= largest })
    let bounds = ranges.compactMap { entries in
      entries.map(\.word).min().flatMap { low in entries.map(\.word).max().map { low...$0 } }
    }
    #expect(zip(bounds, bounds.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
    for range in ranges {
      // Within a range the blocks are in their order, and each is in order by itself.
      let isInOrder = zip(range, range.dropFirst()).allSatisfy { ($0.block, $0.word) <= ($1.block, $1.word) }
      #expect(isInOrder)
    }
  }
}
