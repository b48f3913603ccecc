import JSONLines

/// Deterministic merge: of all lines with one key, the largest in the merge order.
package enum Merge {
  /// Which line of a key wins, and whether any other is not the same over again.
  package struct Outcome: Equatable, Sendable {
    package var winner = 0
    package var isContested = false
  }

  /// The place of the line that wins; of lines with the same bytes the first.
  package static func winner(of lines: KeyLines, _ reader: inout ChangeReader) -> Int {
    outcome(of: lines, &reader).winner
  }

  package static func outcome(of lines: KeyLines, _ reader: inout ChangeReader) -> Outcome {
    var outcome = Outcome()
    for index in lines.indices.dropFirst() {
      let isLarger = isLarger(index, outcome.winner, in: lines, &reader)
      if isLarger == nil { continue }
      // Lines that are the same are so in a row of comparisons too: a single difference shows that not all are.
      outcome.isContested = true
      if isLarger == true { outcome.winner = index }
    }
    return outcome
  }

  /// Nil where the two are the same bytes; most contests are decided by clocks, which needs no look at the lines.
  private static func isLarger(_ a: Int, _ b: Int, in lines: KeyLines, _ reader: inout ChangeReader) -> Bool?
  {
    let (x, y) = (lines[a], lines[b])
    let both = x.flags.intersection(y.flags)
    if both.contains(.lastWrite) {
      if x.clock != y.clock { return x.clock > y.clock }
      if both.contains(.exactClock), x.isTombstone != y.isTombstone { return x.isTombstone }
    }
    return lines.isSame(a, b) ? nil : compare(a, b, in: lines, &reader).order > 0
  }

  package static func compare(
    _ a: Int, _ b: Int, in lines: KeyLines, _ reader: inout ChangeReader
  ) -> (order: Int, step: MergeOrder.Step) {
    let (x, y) = (reader.copy(lines.text(a)), reader.copy(lines.text(b)))
    return MergeOrder.compare(x.change, x.text.span, y.change, y.text.span)
  }

  /// A few lines of a key that come to the same as all of them: the winner, one that differs from it, and one that
  /// conflicts with it, where there are such.
  @Sendable
  package static func representatives(_ lines: KeyLines, _ reader: inout ChangeReader) -> [Int] {
    let winner = winner(of: lines, &reader)
    var places: Set = [winner]
    if let other = lines.indices.first(where: { !lines.isSame($0, winner) }) { places.insert(other) }
    if lines[winner].flags.contains(.appendOnly) {
      let conflict = lines.indices.first { index in
        !lines[index].isTombstone && MergeOrder.differInContent(lines.text(index), lines.text(winner))
      }
      if let conflict { places.insert(conflict) }
    }
    return places.sorted()
  }
}
