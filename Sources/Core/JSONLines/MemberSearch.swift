extension Span<UInt8> {
  /// The values of all members of these names, wherever they are in a validated text, in their order.
  ///
  /// One pass over the text, whatever its nesting; what is inside such a value is not searched.
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

  /// Where the value begins that a string is the name of; nil if it is a value itself.
  private func valueOfMember(namedBy string: Range<Int>) -> Int? {
    let colon = skippingWhitespace(from: string.upperBound + 1)
    guard colon < count, self[colon] == UInt8(ascii: ":") else { return nil }
    return skippingWhitespace(from: colon + 1)
  }
}
