import JSONLines

/// A typed value of the wire: its tag, and the place of the plain value.
struct WireValue: Equatable, Sendable {
  var tag: WireTag
  /// The plain value's bytes; empty for null, which has only a tag.
  var raw: Range<Int>

  /// Appends the plain value in its spelling.
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
  /// An integer is checked by its value, not by its spelling. A date may have any offset and any fraction. A
  /// double must be finite.
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

/// The type of a value on the v1 wire.
///
/// A value is an object: `type` has the tag's name, and a member named after the tag has the value itself.
package enum WireTag: String, CaseIterable, Sendable {
  case string, int16, int32, int64, double, bool, date, null

  /// The tag whose name the raw string decodes to.
  init?(_ text: Span<UInt8>, _ content: Range<Int>) {
    self.init(rawValue: JSONString.decoded(text, content))
  }

  /// The default tag of a plain JSON value; nil for an array or an object.
  ///
  /// A number is an integer by its value, not by its spelling: `1.0` and `1e3` are int64.
  package init?(default text: Span<UInt8>, _ raw: Range<Int>) {
    switch JSONKind(firstByte: text[raw.lowerBound]) {
    case .string: self = .string
    case .number: self = ExactDecimal(text, raw).isInteger ? .int64 : .double
    case .true, .false: self = .bool
    case .null: self = .null
    default: return nil
    }
  }

  /// The member with the value; nil for null.
  var member: WireName? {
    switch self {
    case .string: .stringValue
    case .int16: .int16Value
    case .int32: .int32Value
    case .int64: .int64Value
    case .double: .doubleValue
    case .bool: .boolValue
    case .date: .dateValue
    case .null: nil
    }
  }

  /// The form in plain JSON, where tags of the same form cannot be distinguished.
  var form: Form {
    switch self {
    case .string, .date: .text
    case .int16, .int32, .int64, .double: .number
    case .bool, .null: .literal
    }
  }

  enum Form { case text, number, literal }

  /// The integers that the type can represent; nil if it is not an integer type.
  var integers: ClosedRange<Int64>? {
    switch self {
    case .int16: Int64(Int16.min)...Int64(Int16.max)
    case .int32: Int64(Int32.min)...Int64(Int32.max)
    case .int64: Int64.min...Int64.max
    default: nil
    }
  }
}
