import JSONLines

/// What makes one snapshot, source 0, into another, source 1; or what a delta, source 1, does to a base.
///
/// Where a source has several lines of a key, the last one counts.
package struct Delta: Sendable {
  /// When the deletions that the delta finds are said to have happened.
  package enum DeletionTime: Sendable {
    case at(Instant)
    /// Now, or a millisecond after the deleted line's own clock where that is later.
    case now(Instant)
  }

  /// One difference, or one step back; lines are named by their places among those of their key.
  package enum Change: Equatable, Sendable {
    /// A line to be written as it stands, and the live one that it replaces.
    case line(Int, replacing: Int?)
    /// A live line that is to be deleted.
    case delete(Int)
  }

  private let deletionTime: DeletionTime
  private let wrapsRecords: Bool

  /// With `wrappingRecords` plain records are written as change lines.
  package init(deletionTime: DeletionTime, wrappingRecords: Bool = false) {
    (self.deletionTime, wrapsRecords) = (deletionTime, wrappingRecords)
  }

  /// What has to happen to the old line of a key, if anything, for the new one to be there in its place.
  ///
  /// A tombstone in the new snapshot deletes what is live in the old one; a tombstone in the old one is absence.
  /// Lines are compared by value.
  package static func difference(_ lines: KeyLines, _ reader: inout ChangeReader) -> Change? {
    let live = liveLine(lines)
    guard let new = lines.last(of: 1) else { return live.map(Change.delete) }
    guard let live else { return lines[new].isTombstone ? nil : .line(new, replacing: nil) }
    let isSame = !lines[new].isTombstone && reader.isEqual(live, new, in: lines)
    return isSame ? nil : .line(new, replacing: live)
  }

  /// What takes back the effect of a delta's line of a key on the base.
  package static func inverse(_ lines: KeyLines, _ reader: inout ChangeReader) -> Change? {
    guard let change = lines.last(of: 1) else { return nil }
    guard let live = liveLine(lines) else { return lines[change].isTombstone ? nil : .delete(change) }
    let isSame = !lines[change].isTombstone && reader.isEqual(live, change, in: lines)
    return isSame ? nil : .line(live, replacing: nil)
  }

  /// The line that there is after a delta has been applied to a base; clocks are not looked at.
  package static func result(_ lines: KeyLines) -> Int? {
    guard let change = lines.last(of: 1) else { return liveLine(lines) }
    return lines[change].isTombstone ? nil : change
  }

  /// A few lines of a key that come to the same as all of them: of each source the last, and the first two, which
  /// tell that there are duplicates.
  @Sendable
  package static func representatives(_ lines: KeyLines, _ reader: inout ChangeReader) -> [Int] {
    var places: Set<Int> = []
    for source in [0, 1] {
      let ofSource = lines.indices.filter { lines.source($0) == source }
      places.formUnion(ofSource.prefix(2) + ofSource.suffix(1))
    }
    return places.sorted()
  }

  static func liveLine(_ lines: KeyLines) -> Int? {
    lines.last(of: 0).flatMap { lines[$0].isTombstone ? nil : $0 }
  }

  /// Appends the line of a change: as it stands, or a delete line with entity and identity spelled as they were.
  package func append(
    _ change: Change, _ lines: KeyLines, _ reader: inout ChangeReader, to bytes: inout [UInt8]
  ) {
    switch change {
    case .line(let index, _) where wrapsRecords:
      let time = time(of: reader.change(lines.text(index)))
      reader.appendChange(of: lines.text(index), deletedAt: time, to: &bytes)
    case .line(let index, _): bytes.append(lines.text(index))
    case .delete(let index):
      bytes.append(UInt8(ascii: "{"))
      reader.appendKeyMembers(of: lines.text(index), to: &bytes)
      let time = time(of: reader.change(lines.text(index)))
      bytes.append(contentsOf: ",\"deletedAt\":\"\(time)\"}".utf8)
    }
    bytes.append(10)
  }

  private func time(of line: ChangeLine) -> Instant {
    switch deletionTime {
    case .at(let instant): instant
    case .now(let now): line.clock.map { max(now, $0.advanced(by: .milliseconds(1))) } ?? now
    }
  }
}
