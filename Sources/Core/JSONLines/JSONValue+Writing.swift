extension JSONValue {
  /// The value as compact JSON: no white space, members in their order, numbers as written.
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
