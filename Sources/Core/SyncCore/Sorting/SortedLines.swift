import JSONLines

/// The lines of some texts in memory, in key order; what the tools do with files and threads, without either.
package struct SortedLines: Sendable {
  private let table: LineTable
  private let plan: RangePlan
  private let shape: RecordShape

  /// A line that is no change is handed to `onBad`, with its source and its 1-based number.
  package init<Failure: Error>(
    _ texts: [[UInt8]], _ shape: RecordShape,
    onBad: (ChangeError, _ source: Int, _ line: Int) throws(Failure) -> Void
  ) throws(Failure) {
    self.shape = shape
    var reader = BlockReader(shape)
    var (blocks, places, forms) = ([LineBlock](), [[Int]](), KeyForms())
    for (source, text) in texts.enumerated() {
      var block = LineBlock(TextRegion(text), 0..<text.count, source: UInt16(source))
      let report = reader.read(&block, number: source)
      for unusable in report.unusable {
        if case .error(let error) = unusable.reason { try onBad(error, source, unusable.line + 1) }
      }
      blocks.append(block)
      places.append(forms.add(report.forms))
    }
    var sorter = BlockSorter(KeyWords(forms), shape)
    for index in blocks.indices { sorter.sort(&blocks[index], places[index]) }
    table = LineTable(blocks)
    plan = RangePlan(blocks)
  }

  /// Hands over the lines of each key in the order of keys.
  package func forEachKey(_ body: (KeyLines, inout ChangeReader) throws -> Void) rethrows {
    var walk = KeyWalk(shape)
    for range in 0..<plan.count { try walk.forEachKey(of: range, in: plan, table, body) }
  }

  /// The first key, in key order, that a source has twice.
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

  /// The first pair among the lines of one key that are of one source.
  package init?(_ lines: KeyLines, of source: Int) {
    guard let first = lines.indices.first(where: { lines.source($0) == source }),
      let second = lines.indices.dropFirst(first + 1).first(where: { lines.source($0) == source })
    else { return nil }
    self.source = source
    (firstLine, secondLine) = (lines.lineNumber(first), lines.lineNumber(second))
  }
}
