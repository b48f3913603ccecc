/// Finds the ends of tokens and values in text that has been validated.
enum ValidatedText {
  /// The offset of the quote that closes the string whose content begins at `start`.
  static func endOfString(_ text: Span<UInt8>, from start: Int) -> Int {
    var offset = start
    while true {
      offset = firstQuoteOrBackslash(text, from: offset)
      if text[offset] == UInt8(ascii: "\"") { return offset }
      offset += 2
    }
  }

  /// The start of the token that contains `offset` or ends there; between tokens, `offset` itself.
  static func startOfToken(_ text: Span<UInt8>, _ raw: Range<Int>, at offset: Int) -> Int {
    var position = raw.lowerBound
    while let quote = ByteSearch.firstIndex(of: UInt8(ascii: "\""), in: text, position..<offset) {
      position = endOfString(text, from: quote + 1) + 1
      if position > offset { return quote }
    }
    position = offset
    while position > raw.lowerBound, isInScalar(text[position - 1]) { position -= 1 }
    return position
  }

  /// Whether a byte outside strings is part of a number or a literal.
  private static func isInScalar(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "E"),
      UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// The offset just after the number or literal that begins at `start`.
  static func endOfScalar(_ text: Span<UInt8>, from start: Int) -> Int {
    var offset = start
    while true {
      switch text.byte(at: offset) {
      case 0...0x20, UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"): return offset
      default: offset += 1
      }
    }
  }

  /// The offset just after the value that begins at `start`.
  static func endOfValue(_ text: Span<UInt8>, from start: Int) -> Int {
    switch text[start] {
    case UInt8(ascii: "\""): endOfString(text, from: start + 1) + 1
    case UInt8(ascii: "{"), UInt8(ascii: "["): endOfContainer(text, from: start + 1)
    default: endOfScalar(text, from: start)
    }
  }

  private static func endOfContainer(_ text: Span<UInt8>, from start: Int) -> Int {
    var offset = start
    var depth = 1
    while depth > 0 {
      switch text[offset] {
      case UInt8(ascii: "\""): offset = endOfString(text, from: offset + 1)
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      offset += 1
    }
    return offset
  }

  static func firstQuoteOrBackslash(_ text: Span<UInt8>, from start: Int) -> Int {
    var offset = start
    while text.count &- offset >= 8 {
      let word = text.word(at: offset)
      let mask =
        ByteMask.equal(to: UInt8(ascii: "\""), in: word) | ByteMask.equal(to: UInt8(ascii: "\\"), in: word)
      if mask != 0 { return offset &+ ByteMask.firstIndex(mask) }
      offset &+= 8
    }
    while text[offset] != UInt8(ascii: "\""), text[offset] != UInt8(ascii: "\\") { offset &+= 1 }
    return offset
  }
}

/// Steps through the members of an object or the elements of an array in validated text.
///
/// After each `hasNext`, and `readName` in an object, the caller passes the value with `passValue` or
/// reads it itself and sets the position to its end.
@usableFromInline
package struct ContainerCursor: Sendable {
  /// The start of the next name or value; after the last one, the offset just after the container.
  package var position: Int

  /// Begins just after the bracket at `start`.
  @usableFromInline
  package init(opening start: Int) {
    position = start + 1
  }

  /// Moves to the next member or element, or past the closing bracket.
  @usableFromInline
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
  @usableFromInline
  package mutating func readName(in text: Span<UInt8>) -> Range<Int> {
    let name = position + 1..<ValidatedText.endOfString(text, from: position + 1)
    let colon = text.skippingWhitespace(from: name.upperBound + 1)
    position = text.skippingWhitespace(from: colon + 1)
    return name
  }

  /// Skips the value at the position and returns its range.
  @usableFromInline
  package mutating func passValue(in text: Span<UInt8>) -> Range<Int> {
    let start = position
    position = ValidatedText.endOfValue(text, from: start)
    return start..<position
  }

  /// Skips the rest and returns the offset just after the container.
  mutating func passRest(in text: Span<UInt8>) -> Int {
    while hasNext(in: text) { _ = passValue(in: text) }
    return position
  }
}

extension Span<UInt8> {
  /// Calls `body` with each member of an object, its name decoded.
  package func forEachMember(of object: Range<Int>, _ body: (String, Range<Int>) -> Void) {
    var cursor = ContainerCursor(opening: object.lowerBound)
    while cursor.hasNext(in: self) {
      let name = JSONString.decoded(self, cursor.readName(in: self))
      body(name, cursor.passValue(in: self))
    }
  }
}

extension Span<UInt8> {
  /// The values of all members with these names, wherever they are in a validated text, in their order.
  ///
  /// One pass over the text finds them at any nesting; the values themselves are not searched.
  package func values(ofMembers names: [String]) -> [Range<Int>] {
    var values: [Range<Int>] = []
    var offset = 0
    while let quote = ByteSearch.firstIndex(of: UInt8(ascii: "\""), in: self, offset..<count) {
      let string = quote + 1..<ValidatedText.endOfString(self, from: quote + 1)
      offset = string.upperBound + 1
      guard let value = valueOfMember(namedBy: string),
        names.contains(where: { JSONString.isEqual(self, string, to: $0) })
      else { continue }
      offset = ValidatedText.endOfValue(self, from: value)
      values.append(value..<offset)
    }
    return values
  }

  /// The start of the value that has this string as its name; nil if the string is a value itself.
  private func valueOfMember(namedBy string: Range<Int>) -> Int? {
    let colon = skippingWhitespace(from: string.upperBound + 1)
    guard colon < count, self[colon] == UInt8(ascii: ":") else { return nil }
    return skippingWhitespace(from: colon + 1)
  }
}
