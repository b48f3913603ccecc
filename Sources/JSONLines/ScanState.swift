/// The place of the scanner in a text: the position and what is open around it.
@usableFromInline
struct ScanState {
  @usableFromInline private(set) var position: Int
  @usableFromInline private(set) var nesting = Nesting()
  @usableFromInline let blanks: Blanks

  /// The name and the start of the value of the top-level member being read.
  @usableFromInline private(set) var memberName = 0..<0
  @usableFromInline private(set) var memberValue = 0

  @inlinable
  init(position: Int, blanks: Blanks) {
    self.position = position
    self.blanks = blanks
  }

  /// Reads a whole scalar or empty container, or up to the first value inside a container.
  ///
  /// - Returns: whether the position is at another value, inside the one begun.
  @inlinable
  @inline(__always)
  mutating func openOrReadScalar(_ text: Span<UInt8>) throws(JSONError) -> Bool {
    switch text.byte(at: position) {
    case UInt8(ascii: "\""):
      position = try StringScanner.end(text, from: position &+ 1) &+ 1
    case UInt8(ascii: "{"):
      return try open(text, object: true, close: UInt8(ascii: "}"))
    case UInt8(ascii: "["):
      return try open(text, object: false, close: UInt8(ascii: "]"))
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
      position = try LiteralScanner.end(text, from: position)
    default:
      position = try NumberScanner.end(text, from: position)
    }
    return false
  }

  /// After a value: closes what ends here and goes on to the next value.
  ///
  /// - Returns: whether the top-level value is complete.
  @inlinable
  @inline(__always)
  mutating func finishValue<Sink: MemberSink>(
    _ text: Span<UInt8>, into sink: inout Sink
  ) throws(JSONError) -> Bool {
    while nesting.depth > 0 {
      let isInObject = nesting.isInObject
      if nesting.depth == 1 && isInObject {
        sink.member(in: text, name: memberName, value: memberValue..<position)
      }
      position = blanks.skip(text, from: position)
      let byte = text.byte(at: position)
      if byte == UInt8(ascii: ",") {
        position = blanks.skip(text, from: position &+ 1)
        if isInObject { try readName(text) }
        return false
      }
      guard byte == (isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
        throw JSONError.unexpected(text, at: position)
      }
      position &+= 1
      nesting.leave()
    }
    return true
  }

  @inlinable
  @inline(__always)
  mutating func open(_ text: Span<UInt8>, object: Bool, close: UInt8) throws(JSONError) -> Bool {
    guard nesting.enter(object: object) else { throw JSONError(.nestingTooDeep, at: position) }
    position = blanks.skip(text, from: position &+ 1)
    if text.byte(at: position) == close {
      position &+= 1
      nesting.leave()
      return false
    }
    if object { try readName(text) }
    return true
  }

  /// Reads a member's name and colon, up to its value.
  @inlinable
  @inline(__always)
  mutating func readName(_ text: Span<UInt8>) throws(JSONError) {
    guard text.byte(at: position) == UInt8(ascii: "\"") else {
      throw JSONError.unexpected(text, at: position)
    }
    let start = position &+ 1
    let end = try StringScanner.end(text, from: start)
    position = blanks.skip(text, from: end &+ 1)
    guard text.byte(at: position) == UInt8(ascii: ":") else { throw JSONError.unexpected(text, at: position) }
    position = blanks.skip(text, from: position &+ 1)
    if nesting.depth == 1 {
      memberName = start..<end
      memberValue = position
    }
  }
}

extension JSONError {
  /// The error of a byte that cannot stand at `offset`, or of a text that ends there.
  @usableFromInline
  static func unexpected(_ text: Span<UInt8>, at offset: Int, _ code: Code = .unexpectedByte) -> JSONError {
    offset < text.count ? JSONError(code, at: offset) : JSONError(.unexpectedEnd, at: text.count)
  }
}
