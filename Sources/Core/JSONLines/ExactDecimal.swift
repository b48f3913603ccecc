/// A decimal number of any size, exactly.
///
/// Equal values are equal however they were written: `-0` is `0`, `1.0` and `10e-1` are `1`. The
/// exponent is only a number, so `1e1000000000` costs no more than `1`.
package struct ExactDecimal: Hashable, Sendable {
  /// Whether the value is below zero.
  let isNegative: Bool

  /// The significant digits in ASCII, without leading or trailing zeros; none for zero.
  let digits: [UInt8]

  /// The power of ten of the first digit; 0 for zero.
  let exponent: Int

  /// The value of a validated number.
  package init(_ text: Span<UInt8>, _ raw: Range<Int>) {
    let isSigned = text[raw.lowerBound] == UInt8(ascii: "-")
    let start = isSigned ? raw.lowerBound + 1 : raw.lowerBound
    let end = raw.first { text[$0] | 0x20 == UInt8(ascii: "e") } ?? raw.upperBound
    digits = Self.significantDigits(text, start..<end)
    isNegative = isSigned && !digits.isEmpty
    let shift = SignificantDigits.exponent(text, mantissa: start..<end)
    exponent = shift.map { $0 + Self.writtenExponent(text, end..<raw.upperBound) } ?? 0
  }

  private static func significantDigits(_ text: Span<UInt8>, _ mantissa: Range<Int>) -> [UInt8] {
    guard let first = SignificantDigits.firstSignificant(text, mantissa),
      let last = mantissa.last(where: { SignificantDigits.isSignificant(text[$0]) })
    else { return [] }
    var digits: [UInt8] = []
    digits.reserveCapacity(last - first + 1)
    for offset in first...last where text[offset] != UInt8(ascii: ".") { digits.append(text[offset]) }
    return digits
  }

  /// The value of what follows the mantissa: nothing, or `e`, a sign or none, and digits.
  private static func writtenExponent(_ text: Span<UInt8>, _ range: Range<Int>) -> Int {
    var magnitude = 0
    for offset in range where text[offset] &- UInt8(ascii: "0") < 10 {
      magnitude = magnitude * 10 + Int(text[offset] - UInt8(ascii: "0"))
    }
    let isNegative = range.count > 1 && text[range.lowerBound + 1] == UInt8(ascii: "-")
    return isNegative ? -magnitude : magnitude
  }
}

extension ExactDecimal: Comparable {
  package static func < (a: ExactDecimal, b: ExactDecimal) -> Bool {
    guard a.sign == b.sign else { return a.sign < b.sign }
    return a.isNegative ? b.isSmallerInMagnitude(than: a) : a.isSmallerInMagnitude(than: b)
  }

  private var sign: Int { digits.isEmpty ? 0 : isNegative ? -1 : 1 }

  private func isSmallerInMagnitude(than other: ExactDecimal) -> Bool {
    guard exponent == other.exponent else { return exponent < other.exponent }
    return digits.lexicographicallyPrecedes(other.digits)
  }
}
