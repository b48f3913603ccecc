/// Whether an operand that must be a snapshot seems to be a delta.
///
/// A snapshot may have tombstones, but delete lines are typical of a delta. A delta without them is
/// recognized by its clocks.
package struct DeltaSigns: Sendable {
  private let snapshot: Int
  private var areInSnapshot = false
  private var areInOther = false
  /// Whether the snapshot lacks a record of the other operand.
  package private(set) var isPartial = false
  /// Whether the snapshot has later versions of records of the other operand.
  private var hasLater = false
  /// Whether the snapshot has any other record, or either operand has a tombstone.
  private var hasMore = false

  /// `snapshot` is the source of the operand in question, 0 or 1.
  package init(inSnapshot snapshot: Int) { self.snapshot = snapshot }

  /// Whether the snapshot has delete lines for records of the other operand, and that operand does not have
  /// tombstones.
  package var haveDeletes: Bool { areInSnapshot && !areInOther }

  /// Whether all records of the snapshot are later versions of the other operand's records, and that operand
  /// has more records.
  package var areLater: Bool { hasLater && !hasMore && isPartial }

  package mutating func count(_ lines: KeyLines, _ reader: inout ChangeReader) {
    let (suspect, other) = (lines.last(of: snapshot), lines.last(of: 1 - snapshot))
    if !areInOther, let other { areInOther = lines[other].isTombstone }
    if !areInSnapshot, let suspect, lines[suspect].isTombstone, other != nil {
      areInSnapshot = reader.change(lines.text(suspect)).kind == .change
    }
    if suspect == nil, other != nil { isPartial = true }
    guard !hasMore else { return }
    switch (suspect, other) {
    case (let suspect?, let other?) where Delta.isLater(suspect, than: other, lines, &reader): hasLater = true
    case (nil, let other?) where !lines[other].isTombstone: break
    default: hasMore = true
    }
  }

  package mutating func add(_ more: DeltaSigns) {
    areInSnapshot = areInSnapshot || more.areInSnapshot
    areInOther = areInOther || more.areInOther
    isPartial = isPartial || more.isPartial
    hasLater = hasLater || more.hasLater
    hasMore = hasMore || more.hasMore
  }
}
