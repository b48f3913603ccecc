extension JSONValue {
  /// Reads one value with only white space around it; every member of an object is kept, even duplicates.
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

  /// The value as compact JSON: without white space, with members in their order and numbers as written.
  package var text: String {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the value as compact JSON.
  package func append(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += "null".utf8
    case .bool(let bool): bytes += (bool ? "true" : "false").utf8
    case .number(let text): bytes += text.utf8
    case .string(let string): JSONString.appendQuoted(string, to: &bytes)
    case .array(let elements): Self.append(elements, to: &bytes)
    case .object(let members): Self.append(members, to: &bytes)
    }
  }

  private static func append(_ elements: [JSONValue], to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "["))
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      element.append(to: &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private static func append(_ members: [JSONMember], to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "{"))
    for (index, member) in members.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      JSONString.appendQuoted(member.name, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      member.value.append(to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }
}
