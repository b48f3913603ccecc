/// How deep arrays and objects are nested.
package enum JSONDepth {
  /// Deeper text is refused by every reader.
  package static var limit: Int { Nesting.limit }

  /// The deepest nesting in a validated text, 0 of a scalar.
  package static func deepest(in text: Span<UInt8>) -> Int {
    var (offset, depth, deepest) = (0, 0, 0)
    while offset < text.count {
      switch text[offset] {
      case UInt8(ascii: "\""): offset = ValidatedText.endOfString(text, from: offset + 1)
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        deepest = max(deepest, depth)
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      offset += 1
    }
    return deepest
  }
}
