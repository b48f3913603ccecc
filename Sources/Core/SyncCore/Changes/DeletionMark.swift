package import JSONLines

extension JSONValue {
  /// Whether a value marks a record as deleted.
  ///
  /// Apps and databases write `false` and 0 for "not deleted", and text columns contain `""`, `"false"` and
  /// `"0"`.
  package var marksDeletion: Bool {
    let text = Array(self.text.utf8)
    return text.span.marksDeletion(0..<text.count)
  }
}

extension Span<UInt8> {
  /// Whether a value marks a record as deleted: a clock, or any other value except null and `isOff`.
  func marksDeletion(_ value: Range<Int>) -> Bool { !isNull(value) && !isOff(value) }

  /// Whether a value is `false`, a number that is zero in any spelling, or the text `""`, `"0"` or `"false"`.
  private func isOff(_ value: Range<Int>) -> Bool {
    if isString(value) { return value.count == 2 || spells(value, "0") || spells(value, "false") }
    if value.count == 1 { return self[value.lowerBound] == UInt8(ascii: "0") }
    if isFalse(value) { return true }
    // A number that begins with any other character is not zero.
    let first = self[value.lowerBound]
    guard first == UInt8(ascii: "0") || first == UInt8(ascii: "-") else { return false }
    return ExactDecimal(self, value).digitCount == 0
  }

  /// Whether a value is `true`, a number that is one in any spelling, or the text `"1"` or `"true"`.
  func isOn(_ value: Range<Int>) -> Bool {
    if isString(value) { return spells(value, "1") || spells(value, "true") }
    if value.count == 1 { return self[value.lowerBound] == UInt8(ascii: "1") }
    if isTrue(value) { return true }
    guard isNumber(value), hasPointOrExponent(value) else { return false }
    let number = ExactDecimal(self, value)
    return number.isInteger && number.floor(timesTenToThe: 0) == 1
  }

  /// Whether a string is this word, regardless of its case; `word` must be in lower case.
  private func spells(_ text: Range<Int>, _ word: String) -> Bool {
    let content = text.lowerBound + 1..<text.upperBound - 1
    // An escape has at most six bytes.
    if content.count <= 6 * word.utf8.count,
      ByteSearch.firstIndex(of: UInt8(ascii: "\\"), in: self, content) != nil
    {
      return JSONString.decoded(self, content).lowercased() == word
    }
    return content.count == word.utf8.count && zip(content, word.utf8).allSatisfy { self[$0] | 0x20 == $1 }
  }

  private func hasPointOrExponent(_ number: Range<Int>) -> Bool {
    number.contains { self[$0] == UInt8(ascii: ".") || self[$0] | 0x20 == UInt8(ascii: "e") }
  }
}
