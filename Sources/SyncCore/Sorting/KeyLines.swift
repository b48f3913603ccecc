import JSONLines

/// The lines of one key, in the order of the sources.
package struct KeyLines {
  private let table: LineTable
  private let entries: [LineEntry]
  private let range: Range<Int>

  init(_ entries: [LineEntry], _ range: Range<Int>, in table: LineTable) {
    (self.entries, self.range, self.table) = (entries, range, table)
  }

  package var count: Int { range.count }

  package subscript(index: Int) -> LineEntry { entries[range.lowerBound + index] }

  /// The bytes of a line, without its line break and the CRs before it.
  @_lifetime(borrow self)
  package func text(_ index: Int) -> Span<UInt8> {
    table.line(of: self[index])
  }

  /// 1-based, in the line's source.
  package func lineNumber(_ index: Int) -> Int { table.lineNumber(of: self[index]) }
}
