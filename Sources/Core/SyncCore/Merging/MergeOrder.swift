import JSONLines

/// The total order on lines of one key; a merge keeps the largest line.
///
/// Because it is total, merging is commutative, associative and idempotent. Each rule is a list of steps; the
/// first that distinguishes two lines decides. Both lines have the same key, so the same entity and rule.
package enum MergeOrder {
  /// The step that decides between two lines; every rule ends with version, content and bytes.
  package enum Step: String, Sendable, CaseIterable {
    /// A terminal state wins over any other line.
    case terminal
    /// The line with the earlier terminal time wins; a missing time is last.
    case moment
    /// The state that the profile lists first wins.
    case state
    /// An upsert wins over a tombstone (append-only).
    case upsert
    /// The earlier clock wins; a missing one is last (append-only, and between two terminal states).
    case earlier
    /// The later clock wins; a missing clock is before every clock.
    case clock
    /// A tombstone wins over an upsert.
    case tombstone
    /// The later due date wins; a missing one is lowest.
    case dueDate
    /// The higher version wins; a missing one is lowest.
    case version
    /// The larger canonical form of the complete line wins.
    case content
    /// The larger raw line wins.
    case bytes
    /// The lines have the same bytes.
    case identical
  }

  /// Negative, zero or positive if `a` is before, the same as or after `b`, and the step that decided.
  ///
  /// `compareContent` compares the canonical forms of both if needed.
  package static func compare(
    _ a: ChangeLine, _ aText: Span<UInt8>, _ b: ChangeLine, _ bText: Span<UInt8>,
    _ compareContent: (Span<UInt8>, Span<UInt8>) -> Int = {
      CanonicalJSON.compare($0, $0.onlyValue, $1, $1.onlyValue)
    }
  ) -> (order: Int, step: Step) {
    if let decided = byRule(a, b) { return decided }
    if let order = compareVersions(a, aText, b, bText) { return (order, .version) }
    let bytes = ByteSearch.compare(aText, bText)
    if bytes == 0 { return (0, .identical) }
    let content = compareContent(aText, bText)
    return content == 0 ? (bytes, .bytes) : (content, .content)
  }

  /// Whether two lines are different records of one append-only key, one of which is lost; this should not
  /// happen.
  package static func isConflict(
    _ a: ChangeLine, _ aText: Span<UInt8>, _ b: ChangeLine, _ bText: Span<UInt8>
  ) -> Bool {
    guard a.facts == .appendOnly, b.facts == .appendOnly, !a.isTombstone, !b.isTombstone else { return false }
    return ChangeLine.differInContent(aText, bText)
  }

  // MARK: The last steps

  private static func compareVersions(
    _ a: ChangeLine, _ aText: Span<UInt8>, _ b: ChangeLine, _ bText: Span<UInt8>
  ) -> Int? {
    guard let aVersion = a.version else { return b.version == nil ? nil : -1 }
    guard let bVersion = b.version else { return 1 }
    if ByteSearch.isEqual(aText, aVersion, bText, bVersion) { return nil }
    let (aNumber, bNumber) = (ExactDecimal(aText, aVersion), ExactDecimal(bText, bVersion))
    return aNumber == bNumber ? nil : aNumber < bNumber ? -1 : 1
  }
}
