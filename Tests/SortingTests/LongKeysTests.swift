import JSONLines
@testable import SyncCore
import Testing

/// Keys that are longer than any in practice.
@Suite struct LongKeysTests {
  /// After 64 KiB that are the same, keys are compared whole, because each step reads them from the start.
  ///
  /// More than 64 MiB of keys are read again for each comparison.
  @Test(arguments: [(65, 0), (3, 22 << 20)])
  func longBeginningsAreNotPassedStepByStep(count: Int, rest: Int) {
    let numbers = (0..<count).map { $0 * 2 % count + 100 }
    let (start, tail) = (String(repeating: "k", count: 90_000), String(repeating: "z", count: rest))
    let text = Array(numbers.map { "{\"id\":\"\(start)\($0)\(tail)\"}\n" }.joined().utf8)
    var block = LineBlock(TextRegion(text), 0..<text.count, source: 0)
    var reader = BlockReader(RecordShape())
    _ = reader.read(&block, number: 0)
    // All words are the same before the block is sorted.
    var (entries, order) = (block.entries, KeyOrder(RecordShape()))
    let table = LineTable([block])
    order.sortByWord(&entries)
    let end = order.settle(&entries, from: 0, in: table)
    // Step by step, it would end after 64 entries.
    #expect(end == count)
    let sorted = numbers.indices.sorted { numbers[$0] < numbers[$1] }
    #expect(entries.map { table.lineNumber(of: $0) } == sorted.map { $0 + 1 })
    let areDifferent = entries.allSatisfy { !$0.flags.contains(.sameKey) }
    #expect(areDifferent)
  }
}
