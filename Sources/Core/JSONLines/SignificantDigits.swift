/// Where the value of a number's digits lies.
enum SignificantDigits {
  /// The power of ten of the first significant digit of a mantissa, nil if the mantissa is zero.
  ///
  /// `mantissa` is the range of validated digits with at most one point between them, without sign
  /// and exponent: 2 for `123.4`, 0 for `1`, -2 for `0.01`.
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
