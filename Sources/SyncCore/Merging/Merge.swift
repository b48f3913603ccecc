/// Deterministic last-write-wins merge.
package enum Merge {
  /// The winning line of every key, in key order; the set is sorted by this.
  package static func winners(of set: inout ChangeSet) -> [ChangeSet.Entry] {
    set.sort()
    var winners: [ChangeSet.Entry] = []
    for entry in set.entries {
      guard let best = winners.last, set.hasSameKey(best, entry) else {
        winners.append(entry)
        continue
      }
      if isLarger(entry, than: best, in: set) { winners[winners.count - 1] = entry }
    }
    return winners
  }

  private static func isLarger(_ a: ChangeSet.Entry, than b: ChangeSet.Entry, in set: ChangeSet) -> Bool {
    let (aText, bText) = (set.sources[a.source].bytes, set.sources[b.source].bytes)
    return MergeOrder.compare(
      a.line, aText.span.extracting(a.range), b.line, bText.span.extracting(b.range)
    ).order > 0
  }
}
