/// The kind of a value, by its first byte.
@usableFromInline
package enum JSONKind: Sendable {
  case object, array, string, number, `true`, `false`, null

  /// The kind of the value that begins with `firstByte`; nil if a value cannot begin with it.
  @inlinable
  package init?(firstByte: UInt8) {
    switch firstByte {
    case UInt8(ascii: "{"): self = .object
    case UInt8(ascii: "["): self = .array
    case UInt8(ascii: "\""): self = .string
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): self = .number
    case UInt8(ascii: "t"): self = .true
    case UInt8(ascii: "f"): self = .false
    case UInt8(ascii: "n"): self = .null
    default: return nil
    }
  }
}

/// The kind of a raw value, by its first byte.
extension Span<UInt8> {
  @inlinable @inline(__always)
  package func isNull(_ raw: Range<Int>) -> Bool { self[raw.lowerBound] == UInt8(ascii: "n") }

  @inlinable @inline(__always)
  package func isTrue(_ raw: Range<Int>) -> Bool { self[raw.lowerBound] == UInt8(ascii: "t") }

  @inlinable @inline(__always)
  package func isFalse(_ raw: Range<Int>) -> Bool { self[raw.lowerBound] == UInt8(ascii: "f") }

  @inlinable @inline(__always)
  package func isNumber(_ raw: Range<Int>) -> Bool { JSONKind(firstByte: self[raw.lowerBound]) == .number }

  @inlinable @inline(__always)
  package func isString(_ raw: Range<Int>) -> Bool { self[raw.lowerBound] == UInt8(ascii: "\"") }

  @inlinable @inline(__always)
  package func isObject(_ raw: Range<Int>) -> Bool { self[raw.lowerBound] == UInt8(ascii: "{") }

  @inlinable @inline(__always)
  package func isArray(_ raw: Range<Int>) -> Bool { self[raw.lowerBound] == UInt8(ascii: "[") }
}

extension Span<UInt8> {
  /// A raw string without its quotes.
  @inlinable @inline(__always)
  package func content(_ raw: Range<Int>) -> Range<Int> { raw.lowerBound + 1..<raw.upperBound - 1 }

  /// The range of the one value of a validated text, without the white space around it.
  package var onlyValue: Range<Int> {
    var start = 0
    var end = count
    while self[start] <= 32 { start += 1 }
    while self[end - 1] <= 32 { end -= 1 }
    return start..<end
  }

  private func hasLineBreak(_ range: Range<Int>) -> Bool {
    ByteSearch.firstIndex(of: 10, in: self, range) != nil
      || ByteSearch.firstIndex(of: 13, in: self, range) != nil
  }

  /// A value on one line: in JSON a line break can appear only between tokens.
  package func withoutLineBreaks(_ raw: Range<Int>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(raw.count)
    guard hasLineBreak(raw) else {
      bytes.append(extracting(raw))
      return bytes
    }
    for offset in raw where self[offset] != 10 && self[offset] != 13 { bytes.append(self[offset]) }
    return bytes
  }
}
