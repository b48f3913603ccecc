package import JSONLines

/// Whole lines of one source in memory, and an entry for each that has a key.
package struct LineBlock: Sendable {
  package let region: TextRegion
  /// The lines in the region; an LF follows each but perhaps the last.
  package let range: Range<Int>
  package let source: UInt16
  /// How many lines of the source come before.
  package var firstLine = 0
  package var entries: [LineEntry] = []

  package init(_ region: TextRegion, _ range: Range<Int>, source: UInt16) {
    (self.region, self.range, self.source) = (region, range, source)
  }

  package var text: Span<UInt8> {
    @_lifetime(borrow self)
    get { region.span.extracting(range) }
  }

  /// The line that begins at `start`, without its line break and the CRs before it.
  @_lifetime(borrow self)
  package func line(at start: Int) -> Span<UInt8> {
    let text = text
    let end = ByteSearch.firstIndex(of: 10, in: text, from: start) ?? text.count
    return text.extracting(start..<text.endOfLine(start, end))
  }
}

extension Span<UInt8> {
  /// The end of the line from `start` to the LF at `end`, before any CRs.
  ///
  /// Written again with the CRs, the last of them would be part of a line break.
  func endOfLine(_ start: Int, _ end: Int) -> Int {
    var end = end
    while end > start, self[end - 1] == 13 { end -= 1 }
    return end
  }
}
