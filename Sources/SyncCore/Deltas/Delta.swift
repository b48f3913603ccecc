import JSONLines

/// What makes one snapshot into another.
package struct Delta: Sendable {
  /// When the deletions that the delta finds are said to have happened.
  package enum DeletionTime: Sendable {
    case at(Instant)
    /// Now, or a millisecond after the deleted line's own clock where that is later.
    case now(Instant)
  }

  /// Two lines of one snapshot with the same key.
  package struct Duplicate: Error, Equatable, Sendable {
    package var source: Int
    package var firstLine: Int
    package var secondLine: Int
  }

  private let deletionTime: DeletionTime

  package init(deletionTime: DeletionTime) { self.deletionTime = deletionTime }

  /// Leaves one line a key, the last; where `allowing` is false, two are an error.
  ///
  /// Sorts the set.
  package static func live(
    _ set: inout ChangeSet, allowingDuplicates: Bool
  ) throws(Duplicate) -> [ChangeSet.Entry] {
    set.sort()
    var entries: [ChangeSet.Entry] = []
    for entry in set.entries {
      guard let previous = entries.last, set.hasSameKey(previous, entry) else {
        entries.append(entry)
        continue
      }
      guard allowingDuplicates else {
        throw Duplicate(
          source: entry.source, firstLine: previous.lineNumber, secondLine: entry.lineNumber)
      }
      entries[entries.count - 1] = entry
    }
    return entries
  }

  /// Walks two snapshots in key order: each key once, with the line of either that has it.
  package static func walk(
    _ a: [ChangeSet.Entry], in aSet: ChangeSet, _ b: [ChangeSet.Entry], in bSet: ChangeSet,
    _ body: (ChangeSet.Entry?, ChangeSet.Entry?) throws -> Void
  ) rethrows {
    var (i, j) = (0, 0)
    while i < a.count || j < b.count {
      let order = i == a.count ? 1 : j == b.count ? -1 : aSet.compareKey(a[i], to: b[j], in: bSet)
      try body(order <= 0 ? a[i] : nil, order >= 0 ? b[j] : nil)
      if order <= 0 { i += 1 }
      if order >= 0 { j += 1 }
    }
  }

  /// One difference, or one step back.
  package enum Change: Sendable {
    /// A line to be written as it stands, and the live one that it replaces.
    case line(ChangeSet.Entry, replacing: ChangeSet.Entry?)
    /// A live line that is to be deleted.
    case delete(ChangeSet.Entry)
  }

  /// What has to happen to `old`, if anything, for `new` to be there in its place.
  ///
  /// A tombstone in the new snapshot deletes what is live in the old one; a tombstone in the old one is absence.
  /// Lines are compared by value.
  package static func difference(
    _ old: ChangeSet.Entry?, in oldSet: ChangeSet, _ new: ChangeSet.Entry?, in newSet: ChangeSet
  ) -> Change? {
    let live = old.flatMap { $0.line.isTombstone ? nil : $0 }
    guard let new else { return live.map(Change.delete) }
    guard let live else { return new.line.isTombstone ? nil : .line(new, replacing: nil) }
    let isSame = !new.line.isTombstone && isEqual(live, in: oldSet, new, in: newSet)
    return isSame ? nil : .line(new, replacing: live)
  }

  /// What takes back the effect of one line of a delta on a base.
  package static func inverse(
    of change: ChangeSet.Entry, in delta: ChangeSet, on base: ChangeSet.Entry?, in baseSet: ChangeSet
  ) -> Change? {
    let live = base.flatMap { $0.line.isTombstone ? nil : $0 }
    guard let live else { return change.line.isTombstone ? nil : .delete(change) }
    let isSame = !change.line.isTombstone && isEqual(live, in: baseSet, change, in: delta)
    return isSame ? nil : .line(live, replacing: nil)
  }

  private static func isEqual(
    _ a: ChangeSet.Entry, in aSet: ChangeSet, _ b: ChangeSet.Entry, in bSet: ChangeSet
  ) -> Bool {
    let (aText, bText) = (aSet.sources[a.source].bytes, bSet.sources[b.source].bytes)
    let (aLine, bLine) = (aText.span.extracting(a.range), bText.span.extracting(b.range))
    return JSONEquality.isEqual(aLine, aLine.onlyValue, bLine, bLine.onlyValue)
  }

  /// Appends the delete line of a line that is gone, its entity and identity spelled as they were.
  package func appendDelete(
    _ entry: ChangeSet.Entry, of set: ChangeSet, _ reader: inout LineReader, to bytes: inout [UInt8]
  ) throws(ChangeError) {
    let text = set.sources[entry.source].bytes
    bytes.append(UInt8(ascii: "{"))
    try reader.appendKeyMembers(of: text.span.extracting(entry.range), to: &bytes)
    bytes.append(contentsOf: ",\"deletedAt\":\"\(time(of: entry.line))\"}\n".utf8)
  }

  private func time(of line: ChangeLine) -> Instant {
    switch deletionTime {
    case .at(let instant): instant
    case .now(let now): line.clock.map { max(now, $0.advanced(by: .milliseconds(1))) } ?? now
    }
  }
}
