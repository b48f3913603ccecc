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

  /// One difference.
  package enum Change: Sendable {
    /// The line of the new snapshot, an upsert or a tombstone.
    case new(ChangeSet.Entry)
    /// A live line of the old snapshot that the new one does not have.
    case gone(ChangeSet.Entry)
  }

  /// Hands over the differences between two snapshots in key order.
  ///
  /// A tombstone in the new snapshot deletes what is live in the old one; a tombstone in the old one is absence.
  /// Lines are compared by value.
  package static func compare(
    _ old: [ChangeSet.Entry], in oldSet: ChangeSet, _ new: [ChangeSet.Entry], in newSet: ChangeSet,
    _ found: (Change) throws -> Void
  ) rethrows {
    var (i, j) = (0, 0)
    while i < old.count || j < new.count {
      let order = i == old.count ? 1 : j == new.count ? -1 : oldSet.compareKey(old[i], to: new[j], in: newSet)
      if order < 0 {
        if !old[i].line.isTombstone { try found(.gone(old[i])) }
        i += 1
      } else if order > 0 {
        if !new[j].line.isTombstone { try found(.new(new[j])) }
        j += 1
      } else {
        if isDifferent(old[i], in: oldSet, new[j], in: newSet) { try found(.new(new[j])) }
        i += 1
        j += 1
      }
    }
  }

  private static func isDifferent(
    _ old: ChangeSet.Entry, in oldSet: ChangeSet, _ new: ChangeSet.Entry, in newSet: ChangeSet
  ) -> Bool {
    guard !old.line.isTombstone, !new.line.isTombstone else {
      return old.line.isTombstone != new.line.isTombstone
    }
    let (oldText, newText) = (oldSet.sources[old.source].bytes, newSet.sources[new.source].bytes)
    return !JSONEquality.isEqual(oldText.span, old.range, newText.span, new.range)
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
