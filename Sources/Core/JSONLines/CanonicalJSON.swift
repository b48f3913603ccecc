/// The one spelling of a value.
///
/// No white space; strings with their shortest escapes; members sorted by the unsigned UTF-8 bytes of
/// their decoded names, those of one name in the order of the text; numbers as
/// ``ExactDecimal/appendCanonical(to:)`` writes them. Two values are equal if and only if their
/// canonical forms are the same bytes, and a canonical form is its own. This is not RFC 8785, whose
/// numbers are doubles.
package enum CanonicalJSON {
  /// Appends the canonical form of a validated value; `raw` is the value without white space around it.
  package static func append(_ text: Span<UInt8>, _ raw: Range<Int>, to bytes: inout [UInt8]) {
    var writer = CanonicalWriter()
    writer.append(text, raw, to: &bytes)
  }

  /// Compares the canonical forms of two validated values byte by byte; they are written only where they have to be.
  ///
  /// - Returns: a negative number, zero or a positive one as that of `a` is before, the same as or after that of `b`.
  package static func compare(
    _ a: Span<UInt8>, _ aRaw: Range<Int>, _ b: Span<UInt8>, _ bRaw: Range<Int>
  ) -> Int {
    var walk = CanonicalWalk(aRaw.lowerBound, bRaw.lowerBound)
    if let order = walk.compare(a, b) { return order }
    var writer = CanonicalWriter()
    var (aForm, bForm): ([UInt8], [UInt8]) = ([], [])
    writer.append(a, aRaw, to: &aForm)
    writer.append(b, bRaw, to: &bForm)
    return ByteSearch.compare(aForm.span, bForm.span)
  }

  /// Whether a validated value is a string without escapes or an integer in plain digits, its own canonical form.
  package static func isPlain(_ text: Span<UInt8>, _ raw: Range<Int>) -> Bool {
    switch JSONKind(firstByte: text[raw.lowerBound]) {
    case .string: !JSONString.hasEscape(text, raw)
    case .number: ExactDecimal.isCanonicalInteger(text, raw)
    default: false
    }
  }
}
