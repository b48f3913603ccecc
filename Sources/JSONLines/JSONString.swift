/// Strings as they stand in a text.
///
/// A raw string is the range of its validated bytes between the quotes. Strings are compared by their
/// decoded UTF-8; nothing is normalised.
package enum JSONString {
  /// Whether the raw string decodes to `name`.
  package static func isEqual(_ text: Span<UInt8>, _ raw: Range<Int>, to name: StaticString) -> Bool {
    name.withUTF8Buffer { buffer in
      // A static string's bytes live as long as the program, and the buffer carries their count.
      isEqual(text, raw, to: unsafe Span(_unsafeElements: buffer))
    }
  }

  /// Whether the raw string decodes to the UTF-8 bytes `name`.
  package static func isEqual(_ text: Span<UInt8>, _ raw: Range<Int>, to name: [UInt8]) -> Bool {
    isEqual(text, raw, to: name.span)
  }

  /// Whether the raw string decodes to the UTF-8 bytes `name`.
  package static func isEqual(_ text: Span<UInt8>, _ raw: Range<Int>, to name: Span<UInt8>) -> Bool {
    // Decoding shortens every escape, at most six to one.
    guard raw.count >= name.count, raw.count <= 6 * name.count else { return false }
    guard hasEscape(text, raw) else { return ByteSearch.isEqual(text, raw, name, 0..<name.count) }
    var decoded = DecodedString(raw)
    for index in 0..<name.count where decoded.next(in: text) != name[index] { return false }
    return decoded.next(in: text) == nil
  }

  /// Whether two raw strings decode to the same bytes.
  package static func isEqual(
    _ a: Span<UInt8>, _ aRaw: Range<Int>, _ b: Span<UInt8>, _ bRaw: Range<Int>
  ) -> Bool {
    if ByteSearch.isEqual(a, aRaw, b, bRaw) { return true }
    return (hasEscape(a, aRaw) || hasEscape(b, bRaw)) && compareDecoded(a, aRaw, b, bRaw) == 0
  }

  /// Compares the decoded strings as unsigned bytes: negative, zero or positive as `a` is before, equal to or after `b`.
  package static func compare(
    _ a: Span<UInt8>, _ aRaw: Range<Int>, _ b: Span<UInt8>, _ bRaw: Range<Int>
  ) -> Int {
    if hasEscape(a, aRaw) || hasEscape(b, bRaw) { return compareDecoded(a, aRaw, b, bRaw) }
    let common = ByteSearch.commonPrefix(a, aRaw, b, bRaw)
    guard common < aRaw.count, common < bRaw.count else { return aRaw.count - bRaw.count }
    return Int(a[aRaw.lowerBound + common]) - Int(b[bRaw.lowerBound + common])
  }

  /// Whether the raw string differs from its decoded form.
  static func hasEscape(_ text: Span<UInt8>, _ raw: Range<Int>) -> Bool {
    ByteSearch.firstIndex(of: UInt8(ascii: "\\"), in: text, raw) != nil
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
