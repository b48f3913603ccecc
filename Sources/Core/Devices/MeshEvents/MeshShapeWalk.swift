import JSONLines

/// Compares an unvalidated text with its required shape, in one pass and without a tree.
///
/// The caller distinguishes a text that is not JSON from one that is not a message. Each function begins at
/// an offset and returns the offset after its last byte, so that the offset stays in a register.
struct MeshShapeWalk {
  let table = MeshShape.table
  /// Whether the last text was read without skipping blanks or unknown members.
  private(set) var isPlain = true

  /// Checks a complete text.
  mutating func check(message text: Span<UInt8>) throws(MeshShapeError) {
    isPlain = true
    var position = 0
    _ = next(text, &position)
    position = try passMembers(.message, text, from: position, Self.whole)
    _ = next(text, &position)
    guard position == text.count else { throw .noJSON }
  }

  /// Represents the complete text in place of a field.
  static let whole = -1

  /// Passes the value of a field.
  @inline(__always)
  private mutating func pass(
    _ shape: MeshShape, _ text: Span<UInt8>, from start: Int, _ field: Int
  ) throws(MeshShapeError) -> Int {
    switch table.kind(shape) {
    case .string:
      guard text.byte(at: start) == UInt8(ascii: "\"") else { throw wrongType(shape, field) }
      return try passString(text, from: start)
    case .scalar: return try passScalar(shape, text, from: start, field)
    case .array: return try passElements(shape, text, from: start, field)
    case .object, .choice: return try passMembers(shape, text, from: start, field)
    }
  }

  private mutating func passElements(
    _ shape: MeshShape, _ text: Span<UInt8>, from start: Int, _ field: Int
  ) throws(MeshShapeError) -> Int {
    guard text.byte(at: start) == UInt8(ascii: "[") else { throw wrongType(shape, field) }
    let element = table.element(shape)
    var position = start &+ 1
    if next(text, &position) == UInt8(ascii: "]") { return position &+ 1 }
    repeat {
      _ = next(text, &position)
      position = try pass(element, text, from: position, field)
    } while try goesOn(text, &position, until: UInt8(ascii: "]"))
    return position
  }

  private mutating func passMembers(
    _ shape: MeshShape, _ text: Span<UInt8>, from start: Int, _ field: Int
  ) throws(MeshShapeError) -> Int {
    guard text.byte(at: start) == UInt8(ascii: "{") else { throw wrongType(shape, field) }
    let fields = table.fields(shape)
    var position = start &+ 1
    var seen: UInt8 = 0
    if next(text, &position) == UInt8(ascii: "}") {
      position &+= 1
    } else {
      repeat {
        position = try passMember(fields, text, from: position, &seen)
      } while try goesOn(text, &position, until: UInt8(ascii: "}"))
    }
    guard table.isComplete(shape, seen) else { throw incomplete(shape, seen) }
    return position
  }

  @inline(__always)
  private mutating func passMember(
    _ fields: Range<Int>, _ text: Span<UInt8>, from start: Int, _ seen: inout UInt8
  ) throws(MeshShapeError) -> Int {
    var position = start
    guard next(text, &position) == UInt8(ascii: "\"") else { throw .noJSON }
    let field: Int?
    if let spelled = table.field(among: fields, spelledAt: position &+ 1, in: text) {
      field = spelled
      position &+= 1 &+ table.spelledCount(spelled)
    } else {
      (field, position) = try passName(fields, text, from: position)
    }
    let first = next(text, &position)
    guard let field else { return try passAny(text, from: position) }
    let bit = table.bit(field)
    guard seen & bit == 0 else { throw repeated(field, among: fields) }
    seen |= bit
    if first == UInt8(ascii: "n"), table.isOptional(field) { return try passScalar(text, from: position) }
    return try pass(table.shape(ofField: field), text, from: position, field)
  }

  /// Passes a name and its colon, in any spelling.
  @inline(never)
  private mutating func passName(
    _ fields: Range<Int>, _ text: Span<UInt8>, from start: Int
  ) throws(MeshShapeError) -> (field: Int?, end: Int) {
    var position = try passString(text, from: start)
    let name = start &+ 1..<position &- 1
    guard next(text, &position) == UInt8(ascii: ":") else { throw .noJSON }
    return (table.field(among: fields, named: name, in: text), position &+ 1)
  }

  private mutating func passScalar(
    _ shape: MeshShape, _ text: Span<UInt8>, from start: Int, _ field: Int
  ) throws(MeshShapeError) -> Int {
    let first = text.byte(at: start)
    let isRight =
      switch shape {
      case .bool: first == UInt8(ascii: "t") || first == UInt8(ascii: "f")
      default: first == UInt8(ascii: "-") || first &- UInt8(ascii: "0") < 10
      }
    guard isRight else { throw wrongType(shape, field) }
    let end = try passScalar(text, from: start)
    if shape == .count, (JSONValue.number(JSONString.decoded(text, start..<end)).intValue ?? -1) < 0 {
      throw wrongType(shape, field)
    }
    if shape == .seconds, !Self.fitsDouble(text, start..<end) { throw tooLarge(field) }
    return end
  }

  /// Whether a number is within the range of a double.
  ///
  /// A number without an exponent that is outside this range has at least 309 digits.
  private static func fitsDouble(_ text: Span<UInt8>, _ number: Range<Int>) -> Bool {
    guard number.count > 308 || number.contains(where: { text[$0] | 0x20 == UInt8(ascii: "e") }) else {
      return true
    }
    return Double(JSONString.decoded(text, number))?.isFinite ?? false
  }

  // MARK: Tokens

  /// Moves to the next token and returns its first byte, 0 at the end.
  @inline(__always)
  private mutating func next(_ text: Span<UInt8>, _ position: inout Int) -> UInt8 {
    let byte = text.byte(at: position)
    if byte > 0x20 { return byte }
    position = skipBlanks(text, from: position)
    return text.byte(at: position)
  }

  @inline(never)
  private mutating func skipBlanks(_ text: Span<UInt8>, from start: Int) -> Int {
    if start < text.count { isPlain = false }
    return Blanks.json.skip(text, from: start)
  }

  /// Passes a comma, or the closing bracket.
  @inline(__always)
  private mutating func goesOn(
    _ text: Span<UInt8>, _ position: inout Int, until bracket: UInt8
  ) throws(MeshShapeError) -> Bool {
    let byte = next(text, &position)
    guard byte == UInt8(ascii: ",") || byte == bracket else { throw .noJSON }
    position &+= 1
    return byte != bracket
  }

  @inline(__always)
  private func passString(_ text: Span<UInt8>, from start: Int) throws(MeshShapeError) -> Int {
    do throws(JSONError) { return try JSONScanner.endOfString(text, from: start) } catch { throw .noJSON }
  }

  private func passScalar(_ text: Span<UInt8>, from start: Int) throws(MeshShapeError) -> Int {
    do throws(JSONError) { return try JSONScanner.endOfScalar(text, from: start) } catch { throw .noJSON }
  }

  /// Passes an unknown value of any form.
  private mutating func passAny(_ text: Span<UInt8>, from start: Int) throws(MeshShapeError) -> Int {
    isPlain = false
    var sink = IgnoredMembers()
    do throws(JSONError) {
      return try JSONScanner.scan(text, from: start, into: &sink)
    } catch {
      throw .noJSON
    }
  }
}
