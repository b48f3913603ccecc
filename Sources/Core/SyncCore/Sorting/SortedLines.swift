package import JSONLines

/// The lines of some texts in memory, in key order, without the files and threads of the tools.
package struct SortedLines: Sendable {
  private let table: LineTable
  private let plan: RangePlan
  private let shape: RecordShape

  /// A line that is not a change, or not valid for `use`, is passed to `onBad` with its source and 1-based
  /// number.
  ///
  /// There are at most 65,536 texts; each is cut into blocks of about `size` bytes.
  package init<Failure: Error>(
    _ texts: [[UInt8]], _ shape: RecordShape, use: LineUse = .filter, size: Int = 1 << 30,
    onBad: (BlockReader.Reason, _ source: Int, _ line: Int) throws(Failure) -> Void
  ) throws(Failure) {
    self.shape = shape
    var reader = BlockReader(shape, use: use)
    var (blocks, places, forms) = ([LineBlock](), [[Int]](), KeyForms())
    for (source, text) in texts.enumerated() {
      let region = TextRegion(text)
      var (start, lines) = (0, 0)
      while start < text.count {
        let end = ByteSearch.firstIndex(of: 10, in: text.span, min(start + size, text.count) - 1..<text.count)
        var block = LineBlock(region, start..<(end ?? text.count - 1) + 1, source: UInt16(source))
        block.firstLine = lines
        let report = reader.read(&block, number: blocks.count)
        for unusable in report.unusable { try onBad(unusable.reason, source, lines + unusable.line + 1) }
        (start, lines) = (block.range.upperBound, lines + report.lines)
        blocks.append(block)
        places.append(forms.add(report.forms))
      }
    }
    var sorter = BlockSorter(KeyWords(forms), shape)
    for index in blocks.indices { sorter.sort(&blocks[index], places[index]) }
    table = LineTable(blocks)
    plan = RangePlan(blocks)
  }

  /// Passes the lines of each key to `body`, in the order of keys.
  package func forEachKey(_ body: (KeyLines, inout ChangeReader) throws -> Void) rethrows {
    var walk = KeyWalk(shape)
    for range in 0..<plan.count { try walk.forEachKey(of: range, in: plan, table, body) }
  }

  /// The first duplicate key of a source, in key order.
  package func firstDuplicate(in source: Int) -> DuplicateKey? {
    var duplicate: DuplicateKey?
    forEachKey { lines, _ in duplicate = duplicate ?? DuplicateKey(lines, of: source) }
    return duplicate
  }
}

/// Two lines of one snapshot with the same key.
package struct DuplicateKey: Error, Equatable, Sendable {
  package var source: Int
  package var firstLine: Int
  package var secondLine: Int

  /// The first pair from one source among the lines of one key.
  package init?(_ lines: KeyLines, of source: Int) {
    guard let first = lines.indices.first(where: { lines.source($0) == source }),
      let second = lines.indices.dropFirst(first + 1).first(where: { lines.source($0) == source })
    else { return nil }
    self.source = source
    (firstLine, secondLine) = (lines.lineNumber(first), lines.lineNumber(second))
  }
}

extension Diagnostic {
  package init(_ duplicate: DuplicateKey, in file: String?) {
    self.init(
      .duplicateKey, "the same key as line \(duplicate.firstLine)", file: file, line: duplicate.secondLine)
  }
}

/// Divides all entries into ranges of words, each small enough to be sorted in the processor's cache.
///
/// All lines of a key are in the same range.
package struct RangePlan: Sendable {
  /// The first word of each range except the first range.
  private let splits: [UInt64]
  /// The lines of this many entries should stay in the second-level cache while they are sorted and visited.
  private static let entriesPerRange = 2_048

  /// The entries of each block are sorted by word; a range's lines should have at most about `bytes` bytes.
  package init(_ blocks: [LineBlock], bytes: Int = 4 << 20) {
    let count = blocks.reduce(0) { $0 + $1.entries.count }
    let size = blocks.reduce(0) { $0 + $1.range.count }
    // With many blocks to search, larger ranges cost less.
    let perRange = max(Self.entriesPerRange, blocks.count * 8)
    let ranges = min(count, max(count / perRange, size / bytes)) + 1
    // Takes a few samples for each range, so that ranges have about the same size.
    let step = max(1, count / (ranges * 16))
    var samples: [UInt64] = []
    for block in blocks {
      samples += stride(from: step / 2, to: block.entries.count, by: step).map { block.entries[$0].word }
    }
    samples.sort()
    var splits: [UInt64] = []
    for range in 1..<max(ranges, 1) where !samples.isEmpty {
      let split = samples[range * samples.count / ranges]
      if split > splits.last ?? 0 { splits.append(split) }
    }
    self.splits = splits
  }

  package var count: Int { splits.count + 1 }

  /// The entries of one range, of all blocks in their order.
  func entries(of range: Int, in table: LineTable) -> [LineEntry] {
    var entries: [LineEntry] = []
    if !splits.isEmpty { entries.reserveCapacity(Self.entriesPerRange * 2) }
    for block in table.blocks {
      let start = range == 0 ? 0 : block.entries.firstPlace(of: splits[range - 1])
      let end =
        range == splits.count ? block.entries.count : block.entries.firstPlace(of: splits[range], from: start)
      entries += block.entries[start..<end]
    }
    return entries
  }
}

extension [LineEntry] {
  /// The index of the first entry whose word is at least `word`, among sorted entries from `start` on.
  fileprivate func firstPlace(of word: UInt64, from start: Int = 0) -> Int {
    var (low, high, step) = (start, count, 16)
    // If `start` is given, the place is usually close to it.
    if start > 0 {
      while low + step < count, self[low + step].word < word { (low, step) = (low + step, step * 2) }
      high = Swift.min(count, low + step)
    }
    while low < high {
      let middle = (low + high) / 2
      if self[middle].word < word { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
