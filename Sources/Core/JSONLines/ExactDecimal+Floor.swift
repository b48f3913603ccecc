extension ExactDecimal {
  /// The value times 10 to `power`, rounded toward minus infinity; nil if it does not fit.
  package func floor(timesTenToThe power: Int) -> Int64? {
    guard !digits.isEmpty else { return 0 }
    let (lastExponent, overflow) = exponent.addingReportingOverflow(power)
    if overflow { return power < 0 ? belowOne : nil }
    guard lastExponent >= 0 else { return belowOne }
    guard lastExponent < 19 else { return nil }
    return floor(integerDigits: lastExponent + 1)
  }

  /// The floor of a value other than zero whose magnitude is below one.
  private var belowOne: Int64 { isNegative ? -1 : 0 }

  /// The floor if the first `count` digits, at most 19, are the integer part.
  private func floor(integerDigits count: Int) -> Int64? {
    var value: UInt64 = 0
    for index in 0..<count {
      value = value * 10 + (index < digits.count ? UInt64(digits[index] - UInt8(ascii: "0")) : 0)
    }
    guard isNegative else { return Int64(exactly: value) }
    // The digits end in no zero, so any beyond the integer part are a fraction.
    if digits.count > count { value += 1 }
    return value <= Int64.min.magnitude ? Int64(truncatingIfNeeded: 0 &- value) : nil
  }
}
