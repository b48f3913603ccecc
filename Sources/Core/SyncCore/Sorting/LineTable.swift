import JSONLines

/// The blocks that entries point into.
@safe
package struct LineTable: Sendable {
  package let blocks: [LineBlock]
  /// The number of the first block.
  private let first: Int
  // The texts of the blocks as addresses, because access through the blocks costs four atomic counts a line.
  // They are valid as long as the table, which keeps the blocks; a region's bytes do not move.
  nonisolated(unsafe) private let texts: [(bytes: UnsafeBufferPointer<UInt8>, reach: LineReach)]
  /// The maximum length of a canonical key in most cases.
  ///
  /// In a key, a character may take three times as many bytes as in a line, and a number may take a few more.
  ///
  /// A key is longer if several of its pointers lead to the same long value, or if its values are dates.
  let longestKey: Int

  package init(_ blocks: [LineBlock], first: Int = 0) {
    (self.blocks, self.first) = (blocks, first)
    unsafe texts = blocks.map { block in
      unsafe (bytes: block.text.withUnsafeBufferPointer { unsafe $0 }, reach: block.reach)
    }
    longestKey = blocks.reduce(0) { max($0, $1.reach.longest) } * 8 + 64
  }

  /// The index of the block that contains an entry; blocks may have larger numbers than an entry can hold.
  @inline(__always)
  private func place(of entry: LineEntry) -> Int { (entry.block - first) & LineEntry.blockBits }

  /// The text of the block that contains an entry.
  @_lifetime(borrow self)
  func text(of entry: LineEntry) -> Span<UInt8> {
    unsafe _overrideLifetime(Span(_unsafeElements: texts[place(of: entry)].bytes), borrowing: self)
  }

  /// The entry's line, without its line break and the CRs before it.
  @_lifetime(borrow self)
  package func line(of entry: LineEntry) -> Span<UInt8> {
    unsafe texts[place(of: entry)].reach.line(at: Int(entry.offset), in: text(of: entry))
  }

  /// The 1-based number in the line's source.
  package func lineNumber(of entry: LineEntry) -> Int {
    blocks[place(of: entry)].firstLine + Int(entry.line) + 1
  }

  /// Whether two lines have the same bytes.
  func isSame(_ a: LineEntry, _ b: LineEntry) -> Bool {
    let (aLine, bText) = (line(of: a), text(of: b))
    let bEnd = Int(b.offset) + aLine.count
    // The other line usually ends at the same place, so its end need not be searched for.
    if bEnd < bText.count, bText[bEnd] == 10 {
      return ByteSearch.isEqual(aLine, 0..<aLine.count, bText, Int(b.offset)..<bEnd)
    }
    let bLine = line(of: b)
    return ByteSearch.isEqual(aLine, 0..<aLine.count, bLine, 0..<bLine.count)
  }

  /// Loads the beginnings of lines into the processor's cache, all at once, to avoid waiting for each.
  func touch(_ entries: ArraySlice<LineEntry>) -> UInt8 {
    var sum: UInt8 = 0
    for index in entries.indices {
      let (text, start) = (text(of: entries[index]), Int(entries[index].offset))
      for offset in stride(from: start, to: min(start + 256, text.count), by: 64) { sum ^= text[offset] }
    }
    return sum
  }
}

/// The lines of one key, in the order of the sources.
package struct KeyLines: Sendable {
  private let table: LineTable
  private let entries: ArraySlice<LineEntry>

  package init(_ entries: ArraySlice<LineEntry>, in table: LineTable) {
    (self.entries, self.table) = (entries, table)
  }

  package var indices: Range<Int> { 0..<entries.count }

  package subscript(index: Int) -> LineEntry { entries[entries.startIndex + index] }

  /// The bytes of a line, without its line break and the CRs before it.
  @_lifetime(borrow self)
  package func text(_ index: Int) -> Span<UInt8> { table.line(of: self[index]) }

  /// The 1-based number in the line's source.
  package func lineNumber(_ index: Int) -> Int { table.lineNumber(of: self[index]) }

  package func source(_ index: Int) -> Int { Int(self[index].source) }

  /// The index of the last line of a source.
  package func last(of source: Int) -> Int? { indices.last { self.source($0) == source } }

  /// The lines for which `isWanted` holds.
  package func filter(_ isWanted: (Int) throws -> Bool) rethrows -> KeyLines {
    KeyLines(try indices.filter(isWanted).map { self[$0] }[...], in: table)
  }

  /// Whether two lines have the same bytes.
  package func isSame(_ a: Int, _ b: Int) -> Bool { table.isSame(self[a], self[b]) }
}
