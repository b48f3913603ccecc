import SyncCore
import TestSupport
import Testing

/// Sorting by word gives the result of a stable sort.
@Suite struct EntrySorterTests {
  @Test(arguments: [0, 1, 2, 3, 23, 24, 25, 26, 255, 256, 257, 1_000, 5_000])
  func isAStableSort(count: Int) {
    var sorter = EntrySorter()
    for seed in 0..<6 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      for words in Self.kinds(count, &random) {
        let entries = Self.entries(words)
        var sorted = entries
        sorter.sort(&sorted)
        let expected = entries.sorted { ($0.word, $0.line) < ($1.word, $1.line) }
        let isSame = sorted.map(\.line) == expected.map(\.line) && sorted.map(\.word) == expected.map(\.word)
        #expect(isSame, "seed \(seed), \(count) entries")
      }
    }
  }

  /// One sorter is used for many blocks, larger and smaller ones.
  @Test func aSorterIsUsedAgain() {
    var sorter = EntrySorter()
    var random = SplitMix64(seed: 1)
    for count in [3_000, 30, 5_000, 100, 0, 4_000] {
      var sorted = Self.entries((0..<count).map { _ in random.next() })
      sorter.sort(&sorted)
      let isSorted = zip(sorted, sorted.dropFirst()).allSatisfy { $0.word <= $1.word }
      #expect(isSorted && Set(sorted.map(\.line)).count == count, "\(count) entries")
    }
  }

  /// Words of all kinds: different ones, few ones, the same one, in order, and such that differ in some bytes only.
  private static func kinds(_ count: Int, _ random: inout SplitMix64) -> [[UInt64]] {
    let all = (0..<count).map { _ in random.next() }
    let mask: UInt64 = (0..<8).reduce(0) { mask, byte in
      random.oneIn(2) ? mask : mask | 0xFF << UInt64(byte * 8)
    }
    let base = random.next()
    return [
      all, all.map { $0 % 3 }, all.map { $0 & 1 == 0 ? 0 : .max }, all.map { _ in base },
      all.map { base ^ ($0 & mask) }, all.map { base ^ ($0 & 0x80) }, all.map { ($0 >> 8) << 8 },
      all.sorted(),
      Array(all.sorted().reversed()),
    ]
  }

  /// The line tells where an entry was.
  private static func entries(_ words: [UInt64]) -> [LineEntry] {
    words.enumerated().map { index, word in
      var entry = LineEntry(block: 0, offset: 0, line: index, source: 0)
      entry.word = word
      return entry
    }
  }
}
