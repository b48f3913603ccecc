import JSONLines

/// The total order on lines of one key that decides which one a merge keeps: the largest.
///
/// Because it is total, merging is commutative, associative and idempotent.
package enum MergeOrder {
  /// What tells two lines apart, in the order in which it is asked.
  package enum Step: String, Sendable, CaseIterable {
    /// The later clock wins; no clock is before every clock.
    case clock
    /// A tombstone wins over an upsert.
    case tombstone
    /// The higher version wins; none is lower than any.
    case version
    /// The larger canonical form of the whole line wins.
    case content
    /// The larger raw line wins.
    case bytes
    /// The lines are the same bytes.
    case identical
  }

  /// Negative, zero or positive as `a` is before, the same as or after `b`, and the step that told.
  package static func compare(
    _ a: ChangeLine, _ aText: Span<UInt8>, _ b: ChangeLine, _ bText: Span<UInt8>
  ) -> (order: Int, step: Step) {
    if let order = compareClocks(a.clock, b.clock) { return (order, .clock) }
    if a.isTombstone != b.isTombstone { return (a.isTombstone ? 1 : -1, .tombstone) }
    if let order = compareVersions(a, aText, b, bText) { return (order, .version) }
    let bytes = compareBytes(aText, bText)
    if bytes == 0 { return (0, .identical) }
    let content = compareBytes(canonical(aText).span, canonical(bText).span)
    return content == 0 ? (bytes, .bytes) : (content, .content)
  }

  private static func compareClocks(_ a: Instant?, _ b: Instant?) -> Int? {
    if a == b { return nil }
    guard let a else { return -1 }
    guard let b else { return 1 }
    return a < b ? -1 : 1
  }

  private static func compareVersions(
    _ a: ChangeLine, _ aText: Span<UInt8>, _ b: ChangeLine, _ bText: Span<UInt8>
  ) -> Int? {
    guard let aVersion = a.version else { return b.version == nil ? nil : -1 }
    guard let bVersion = b.version else { return 1 }
    let (aNumber, bNumber) = (ExactDecimal(aText, aVersion), ExactDecimal(bText, bVersion))
    return aNumber == bNumber ? nil : aNumber < bNumber ? -1 : 1
  }

  private static func compareBytes(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Int {
    let common = ByteSearch.commonPrefix(a, 0..<a.count, b, 0..<b.count)
    guard common < a.count, common < b.count else { return a.count - b.count }
    return Int(a[common]) - Int(b[common])
  }

  private static func canonical(_ line: Span<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    CanonicalJSON.append(line, line.onlyValue, to: &bytes)
    return bytes
  }
}
