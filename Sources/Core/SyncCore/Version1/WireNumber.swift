import JSONLines

/// Numbers between JSON, where they are decimals of any size, and the wire.
package enum WireNumber {
  /// The integer at `raw`, by its value: `1e3` is 1000.
  package static func integer(_ text: Span<UInt8>, _ raw: Range<Int>, _ tag: WireTag) throws(WireError)
    -> Int64
  {
    let decimal = ExactDecimal(text, raw)
    guard decimal.isInteger else { throw .notAnInteger(tag) }
    guard let number = decimal.floor(timesTenToThe: 0), let range = tag.integers, range.contains(number)
    else {
      throw .outOfRange(tag)
    }
    return number
  }

  /// A JSON number may be larger than any double.
  static func checkDouble(_ text: Span<UInt8>, _ raw: Range<Int>) throws(WireError) {
    _ = try nearestDouble(text, raw)
  }

  /// The nearest double in its shortest form, and whether that has the very value that is written.
  static func double(
    _ text: Span<UInt8>, _ raw: Range<Int>
  ) throws(WireError) -> (shortest: String, isExact: Bool) {
    let shortest = try nearestDouble(text, raw).description
    let digits = Array(shortest.utf8)
    return (shortest, ExactDecimal(digits.span, 0..<digits.count) == ExactDecimal(text, raw))
  }

  private static func nearestDouble(_ text: Span<UInt8>, _ raw: Range<Int>) throws(WireError) -> Double {
    guard let number = Double(JSONString.decoded(text, raw)), number.isFinite else {
      throw .outOfRange(.double)
    }
    return number
  }
}
