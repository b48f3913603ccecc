/// Deterministic merge: of all lines with one key, the largest in the merge order.
package enum Merge {
  /// Hands over the lines of each key, in key order, and which of them wins.
  ///
  /// The set must be sorted.
  package static func forEachKey(
    in set: ChangeSet,
    _ body: (_ lines: ArraySlice<ChangeSet.Entry>, _ winner: ChangeSet.Entry) throws -> Void
  ) rethrows {
    var start = 0
    while start < set.entries.count {
      var winner = set.entries[start]
      var end = start + 1
      while end < set.entries.count, set.hasSameKey(winner, set.entries[end]) {
        if compare(set.entries[end], winner, in: set).order > 0 { winner = set.entries[end] }
        end += 1
      }
      try body(set.entries[start..<end], winner)
      start = end
    }
  }

  package static func compare(
    _ a: ChangeSet.Entry, _ b: ChangeSet.Entry, in set: ChangeSet
  ) -> (order: Int, step: MergeOrder.Step) {
    let (aText, bText) = (set.sources[a.source].bytes, set.sources[b.source].bytes)
    return MergeOrder.compare(
      a.line, aText.span.extracting(a.range), b.line, bText.span.extracting(b.range))
  }
}
