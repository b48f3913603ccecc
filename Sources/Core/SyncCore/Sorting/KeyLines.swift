import JSONLines

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

  /// 1-based, in the line's source.
  package func lineNumber(_ index: Int) -> Int { table.lineNumber(of: self[index]) }

  package func source(_ index: Int) -> Int { Int(self[index].source) }

  /// The place of the last line of a source.
  package func last(of source: Int) -> Int? { indices.last { self.source($0) == source } }

  /// Those lines for which `isWanted` holds.
  package func filter(_ isWanted: (Int) throws -> Bool) rethrows -> KeyLines {
    KeyLines(try indices.filter(isWanted).map { self[$0] }[...], in: table)
  }

  /// Whether two lines are the same bytes.
  package func isSame(_ a: Int, _ b: Int) -> Bool { table.isSame(self[a], self[b]) }
}
