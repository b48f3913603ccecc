import JSONLines

extension Merge {
  /// The place of the line that wins among the lines of one key.
  package static func winner(of lines: KeyLines, _ reader: inout ChangeReader) -> Int {
    var winner = 0
    for index in 1..<max(lines.count, 1) where isLarger(index, winner, in: lines, &reader) { winner = index }
    return winner
  }

  /// Most contests are decided by clocks alone, which needs no look at the lines.
  private static func isLarger(_ a: Int, _ b: Int, in lines: KeyLines, _ reader: inout ChangeReader) -> Bool {
    let (x, y) = (lines[a], lines[b])
    if x.flags.intersection(y.flags).contains(.lastWrite) {
      if x.clock != y.clock { return x.clock > y.clock }
      if x.flags.intersection(y.flags).contains(.exactClock), x.isTombstone != y.isTombstone {
        return x.isTombstone
      }
    }
    let (aText, bText) = (lines.text(a), lines.text(b))
    if ByteSearch.isEqual(aText, 0..<aText.count, bText, 0..<bText.count) { return false }
    return MergeOrder.compare(reader.change(aText), aText, reader.change(bText), bText).order > 0
  }

  /// Whether any line is not the winner over again.
  package static func isContested(_ lines: KeyLines, winner: Int) -> Bool {
    for index in 0..<lines.count where index != winner {
      if lines[index].clock != lines[winner].clock { return true }
      let (a, b) = (lines.text(index), lines.text(winner))
      if !ByteSearch.isEqual(a, 0..<a.count, b, 0..<b.count) { return true }
    }
    return false
  }
}
