import JSONLines

/// Goes through a text, which need not be validated, beside the shape that it has to have: one pass, no tree.
///
/// Whether what is wrong is no JSON or no message is for the caller to find out.
struct MeshShapeWalk {
  private let table = MeshShape.table
  private var position = 0
  /// It has no blanks and no members that are not known, so that nothing has been passed over.
  private(set) var isPlain = true

  /// Checks the whole of a text.
  mutating func check(message text: Span<UInt8>) throws(MeshShapeError) {
    try check(.message, text, Self.whole)
    _ = next(text)
    guard position == text.count else { throw .noJSON }
  }

  /// In place of a field: the whole text.
  private static let whole = -1

  /// Checks the value at the position, which is that of a field, and goes to its end.
  private mutating func check(
    _ shape: MeshShape, _ text: Span<UInt8>, _ field: Int
  ) throws(MeshShapeError) {
    switch table.kind(shape) {
    case .scalar: try checkScalar(shape, text, field)
    case .array: try checkElements(shape, text, field)
    case .object, .choice: try checkMembers(shape, text, field)
    }
  }

  private mutating func checkElements(
    _ shape: MeshShape, _ text: Span<UInt8>, _ field: Int
  ) throws(MeshShapeError) {
    guard next(text) == UInt8(ascii: "[") else { throw wrongType(shape, field) }
    position &+= 1
    if next(text) == UInt8(ascii: "]") {
      position &+= 1
      return
    }
    repeat {
      try check(table.element(shape), text, field)
    } while try goesOn(text, until: UInt8(ascii: "]"))
  }

  private mutating func checkMembers(
    _ shape: MeshShape, _ text: Span<UInt8>, _ field: Int
  ) throws(MeshShapeError) {
    guard next(text) == UInt8(ascii: "{") else { throw wrongType(shape, field) }
    position &+= 1
    let fields = table.fields(shape)
    var seen: UInt8 = 0
    if next(text) == UInt8(ascii: "}") {
      position &+= 1
    } else {
      repeat { try checkMember(fields, text, &seen) } while try goesOn(text, until: UInt8(ascii: "}"))
    }
    try require(shape, seen)
  }

  private mutating func checkMember(
    _ fields: Range<Int>, _ text: Span<UInt8>, _ seen: inout UInt8
  ) throws(MeshShapeError) {
    guard next(text) == UInt8(ascii: "\"") else { throw .noJSON }
    let start = position &+ 1
    try passString(text)
    let name = start..<position &- 1
    guard next(text) == UInt8(ascii: ":") else { throw .noJSON }
    position &+= 1
    let first = next(text)
    guard let field = table.field(among: fields, named: name, in: text) else { return try passAny(text) }
    let bit = UInt8(1) &<< UInt8(truncatingIfNeeded: field &- fields.lowerBound)
    guard seen & bit == 0 else { throw MeshShapeError("'\(table.name(field))' stands twice") }
    seen |= bit
    if first == UInt8(ascii: "n"), table.isOptional(field) {
      try passScalar(text)
    } else {
      try check(table.shape(ofField: field), text, field)
    }
  }

  private func require(_ shape: MeshShape, _ seen: UInt8) throws(MeshShapeError) {
    if table.kind(shape) == .choice {
      guard seen.nonzeroBitCount != 1 else { return }
      let names = table.fields(shape).map { "'\(table.name($0))'" }
      throw MeshShapeError((seen == 0 ? "none of " : "more than one of ") + names.joined(separator: " and "))
    }
    let missing = table.needed(shape) & ~seen
    guard missing == 0 else {
      let field = table.fields(shape).lowerBound + missing.trailingZeroBitCount
      throw MeshShapeError("no member '\(table.name(field))'")
    }
  }

  private mutating func checkScalar(
    _ shape: MeshShape, _ text: Span<UInt8>, _ field: Int
  ) throws(MeshShapeError) {
    let (first, start) = (next(text), position)
    let isRight =
      switch shape {
      case .string: first == UInt8(ascii: "\"")
      case .bool: first == UInt8(ascii: "t") || first == UInt8(ascii: "f")
      default: first == UInt8(ascii: "-") || first &- UInt8(ascii: "0") < 10
      }
    guard isRight else { throw wrongType(shape, field) }
    if shape == .string { return try passString(text) }
    try passScalar(text)
    if shape == .count, (JSONValue.number(JSONString.decoded(text, start..<position)).intValue ?? -1) < 0 {
      throw wrongType(shape, field)
    }
  }

  private func wrongType(_ shape: MeshShape, _ field: Int) -> MeshShapeError {
    let name = field == Self.whole ? "message" : table.name(field)
    return MeshShapeError("'\(name)' is not \(shape.expectation)")
  }

  // MARK: Tokens

  /// The byte of the next token, 0 at the end.
  @inline(__always)
  private mutating func next(_ text: Span<UInt8>) -> UInt8 {
    guard position < text.count else { return 0 }
    let byte = text[position]
    return byte > 0x20 ? byte : skipBlanks(text)
  }

  private mutating func skipBlanks(_ text: Span<UInt8>) -> UInt8 {
    isPlain = false
    position = Blanks.json.skip(text, from: position)
    return position < text.count ? text[position] : 0
  }

  /// Passes a comma, or the bracket that closes.
  @inline(__always)
  private mutating func goesOn(_ text: Span<UInt8>, until bracket: UInt8) throws(MeshShapeError) -> Bool {
    let byte = next(text)
    guard byte == UInt8(ascii: ",") || byte == bracket else { throw .noJSON }
    position &+= 1
    return byte != bracket
  }

  @inline(__always)
  private mutating func passString(_ text: Span<UInt8>) throws(MeshShapeError) {
    do throws(JSONError) {
      position = try JSONScanner.endOfString(text, from: position)
    } catch {
      throw .noJSON
    }
  }

  private mutating func passScalar(_ text: Span<UInt8>) throws(MeshShapeError) {
    do throws(JSONError) {
      position = try JSONScanner.endOfScalar(text, from: position)
    } catch {
      throw .noJSON
    }
  }

  /// Passes a value that is not known, in which there may be anything.
  private mutating func passAny(_ text: Span<UInt8>) throws(MeshShapeError) {
    isPlain = false
    var sink = IgnoredMembers()
    do throws(JSONError) {
      position = try JSONScanner.scan(text, from: position, into: &sink)
    } catch {
      throw .noJSON
    }
  }
}
