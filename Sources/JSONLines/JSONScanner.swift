/// Validates JSON (RFC 8259) in one pass, without recursion or allocation.
///
/// Stricter than the grammar in four things: UTF-8 must be valid (no overlong forms, no encoded
/// surrogates), `\u` escapes must not leave a lone surrogate, nesting goes to 512, and a number's
/// exponent, as written and in scientific notation, stays within ±10⁹. Numbers may have any length;
/// member names may repeat; no byte order mark.
@usableFromInline
package enum JSONScanner {
  /// Validates one value at or after `start`, leading blanks allowed; returns the offset just after it.
  @inlinable
  package static func scan<Sink: MemberSink>(
    _ text: Span<UInt8>, from start: Int, blanks: Blanks = .json, into sink: inout Sink
  ) throws(JSONError) -> Int {
    var state = ScanState(position: blanks.skip(text, from: start), blanks: blanks)
    while true {
      if try state.openOrReadScalar(text) { continue }
      if try state.finishValue(text, into: &sink) { return state.position }
    }
  }

  /// Validates that the whole span is one value with only white space around it.
  package static func validate(_ text: Span<UInt8>) throws(JSONError) {
    var sink = IgnoredMembers()
    try validate(text, into: &sink)
  }

  /// Validates the whole span and hands the members of a top-level object to `sink`.
  @inlinable
  package static func validate<Sink: MemberSink>(
    _ text: Span<UInt8>, into sink: inout Sink
  ) throws(JSONError) {
    let end = text.skippingWhitespace(from: try scan(text, from: 0, into: &sink))
    guard end == text.count else { throw JSONError(.trailingBytes, at: end) }
  }
}
