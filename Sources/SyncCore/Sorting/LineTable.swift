import JSONLines

/// The blocks that entries point into.
package struct LineTable: Sendable {
  package let blocks: [LineBlock]
  /// The number of the first of them.
  private let first: Int

  package init(_ blocks: [LineBlock], first: Int = 0) { (self.blocks, self.first) = (blocks, first) }

  /// The text of the block that an entry lies in.
  @_lifetime(borrow self)
  func text(of entry: LineEntry) -> Span<UInt8> {
    let block = blocks[entry.block - first]
    // An array's elements are handed out as copies, whose spans may not leave this function; the bytes that they
    // show live as long as the table, which never changes.
    return unsafe _overrideLifetime(block.text, borrowing: self)
  }

  /// The entry's line, without its line break and the CRs before it.
  @_lifetime(borrow self)
  package func line(of entry: LineEntry) -> Span<UInt8> {
    let (text, start) = (text(of: entry), Int(entry.offset))
    let end = ByteSearch.firstIndex(of: 10, in: text, from: start) ?? text.count
    return text.extracting(start..<text.endOfLine(start, end))
  }

  /// 1-based, in the line's source.
  package func lineNumber(of entry: LineEntry) -> Int { blocks[entry.block - first].firstLine + Int(entry.line) + 1 }
}
