/// Lines in a text.
extension Span<UInt8> {
  /// Whether the line at `start` is all spaces, tabs and CRs; `end` is then its line break or the end of the text.
  @inlinable
  package func isBlankLine(from start: Int, end: inout Int) -> Bool {
    var offset = start
    while offset < count, self[offset] == 32 || self[offset] == 9 || self[offset] == 13 { offset += 1 }
    guard offset == count || self[offset] == 10 else { return false }
    end = offset
    return true
  }

  /// The end of the line from `start` to the LF at `end`, before any CRs.
  ///
  /// Written again with the CRs, the last of them would be part of a line break.
  @inlinable
  package func endOfLine(_ start: Int, _ end: Int) -> Int {
    var end = end
    while end > start, self[end - 1] == 13 { end -= 1 }
    return end
  }
}
