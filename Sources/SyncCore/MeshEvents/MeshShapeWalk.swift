import JSONLines

/// Goes through a validated text beside the shape that it has to have.
struct MeshShapeWalk {
  /// Where the next value begins.
  private var position: Int

  init(position: Int) { self.position = position }

  /// Checks the value at the position, called `name` in errors, and goes to its end.
  mutating func check(
    _ shape: MeshShape, _ text: Span<UInt8>, named name: StaticString = "message"
  ) throws(MeshShapeError) {
    switch shape.form {
    case .scalar: try checkScalar(shape, text, name)
    case .array(let element):
      guard text[position] == UInt8(ascii: "[") else { throw Self.wrongType(shape, name) }
      var cursor = ContainerCursor(opening: position)
      while cursor.hasNext(in: text) {
        position = cursor.position
        try check(element, text, named: name)
        cursor.position = position
      }
      position = cursor.position
    case .object(let fields): try checkMembers(fields, isChoice: false, shape, text, name)
    case .choice(let fields): try checkMembers(fields, isChoice: true, shape, text, name)
    }
  }

  private mutating func checkMembers(
    _ fields: [MeshShape.Field], isChoice: Bool, _ shape: MeshShape, _ text: Span<UInt8>, _ name: StaticString
  ) throws(MeshShapeError) {
    guard text[position] == UInt8(ascii: "{") else { throw Self.wrongType(shape, name) }
    var seen: UInt8 = 0
    var cursor = ContainerCursor(opening: position)
    while cursor.hasNext(in: text) {
      let spelling = cursor.readName(in: text)
      guard let index = Self.index(of: spelling, in: fields, text) else {
        _ = cursor.passValue(in: text)
        continue
      }
      let bit = UInt8(1) &<< UInt8(index)
      guard seen & bit == 0 else { throw MeshShapeError("'\(fields[index].name)' stands twice") }
      seen |= bit
      position = cursor.position
      if text.isNull(position..<position + 1), fields[index].isOptional {
        _ = cursor.passValue(in: text)
      } else {
        try check(fields[index].shape, text, named: fields[index].name)
        cursor.position = position
      }
    }
    position = cursor.position
    try Self.require(fields, seen, isChoice: isChoice)
  }

  @inline(__always)
  private static func index(
    of name: Range<Int>, in fields: [MeshShape.Field], _ text: Span<UInt8>
  ) -> Int? {
    var index = 0
    while index < fields.count {
      if JSONString.isEqual(text, name, to: fields[index].name) { return index }
      index &+= 1
    }
    return nil
  }

  private static func require(
    _ fields: [MeshShape.Field], _ seen: UInt8, isChoice: Bool
  ) throws(MeshShapeError) {
    if isChoice {
      guard seen.nonzeroBitCount != 1 else { return }
      let names = fields.map { "'\($0.name)'" }
      throw MeshShapeError((seen == 0 ? "none of " : "more than one of ") + names.joined(separator: " and "))
    }
    var index = 0
    while index < fields.count {
      if seen & 1 &<< UInt8(index) == 0, !fields[index].isOptional {
        throw MeshShapeError("no member '\(fields[index].name)'")
      }
      index &+= 1
    }
  }

  private mutating func checkScalar(
    _ shape: MeshShape, _ text: Span<UInt8>, _ name: StaticString
  ) throws(MeshShapeError) {
    var cursor = ContainerCursor(opening: position)
    cursor.position = position
    let value = cursor.passValue(in: text)
    position = value.upperBound
    let isRight =
      switch shape {
      case .string: text.isString(value)
      case .number: text.isNumber(value)
      case .bool: text.isTrue(value) || text.isFalse(value)
      default: text.isNumber(value) && JSONValue.number(JSONString.decoded(text, value)).intValue ?? -1 >= 0
      }
    guard isRight else { throw Self.wrongType(shape, name) }
  }

  private static func wrongType(_ shape: MeshShape, _ name: StaticString) -> MeshShapeError {
    MeshShapeError("'\(name)' is not \(shape.expectation)")
  }
}
