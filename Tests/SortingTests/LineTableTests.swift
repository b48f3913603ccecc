import JSONLines
import SyncCore
import Testing

/// Entries lead to their lines.
@Suite struct LineTableTests {
  /// An entry has only the last 24 bits of its block's number.
  @Test func blocksMayHaveLargeNumbers() {
    let first = 1 << 24 - 1
    let texts = ["{\"id\":1}", "{\"id\":2}", "{\"id\":3}"].map { Array($0.utf8) }
    var reader = BlockReader(RecordShape())
    var blocks: [LineBlock] = []
    for (index, text) in texts.enumerated() {
      var block = LineBlock(TextRegion(text), 0..<text.count, source: 0)
      block.firstLine = index
      _ = reader.read(&block, number: first + index)
      blocks.append(block)
    }
    let table = LineTable(blocks, first: first)
    let entries = blocks.flatMap(\.entries)
    #expect(entries.map { Array(copying: table.line(of: $0)) } == texts)
    #expect(entries.map { table.lineNumber(of: $0) } == [1, 2, 3])
  }
}
