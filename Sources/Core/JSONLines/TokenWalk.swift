/// Goes through two validated texts token by token, as long as both say the same.
struct TokenWalk {
  private var aPosition: Int
  private var bPosition: Int

  /// Begins at two tokens, before which both texts say the same.
  init(_ a: Int, _ b: Int) { (aPosition, bPosition) = (a, b) }

  /// Whether the values are equal; nil where members stand in another order, so that the walk cannot tell.
  ///
  /// Where all names so far were the same, each value has its counterpart in the other text even if names are
  /// repeated, so that the first difference elsewhere than in a name decides.
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
