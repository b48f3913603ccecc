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
