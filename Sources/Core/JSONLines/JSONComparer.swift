/// Equality of values, not of texts.
///
/// Numbers are exact decimals, strings are compared decoded, arrays in order, objects whatever the
/// order of their members. Members of one object with the same name keep their order: `{"a":1,"a":2}`
/// is not `{"a":2,"a":1}`. A comparer is kept for many comparisons, for the memory that it has.
package struct JSONComparer: Sendable {
  private var aOutline = JSONOutline()
  private var bOutline = JSONOutline()

  package init() {}

  /// Whether two validated values are equal; each range is a value without white space around it.
  ///
  /// The time is that of sorting the members, for hostile objects too.
  package mutating func isEqual(
    _ a: Span<UInt8>, _ aRaw: Range<Int>, _ b: Span<UInt8>, _ bRaw: Range<Int>
  ) -> Bool {
    let common = ByteSearch.commonPrefix(a, aRaw, b, bRaw)
    if common == aRaw.count, common == bRaw.count { return true }
    let start = ValidatedText.startOfToken(a, aRaw, at: aRaw.lowerBound + common) - aRaw.lowerBound
    var walk = TokenWalk(aRaw.lowerBound + start, bRaw.lowerBound + start)
    if let isEqual = walk.isEqual(a, end: aRaw.upperBound, b, end: bRaw.upperBound) { return isEqual }
    aOutline.read(a, aRaw)
    bOutline.read(b, bRaw)
    return JSONOutline.areEqual(a, aOutline, 0, b, bOutline, 0)
  }
}
