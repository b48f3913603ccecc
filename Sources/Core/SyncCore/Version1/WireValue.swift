import JSONLines

/// A typed value of the wire: its tag, and where the plain value stands.
struct WireValue: Equatable, Sendable {
  var tag: WireTag
  /// The plain value's bytes; empty for null, which the tag alone says.
  var raw: Range<Int>

  /// Appends the plain value, spelled as it is.
  func appendPlain(_ text: Span<UInt8>, to bytes: inout [UInt8]) {
    if tag == .null { bytes.append(contentsOf: "null".utf8) } else { bytes.append(text.extracting(raw)) }
  }

  func appendCanonical(_ text: Span<UInt8>, to bytes: inout [UInt8]) {
    if tag == .null {
      bytes.append(contentsOf: "null".utf8)
    } else {
      CanonicalJSON.append(text, raw, to: &bytes)
    }
  }

  /// Checks that the bytes at `raw` are a value of the tag.
  ///
  /// A number is an integer by its value; a date has any offset and any fraction; a double must be finite.
  static func check(_ text: Span<UInt8>, _ raw: Range<Int>, is tag: WireTag) throws(WireError) {
    let name = tag.member?.spelling.description ?? ""
    switch tag {
    case .null: return
    case .string:
      guard text.isString(raw) else { throw .wrongType(name, expected: "a string") }
    case .bool:
      guard text.isTrue(raw) || text.isFalse(raw) else { throw .wrongType(name, expected: "true or false") }
    case .date:
      guard text.isString(raw) else { throw .wrongType(name, expected: "a string") }
      guard Clock.rfc3339Instant(text, raw) != nil else { throw .invalidDate }
    case .int16, .int32, .int64, .double:
      guard text.isNumber(raw) else { throw .wrongType(name, expected: "a number") }
      if tag == .double {
        try WireNumber.checkDouble(text, raw)
      } else {
        _ = try WireNumber.integer(text, raw, tag)
      }
    }
  }
}
