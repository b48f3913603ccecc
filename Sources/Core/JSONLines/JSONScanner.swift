/// Validates JSON (RFC 8259) in one pass, without recursion or allocation.
///
/// It is stricter than the grammar in four ways. UTF-8 must be valid (no overlong forms, no encoded
/// surrogates), `\u` escapes must not leave a lone surrogate, and nesting is limited to 512. A number's
/// exponent, as written and in scientific notation, stays within ±10⁹. Numbers may have any length, and
/// member names may be repeated. A byte order mark is invalid.
@usableFromInline
package enum JSONScanner {
  /// Validates one value at or after `start`, leading blanks allowed; returns the offset just after it.
  @inlinable
  package static func scan<Sink: MemberSink>(
    _ text: Span<UInt8>, from start: Int, blanks: Blanks = .json, into sink: inout Sink
  ) throws(JSONError) -> Int {
    // Separate variables and a single copy of each part of the grammar keep the loop in registers.
    var nesting = Nesting()
    var (memberName, memberValue) = (0..<0, 0)
    var position = start
    while true {
      let first = blanks.next(text, at: &position)
      var (isInObject, isAtNext) = (false, false)
      switch first {
      case UInt8(ascii: "\""):
        position = try StringScanner.end(text, from: position &+ 1) &+ 1
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        isInObject = first == UInt8(ascii: "{")
        guard nesting.enter(object: isInObject) else { throw JSONError(.nestingTooDeep, at: position) }
        position &+= 1
        // In ASCII the closing bracket's code is that of the opening one plus two.
        isAtNext = blanks.next(text, at: &position) != first &+ 2
        if !isAtNext {
          position &+= 1
          nesting.leave()
        }
      case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
        position = try LiteralScanner.end(text, from: position)
      default:
        position = try NumberScanner.end(text, from: position)
      }
      while !isAtNext {
        guard nesting.depth > 0 else { return position }
        isInObject = nesting.isInObject
        if nesting.depth == 1, isInObject {
          sink.member(in: text, name: memberName, value: memberValue..<position)
        }
        let byte = blanks.next(text, at: &position)
        isAtNext = byte == UInt8(ascii: ",")
        if !isAtNext {
          guard byte == (isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
            throw JSONError.unexpected(text, at: position)
          }
          nesting.leave()
        }
        position &+= 1
      }
      guard isInObject else { continue }
      guard blanks.next(text, at: &position) == UInt8(ascii: "\"") else {
        throw JSONError.unexpected(text, at: position)
      }
      let name = position &+ 1..<(try StringScanner.end(text, from: position &+ 1))
      position = name.upperBound &+ 1
      guard blanks.next(text, at: &position) == UInt8(ascii: ":") else {
        throw JSONError.unexpected(text, at: position)
      }
      position = blanks.skip(text, from: position &+ 1)
      if nesting.depth == 1 { (memberName, memberValue) = (name, position) }
    }
  }

  /// The offset just after the string whose quote is at `start`.
  @inlinable
  @inline(__always)
  package static func endOfString(_ text: Span<UInt8>, from start: Int) throws(JSONError) -> Int {
    try StringScanner.end(text, from: start &+ 1) &+ 1
  }

  /// The offset just after the string, number or literal at `start`.
  @inlinable
  package static func endOfScalar(_ text: Span<UInt8>, from start: Int) throws(JSONError) -> Int {
    switch text.byte(at: start) {
    case UInt8(ascii: "\""): try endOfString(text, from: start)
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): try LiteralScanner.end(text, from: start)
    default: try NumberScanner.end(text, from: start)
    }
  }

  /// Validates that the whole span is one value with only white space around it.
  package static func validate(_ text: Span<UInt8>) throws(JSONError) {
    var sink = IgnoredMembers()
    try validate(text, into: &sink)
  }

  /// Validates the complete span and passes the members of a top-level object to `sink`.
  @inlinable
  package static func validate<Sink: MemberSink>(
    _ text: Span<UInt8>, into sink: inout Sink
  ) throws(JSONError) {
    let end = text.skippingWhitespace(from: try scan(text, from: 0, into: &sink))
    guard end == text.count else { throw JSONError(.trailingBytes, at: end) }
  }
}

/// Receives each member of the top-level object during the one validating pass.
@usableFromInline
package protocol MemberSink {
  /// Receives one member; members arrive in the order of the text.
  ///
  /// Ranges are offsets into `text`, the scanned span: `name` holds the raw bytes between the quotes, `value`
  /// the raw value without the white space around it. Members arrive during the scan, so they are valid only
  /// if the scan returns without an error.
  mutating func member(in text: Span<UInt8>, name: Range<Int>, value: Range<Int>)
}

/// A sink for callers that only need to know whether a text is valid.
@usableFromInline
package struct IgnoredMembers: MemberSink {
  @inlinable
  package init() {}

  @inlinable
  package mutating func member(in text: Span<UInt8>, name: Range<Int>, value: Range<Int>) {}
}
