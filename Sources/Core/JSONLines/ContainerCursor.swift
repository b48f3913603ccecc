/// Steps through the members of an object or the elements of an array in validated text.
///
/// After each `hasNext`, and `readName` in an object, the caller passes the value with `passValue` or
/// reads it itself and sets the position to its end.
package struct ContainerCursor: Sendable {
  /// The start of the next name or value; after the last one, the offset just after the container.
  package var position: Int

  /// Begins just after the bracket at `start`.
  package init(opening start: Int) {
    position = start + 1
  }

  /// Moves to the next member or element, or past the closing bracket.
  package mutating func hasNext(in text: Span<UInt8>) -> Bool {
    position = text.skippingWhitespace(from: position)
    switch text[position] {
    case UInt8(ascii: ","):
      position = text.skippingWhitespace(from: position + 1)
      return true
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      position += 1
      return false
    default:
      return true
    }
  }

  /// Reads a member's name, as a raw string, and moves to its value.
  package mutating func readName(in text: Span<UInt8>) -> Range<Int> {
    let name = position + 1..<ValidatedText.endOfString(text, from: position + 1)
    let colon = text.skippingWhitespace(from: name.upperBound + 1)
    position = text.skippingWhitespace(from: colon + 1)
    return name
  }

  /// Passes over the value at the position and returns its range.
  package mutating func passValue(in text: Span<UInt8>) -> Range<Int> {
    let start = position
    position = ValidatedText.endOfValue(text, from: start)
    return start..<position
  }

  /// Passes over all that is left and returns the offset just after the container.
  mutating func passRest(in text: Span<UInt8>) -> Int {
    while hasNext(in: text) { _ = passValue(in: text) }
    return position
  }
}
