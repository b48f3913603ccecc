/// A decimal number of any size, without rounding.
///
/// Different spellings of one value are equal: `-0` and `0`; `1.0`, `10e-1` and `1`. The exponent is stored
/// as a number, so `1e1000000000` costs no more than `1`.
package struct ExactDecimal: Hashable, Sendable {
  /// Whether the value is below zero.
  let isNegative: Bool

  /// The significant digits in ASCII, without leading or trailing zeros; empty for zero.
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

  /// The exponent after the mantissa; the text is empty, or `e`, an optional sign and digits.
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

extension ExactDecimal {
  /// The maximum length of an integer written in plain digits.
  private static var plainDigits: Int { 20 }

  /// Appends the canonical spelling of the value.
  ///
  /// An integer of up to 20 digits is written in plain digits, any other value as `d.ddde±n` with the fewest
  /// digits. A single digit is written without a point: `5e-1`, `1.5e+0`, `1e+20`.
  package func appendCanonical(to bytes: inout [UInt8]) {
    if isNegative { bytes.append(UInt8(ascii: "-")) }
    if isInteger && exponent < Self.plainDigits {
      appendPlain(to: &bytes)
    } else {
      appendScientific(to: &bytes)
    }
  }

  /// How many digits the value has, without zeros at either end.
  package var digitCount: Int { digits.count }

  /// Whether the value is a whole number.
  package var isInteger: Bool { digits.isEmpty || digits.count <= exponent + 1 }

  /// Whether a validated number is already spelled as an integer in plain digits.
  static func isCanonicalInteger(_ text: Span<UInt8>, _ raw: Range<Int>) -> Bool {
    let digits = text[raw.lowerBound] == UInt8(ascii: "-") ? raw.dropFirst() : raw
    return digits.count <= plainDigits && digits.allSatisfy { text[$0] &- UInt8(ascii: "0") < 10 }
      && (text[digits.lowerBound] != UInt8(ascii: "0") || raw.count == 1)
  }

  private func appendPlain(to bytes: inout [UInt8]) {
    if digits.isEmpty { return bytes.append(UInt8(ascii: "0")) }
    bytes += digits
    bytes += repeatElement(UInt8(ascii: "0"), count: exponent + 1 - digits.count)
  }

  private func appendScientific(to bytes: inout [UInt8]) {
    bytes.append(digits[0])
    if digits.count > 1 {
      bytes.append(UInt8(ascii: "."))
      bytes += digits[1...]
    }
    bytes.append(UInt8(ascii: "e"))
    bytes.append(exponent < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
    bytes += String(exponent.magnitude).utf8
  }

  /// The value times 10 to `power`, rounded toward minus infinity; nil if it does not fit.
  package func floor(timesTenToThe power: Int) -> Int64? {
    guard !digits.isEmpty else { return 0 }
    let (lastExponent, overflow) = exponent.addingReportingOverflow(power)
    if overflow { return power < 0 ? belowOne : nil }
    guard lastExponent >= 0 else { return belowOne }
    guard lastExponent < 19 else { return nil }
    return floor(integerDigits: lastExponent + 1)
  }

  /// The floor of a nonzero value with a magnitude below one.
  private var belowOne: Int64 { isNegative ? -1 : 0 }

  /// The floor if the first `count` digits, at most 19, are the integer part.
  private func floor(integerDigits count: Int) -> Int64? {
    var value: UInt64 = 0
    for index in 0..<count {
      value = value * 10 + (index < digits.count ? UInt64(digits[index] - UInt8(ascii: "0")) : 0)
    }
    guard isNegative else { return Int64(exactly: value) }
    // The last digit is not zero, so any digits beyond the integer part are a fraction.
    if digits.count > count { value += 1 }
    return value <= Int64.min.magnitude ? Int64(truncatingIfNeeded: 0 &- value) : nil
  }

  /// The value times 10 to `power` as a whole number and billionths (0 ..< 10⁹), both rounded toward minus
  /// infinity.
  ///
  /// Nil if the whole number does not fit.
  package func parts(timesTenToThe power: Int) -> (whole: Int64, billionths: Int32)? {
    let wholeDigits = exponent + power + 1
    guard wholeDigits <= 18 else { return nil }
    let whole = number(digitsFrom: 0, count: max(0, wholeDigits))
    let fraction = number(digitsFrom: wholeDigits, count: 9)
    guard isNegative else { return (whole, Int32(fraction)) }
    let isCut = wholeDigits + 9 < digits.count
    let roundedUp = fraction + (isCut ? 1 : 0)
    return roundedUp == 0 ? (-whole, 0) : (-whole - 1, Int32((1_000_000_000 - roundedUp) % 1_000_000_000))
  }

  /// The number formed by `count` digits from `start`; places before the first and after the last digit are
  /// zeros.
  private func number(digitsFrom start: Int, count: Int) -> Int64 {
    (start..<start + count).reduce(0) { number, index in
      number * 10 + (digits.indices.contains(index) ? Int64(digits[index] - UInt8(ascii: "0")) : 0)
    }
  }
}

/// Finds the significant digits of a number.
enum SignificantDigits {
  /// The power of ten of the first significant digit of a mantissa, nil if the mantissa is zero.
  ///
  /// `mantissa` is the range of validated digits with at most one point between them, without sign and
  /// exponent. The result is 2 for `123.4`, 0 for `1`, and -2 for `0.01`.
  static func exponent(_ text: Span<UInt8>, mantissa: Range<Int>) -> Int? {
    guard let first = firstSignificant(text, mantissa) else { return nil }
    let point = ByteSearch.firstIndex(of: UInt8(ascii: "."), in: text, mantissa) ?? mantissa.upperBound
    return first < point ? point - first - 1 : point - first
  }

  /// The offset of the first digit that is not zero.
  static func firstSignificant(_ text: Span<UInt8>, _ mantissa: Range<Int>) -> Int? {
    mantissa.first { isSignificant(text[$0]) }
  }

  /// Whether the byte is a digit other than zero.
  static func isSignificant(_ byte: UInt8) -> Bool {
    byte > UInt8(ascii: "0")
  }
}
