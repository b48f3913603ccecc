/// Equality of values, not of texts, for those who compare once.
package enum JSONEquality {
  /// Whether two validated values are equal, as ``JSONComparer`` has it.
  package static func isEqual(
    _ a: Span<UInt8>, _ aRaw: Range<Int>, _ b: Span<UInt8>, _ bRaw: Range<Int>
  ) -> Bool {
    var comparer = JSONComparer()
    return comparer.isEqual(a, aRaw, b, bRaw)
  }
}
