import JSONLines

/// The kind of a raw value, told by its first byte.
extension Span<UInt8> {
  func isNull(_ raw: Range<Int>) -> Bool { self[raw.lowerBound] == UInt8(ascii: "n") }

  func isTrue(_ raw: Range<Int>) -> Bool { self[raw.lowerBound] == UInt8(ascii: "t") }

  func isFalse(_ raw: Range<Int>) -> Bool { self[raw.lowerBound] == UInt8(ascii: "f") }

  func isNumber(_ raw: Range<Int>) -> Bool { JSONKind(firstByte: self[raw.lowerBound]) == .number }

  func isString(_ raw: Range<Int>) -> Bool { self[raw.lowerBound] == UInt8(ascii: "\"") }
}

extension Span<UInt8> {
  /// Where the one value of a validated text lies, without the white space around it.
  var onlyValue: Range<Int> {
    var start = 0
    var end = count
    while self[start] <= 32 { start += 1 }
    while self[end - 1] <= 32 { end -= 1 }
    return start..<end
  }
}
