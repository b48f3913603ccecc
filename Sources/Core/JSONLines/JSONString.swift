/// Strings as spelled in a text.
///
/// A raw string is the range of its validated bytes between the quotes. Strings are compared by their decoded
/// UTF-8; they are not normalised.
@usableFromInline
package enum JSONString {
  /// Whether the raw string decodes to `name`.
  @inlinable
  @inline(__always)
  package static func isEqual(_ text: Span<UInt8>, _ raw: Range<Int>, to name: StaticString) -> Bool {
    name.withUTF8Buffer { buffer in
      // A static string's bytes live as long as the program, and the buffer has the correct length.
      isEqual(text, raw, to: unsafe Span(_unsafeElements: buffer))
    }
  }

  /// Whether the raw string decodes to the UTF-8 of `name`.
  package static func isEqual(_ text: Span<UInt8>, _ raw: Range<Int>, to name: String) -> Bool {
    var name = name
    // The span does not leave the closure, and the bytes live as long as the closure runs.
    return name.withUTF8 { isEqual(text, raw, to: unsafe Span(_unsafeElements: $0)) }
  }

  /// Whether the raw string decodes to the UTF-8 bytes `name`.
  @inlinable
  @inline(__always)
  package static func isEqual(_ text: Span<UInt8>, _ raw: Range<Int>, to name: [UInt8]) -> Bool {
    isEqual(text, raw, to: name.span)
  }

  /// Whether the raw string decodes to the UTF-8 bytes `name`.
  @inlinable
  @inline(__always)
  package static func isEqual(_ text: Span<UInt8>, _ raw: Range<Int>, to name: Span<UInt8>) -> Bool {
    // Length and first byte settle most comparisons without a call; escapes can only make the decoded form
    // shorter.
    guard raw.count >= name.count else { return false }
    guard !name.isEmpty else { return raw.isEmpty }
    let first = text[raw.lowerBound]
    return (first == name[0] || first == UInt8(ascii: "\\")) && isEqualThroughout(text, raw, to: name)
  }

  /// Compares with a name that is not empty.
  @usableFromInline
  static func isEqualThroughout(_ text: Span<UInt8>, _ raw: Range<Int>, to name: Span<UInt8>) -> Bool {
    let common = commonPlainPrefix(text, raw, name, 0..<name.count)
    guard common < raw.count else { return common == name.count }
    guard text[raw.lowerBound + common] == UInt8(ascii: "\\") else { return false }
    var decoded = DecodedString(raw.lowerBound + common..<raw.upperBound)
    for index in common..<name.count where decoded.next(in: text) != name[index] { return false }
    return decoded.next(in: text) == nil
  }

  /// Whether two raw strings decode to the same bytes.
  package static func isEqual(
    _ a: Span<UInt8>, _ aRaw: Range<Int>, _ b: Span<UInt8>, _ bRaw: Range<Int>
  ) -> Bool {
    compare(a, aRaw, b, bRaw) == 0
  }

  /// Compares the decoded strings as unsigned bytes.
  ///
  /// - Returns: a negative number, zero or a positive one if `a` is before, equal to or after `b`.
  package static func compare(
    _ a: Span<UInt8>, _ aRaw: Range<Int>, _ b: Span<UInt8>, _ bRaw: Range<Int>
  ) -> Int {
    // Before the first escape, the raw bytes are the decoded bytes.
    let common = commonPlainPrefix(a, aRaw, b, bRaw)
    guard common < aRaw.count, common < bRaw.count else { return aRaw.count - bRaw.count }
    let aRest = aRaw.lowerBound &+ common..<aRaw.upperBound
    let bRest = bRaw.lowerBound &+ common..<bRaw.upperBound
    let (aByte, bByte) = (a[aRest.lowerBound], b[bRest.lowerBound])
    if aByte == UInt8(ascii: "\\") || bByte == UInt8(ascii: "\\") {
      return compareDecoded(a, aRest, b, bRest)
    }
    return Int(aByte) - Int(bByte)
  }

  /// Compares the canonical forms of two strings, given with their quotes, as unsigned bytes.
  static func compareCanonical(
    _ a: Span<UInt8>, _ aQuoted: Range<Int>, _ b: Span<UInt8>, _ bQuoted: Range<Int>
  ) -> Int {
    // Before the first escape, the raw bytes are the canonical ones.
    let common = commonPlainPrefix(a, aQuoted, b, bQuoted)
    guard common < aQuoted.count, common < bQuoted.count else { return 0 }
    let (aByte, bByte) = (a[aQuoted.lowerBound &+ common], b[bQuoted.lowerBound &+ common])
    if aByte != UInt8(ascii: "\\"), bByte != UInt8(ascii: "\\") { return Int(aByte) - Int(bByte) }
    var (aForm, bForm): ([UInt8], [UInt8]) = ([], [])
    appendCanonical(a, aQuoted.dropFirst().dropLast(), to: &aForm)
    appendCanonical(b, bQuoted.dropFirst().dropLast(), to: &bForm)
    return ByteSearch.compare(aForm.span, bForm.span)
  }

  /// Whether the raw string differs from its decoded form.
  static func hasEscape(_ text: Span<UInt8>, _ raw: Range<Int>) -> Bool {
    ByteSearch.firstIndex(of: UInt8(ascii: "\\"), in: text, raw) != nil
  }

  /// The number of bytes with which both begin, up to the first backslash.
  private static func commonPlainPrefix(
    _ a: Span<UInt8>, _ aRaw: Range<Int>, _ b: Span<UInt8>, _ bRaw: Range<Int>
  ) -> Int {
    let limit = min(aRaw.count, bRaw.count)
    var count = 0
    while limit &- count >= 8 {
      let word = a.word(at: aRaw.lowerBound &+ count)
      let mask =
        word ^ b.word(at: bRaw.lowerBound &+ count) | ByteMask.equal(to: UInt8(ascii: "\\"), in: word)
      if mask != 0 { return count &+ ByteMask.firstIndex(mask) }
      count &+= 8
    }
    while count < limit {
      let byte = a[aRaw.lowerBound &+ count]
      if byte != b[bRaw.lowerBound &+ count] || byte == UInt8(ascii: "\\") { return count }
      count &+= 1
    }
    return count
  }

  private static func compareDecoded(
    _ a: Span<UInt8>, _ aRaw: Range<Int>, _ b: Span<UInt8>, _ bRaw: Range<Int>
  ) -> Int {
    var aBytes = DecodedString(aRaw)
    var bBytes = DecodedString(bRaw)
    while true {
      switch (aBytes.next(in: a), bBytes.next(in: b)) {
      case (nil, nil): return 0
      case (nil, _): return -1
      case (_, nil): return 1
      case (let x?, let y?): if x != y { return Int(x) - Int(y) }
      }
    }
  }
}
