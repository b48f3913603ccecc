/// Equality of values, not of texts.
///
/// Numbers are compared as exact decimals, strings decoded, arrays in order, and objects in any order of
/// members. Members of one object with the same name keep their order: `{"a":1,"a":2}` does not equal
/// `{"a":2,"a":1}`. Reuse a comparer for many comparisons, to avoid allocating its memory again.
package struct JSONComparer: Sendable {
  private var aOutline = JSONOutline()
  private var bOutline = JSONOutline()

  package init() {}

  /// Whether two validated values are equal; each range is a value without white space around it.
  ///
  /// It takes at most as long as sorting the members, even for hostile objects.
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

/// Equality of values, not of texts, for a single comparison.
package enum JSONEquality {
  /// Whether two validated values are equal, as defined by ``JSONComparer``.
  package static func isEqual(
    _ a: Span<UInt8>, _ aRaw: Range<Int>, _ b: Span<UInt8>, _ bRaw: Range<Int>
  ) -> Bool {
    var comparer = JSONComparer()
    return comparer.isEqual(a, aRaw, b, bRaw)
  }
}

/// Compares two validated texts token by token up to the first difference.
struct TokenWalk {
  private var aPosition: Int
  private var bPosition: Int

  /// Starts at two tokens; the texts before them are equal.
  init(_ a: Int, _ b: Int) { (aPosition, bPosition) = (a, b) }

  /// Whether the values are equal; nil if members are in a different order and the walk cannot decide.
  ///
  /// If all names so far were equal, each value has its counterpart in the other text, even if names are
  /// repeated. So the first difference outside a name decides.
  mutating func isEqual(_ a: Span<UInt8>, end aEnd: Int, _ b: Span<UInt8>, end bEnd: Int) -> Bool? {
    while true {
      aPosition = a.skippingWhitespace(from: aPosition)
      bPosition = b.skippingWhitespace(from: bPosition)
      guard aPosition < aEnd, bPosition < bEnd else { return aPosition >= aEnd && bPosition >= bEnd }
      let (aToken, bToken) = (token(a, aPosition), token(b, bPosition))
      (aPosition, bPosition) = (aToken.upperBound, bToken.upperBound)
      if ByteSearch.isEqual(a, aToken, b, bToken) { continue }
      let kind = JSONKind(firstByte: a[aToken.lowerBound])
      guard kind == JSONKind(firstByte: b[bToken.lowerBound]) else { return false }
      guard kind == .string || kind == .number else { return false }
      if JSONOutline.isEqualScalar(a, aToken, b, bToken) { continue }
      return isName(a, aToken) ? nil : false
    }
  }

  private func token(_ text: Span<UInt8>, _ start: Int) -> Range<Int> {
    switch text[start] {
    case UInt8(ascii: "\""): start..<ValidatedText.endOfString(text, from: start + 1) + 1
    case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ","),
      UInt8(ascii: ":"):
      start..<start + 1
    default: start..<ValidatedText.endOfScalar(text, from: start)
    }
  }

  private func isName(_ text: Span<UInt8>, _ token: Range<Int>) -> Bool {
    text.byte(at: text.skippingWhitespace(from: token.upperBound)) == UInt8(ascii: ":")
  }
}
