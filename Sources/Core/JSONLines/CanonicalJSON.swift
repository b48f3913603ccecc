/// The canonical spelling of a value.
///
/// White space is left out, strings have their shortest escapes, and numbers are written by
/// ``ExactDecimal/appendCanonical(to:)``. Members are sorted by the unsigned UTF-8 bytes of their decoded
/// names; members with the same name keep their order. Two values are equal if and only if their canonical
/// forms have the same bytes. Canonicalizing a canonical form does not change it. This is not RFC 8785, which
/// treats numbers as doubles.
package enum CanonicalJSON {
  /// Appends the canonical form of a validated value; `raw` is the value without white space around it.
  package static func append(_ text: Span<UInt8>, _ raw: Range<Int>, to bytes: inout [UInt8]) {
    var writer = CanonicalWriter()
    writer.append(text, raw, to: &bytes)
  }

  /// Compares the canonical forms of two validated values byte by byte; writes them only if necessary.
  ///
  /// - Returns: a negative number, zero or a positive one if the form of `a` is before, equal to or after
  /// that of `b`.
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

  /// Whether a validated value is already canonical: a string without escapes or an integer in plain digits.
  package static func isPlain(_ text: Span<UInt8>, _ raw: Range<Int>) -> Bool {
    switch JSONKind(firstByte: text[raw.lowerBound]) {
    case .string: !JSONString.hasEscape(text, raw)
    case .number: ExactDecimal.isCanonicalInteger(text, raw)
    default: false
    }
  }
}

/// An object that a quick check finds to be canonical already.
///
/// It has at least one member, and does not have white space, escapes or duplicate names. Its names are in
/// order, and its values are strings or integers in plain digits.
package struct PlainObject: Sendable {
  package private(set) var count = 0
  /// The value of the last member.
  package private(set) var lastValue = 0..<0

  /// Reads the validated object at `raw`; nil if it is not such an object.
  package init?(_ text: Span<UInt8>, _ raw: Range<Int>) {
    var lastName = 0..<0
    var position = raw.lowerBound
    repeat {
      guard let name = Self.endOfString(text, from: position &+ 1), text[name] == UInt8(ascii: ":") else {
        return nil
      }
      let range = position &+ 2..<name &- 1
      if count > 0, JSONString.compare(text, lastName, text, range) >= 0 { return nil }
      guard let end = Self.endOfValue(text, from: name &+ 1) else { return nil }
      lastName = range
      lastValue = name &+ 1..<end
      count &+= 1
      position = end
    } while text[position] == UInt8(ascii: ",")
    guard position == raw.upperBound &- 1 else { return nil }
  }

  /// The plain value at the start of the rest of a validated object, if only the closing bracket follows.
  @inline(__always)
  package static func onlyValue(_ text: Span<UInt8>, _ rest: Range<Int>) -> Range<Int>? {
    guard let end = endOfValue(text, from: rest.lowerBound), end == rest.upperBound &- 1 else { return nil }
    return rest.lowerBound..<end
  }

  /// The offset just after the string that begins at `start`; nil if it has escapes or is not a string.
  @inline(__always)
  private static func endOfString(_ text: Span<UInt8>, from start: Int) -> Int? {
    guard text[start] == UInt8(ascii: "\"") else { return nil }
    let end = ValidatedText.firstQuoteOrBackslash(text, from: start &+ 1)
    return text[end] == UInt8(ascii: "\"") ? end &+ 1 : nil
  }

  /// The offset just after a plain value.
  @inline(__always)
  private static func endOfValue(_ text: Span<UInt8>, from start: Int) -> Int? {
    if text[start] == UInt8(ascii: "\"") { return endOfString(text, from: start) }
    let end = ValidatedText.endOfScalar(text, from: start)
    return CanonicalJSON.isPlain(text, start..<end) ? end : nil
  }
}
