package import JSONLines

extension JSONValue {
  /// Whether a value marks a record as deleted.
  ///
  /// Apps and databases write `false` and 0 for "not deleted".
  package var marksDeletion: Bool {
    let text = Array(self.text.utf8)
    return text.span.marksDeletion(0..<text.count)
  }
}

extension Span<UInt8> {
  /// Anything but null, `false` and zero; it is then a clock, or on.
  func marksDeletion(_ value: Range<Int>) -> Bool { !isNull(value) && !isOff(value) }

  /// `false`, or a number that is zero in any spelling.
  private func isOff(_ value: Range<Int>) -> Bool {
    if value.count == 1 { return self[value.lowerBound] == UInt8(ascii: "0") }
    if isFalse(value) { return true }
    // Other numbers that begin with a digit above zero are not zero.
    let first = self[value.lowerBound]
    guard first == UInt8(ascii: "0") || first == UInt8(ascii: "-") else { return false }
    return ExactDecimal(self, value).digitCount == 0
  }

  /// `true`, or a number that is one in any spelling.
  func isOn(_ value: Range<Int>) -> Bool {
    if value.count == 1 { return self[value.lowerBound] == UInt8(ascii: "1") }
    if isTrue(value) { return true }
    guard isNumber(value), hasPointOrExponent(value) else { return false }
    let number = ExactDecimal(self, value)
    return number.isInteger && number.floor(timesTenToThe: 0) == 1
  }

  private func hasPointOrExponent(_ number: Range<Int>) -> Bool {
    number.contains { self[$0] == UInt8(ascii: ".") || self[$0] | 0x20 == UInt8(ascii: "e") }
  }
}
