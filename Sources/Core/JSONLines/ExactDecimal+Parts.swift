extension ExactDecimal {
  /// The value times 10 to `power` as a whole number, rounded toward minus infinity, and billionths (0 ..< 10⁹)
  /// of what is left, rounded the same way; nil where the whole number does not fit.
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

  /// Digits by their place, zeros before the first and after the last.
  private func number(digitsFrom start: Int, count: Int) -> Int64 {
    (start..<start + count).reduce(0) { number, index in
      number * 10 + (digits.indices.contains(index) ? Int64(digits[index] - UInt8(ascii: "0")) : 0)
    }
  }
}
