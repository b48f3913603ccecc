extension JSONValue {
  /// Reads one value with only white space around it; every member of an object is kept, repeated names too.
  package init(parsing text: Span<UInt8>) throws(JSONError) {
    try JSONScanner.validate(text)
    var position = text.skippingWhitespace(from: 0)
    self.init(text, at: &position)
  }

  /// Reads the validated value that begins at `position` and moves past it.
  private init(_ text: Span<UInt8>, at position: inout Int) {
    switch JSONKind(firstByte: text[position]) {
    case .object: self = .object(Self.members(text, at: &position))
    case .array: self = .array(Self.elements(text, at: &position))
    case .string: self = .string(Self.string(text, at: &position))
    case .true: self.init(.bool(true), text, at: &position)
    case .false: self.init(.bool(false), text, at: &position)
    case .null: self.init(.null, text, at: &position)
    case .number, nil:
      let start = position
      position = ValidatedText.endOfScalar(text, from: start)
      self = .number(JSONString.decoded(text, start..<position))
    }
  }

  private init(_ literal: JSONValue, _ text: Span<UInt8>, at position: inout Int) {
    position = ValidatedText.endOfScalar(text, from: position)
    self = literal
  }

  private static func string(_ text: Span<UInt8>, at position: inout Int) -> String {
    let start = position + 1
    let end = ValidatedText.endOfString(text, from: start)
    position = end + 1
    return JSONString.decoded(text, start..<end)
  }

  private static func elements(_ text: Span<UInt8>, at position: inout Int) -> [JSONValue] {
    var elements: [JSONValue] = []
    var cursor = ContainerCursor(opening: position)
    while cursor.hasNext(in: text) { elements.append(JSONValue(text, at: &cursor.position)) }
    position = cursor.position
    return elements
  }

  private static func members(_ text: Span<UInt8>, at position: inout Int) -> [JSONMember] {
    var members: [JSONMember] = []
    var cursor = ContainerCursor(opening: position)
    while cursor.hasNext(in: text) {
      let name = JSONString.decoded(text, cursor.readName(in: text))
      members.append(JSONMember(name, JSONValue(text, at: &cursor.position)))
    }
    position = cursor.position
    return members
  }
}
