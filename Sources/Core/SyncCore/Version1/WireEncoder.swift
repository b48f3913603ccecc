import JSONLines

/// Writes plain values as typed values.
struct WireEncoder {
  let isLossy: Bool
  var losses = WireLosses()

  /// Appends the value of a member with its known type, or the type that it seems to have.
  ///
  /// If a nested value is left out, this returns false and does not append it.
  mutating func append(
    _ text: Span<UInt8>, _ raw: Range<Int>, _ section: WireTypeTable.Section, _ name: [UInt8],
    _ scope: WireTypes.Scope?, to bytes: inout [UInt8]
  ) throws(WireError) -> Bool {
    guard let fallback = WireTag(default: text, raw) else {
      guard isLossy else { throw .nestedValue }
      losses.nestedValues += 1
      return false
    }
    let known = scope?.known(section, name, fallback.form)
    let rounded = losses.numbers
    let tag = if let known { known } else { try guess(fallback, text, raw) }
    bytes.append(contentsOf: "{\"type\":\"".utf8)
    bytes.append(contentsOf: tag.rawValue.utf8)
    bytes.append(UInt8(ascii: "\""))
    if tag != .null {
      bytes.append(contentsOf: ",\"".utf8)
      bytes.append(contentsOf: tag.rawValue.utf8)
      bytes.append(contentsOf: "Value\":".utf8)
      // An identity is never changed, not even to another spelling of the same double, because that would be
      // another key here.
      let canRespell = known != nil && section == .fields
      try appendPlain(text, raw, tag, canRespell: canRespell, to: &bytes)
      // A number that becomes a double and is also rounded counts only once.
      losses.numbers = min(losses.numbers, rounded + 1)
    }
    bytes.append(UInt8(ascii: "}"))
    return true
  }

  /// An integer of unknown type becomes a double if it does not fit into an int64; throws if it fits neither
  /// type.
  private mutating func guess(
    _ tag: WireTag, _ text: Span<UInt8>, _ raw: Range<Int>
  ) throws(WireError) -> WireTag {
    guard tag == .int64, (try? WireNumber.integer(text, raw, tag)) == nil else { return tag }
    try WireNumber.checkDouble(text, raw)
    guard isLossy else { return tag }
    losses.numbers += 1
    return .double
  }

  /// Appends the plain value in the wire's own spelling.
  private mutating func appendPlain(
    _ text: Span<UInt8>, _ raw: Range<Int>, _ tag: WireTag, canRespell: Bool, to bytes: inout [UInt8]
  ) throws(WireError) {
    switch tag {
    case .null: break
    case .string, .bool: bytes.append(text.extracting(raw))
    case .date: try appendDate(text, raw, to: &bytes)
    case .double: try appendDouble(text, raw, canRespell: canRespell, to: &bytes)
    case .int16, .int32, .int64:
      bytes.append(contentsOf: String(try WireNumber.integer(text, raw, tag)).utf8)
    }
  }

  /// Appends a number as a double.
  ///
  /// In a field known to be a double, a number of up to 17 digits counts as exact, as some encoders write 17
  /// digits.
  private mutating func appendDouble(
    _ text: Span<UInt8>, _ raw: Range<Int>, canRespell: Bool, to bytes: inout [UInt8]
  ) throws(WireError) {
    let (shortest, isExact) = try WireNumber.double(text, raw)
    let number = ExactDecimal(text, raw)
    let isSame = isExact || canRespell && !number.isInteger && number.digitCount <= 17
    guard isSame || isLossy else { throw .inexactNumber(nearest: shortest) }
    if !isSame { losses.numbers += 1 }
    bytes.append(contentsOf: shortest.utf8)
  }

  private mutating func appendDate(
    _ text: Span<UInt8>, _ raw: Range<Int>, to bytes: inout [UInt8]
  ) throws(WireError) {
    guard let instant = Clock.rfc3339Instant(text, raw) else { throw .invalidDate }
    try append(instant, to: &bytes)
  }

  /// Appends an instant in whole seconds and UTC, in quotes.
  mutating func append(_ instant: Instant, to bytes: inout [UInt8]) throws(WireError) {
    guard instant.nanoseconds == 0 || isLossy else { throw .fractionOfSecond }
    if instant.nanoseconds != 0 { losses.fractions += 1 }
    // The first 19 characters end with the second, because years have four digits.
    bytes.append(contentsOf: "\"\(instant.description.prefix(19))Z\"".utf8)
  }
}

/// Converts numbers between JSON, with decimals of any size, and the wire.
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

  /// Throws if a number is larger than any double.
  static func checkDouble(_ text: Span<UInt8>, _ raw: Range<Int>) throws(WireError) {
    _ = try nearestDouble(text, raw)
  }

  /// The nearest double in its shortest form, and whether it has exactly the written value.
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
