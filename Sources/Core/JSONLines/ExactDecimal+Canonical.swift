extension ExactDecimal {
  /// The most digits of an integer that is written in plain digits.
  private static var plainDigits: Int { 20 }

  /// Appends the one spelling of the value.
  ///
  /// Plain digits for an integer of up to 20 digits; else `d.ddde±n` with the fewest digits, without a
  /// point if there is a single one: `5e-1`, `1.5e+0`, `1e+20`. The spelling is never expanded.
  package func appendCanonical(to bytes: inout [UInt8]) {
    if isNegative { bytes.append(UInt8(ascii: "-")) }
    if isInteger && exponent < Self.plainDigits {
      appendPlain(to: &bytes)
    } else {
      appendScientific(to: &bytes)
    }
  }

  /// How many digits it takes to write the value, zeros at its ends aside.
  package var digitCount: Int { digits.count }

  /// Whether the value has no fraction.
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
}
