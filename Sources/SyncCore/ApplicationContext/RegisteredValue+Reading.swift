import JSONLines

extension RegisteredValue {
  /// Reads a line: the key, where it may be, how it goes, and its value as `data` (Base64), `text` or `json`.
  package init(parsing line: Span<UInt8>) throws(ContextError) {
    try self.init(try ContextLine(parsing: line))
  }

  init(_ line: ContextLine) throws(ContextError) {
    self.init(
      key: try line.string("key"), availability: try line.word("availability"),
      policy: try line.word("policy"),
      data: try Self.value(line))
  }

  private static let forms = ["data", "text", "json"]

  /// Null and absent are no value, and two are one too many.
  private static func value(_ line: ContextLine) throws(ContextError) -> [UInt8]? {
    let given = forms.filter { line[$0] != nil }
    guard given.count < 2 else { throw .severalValues(given) }
    if let data = line["data"] { return try ContextText.bytes(data, named: "data") }
    if let text = line["text"] {
      guard let string = text.stringValue else { throw .wrongType("text", expected: "a string") }
      return Array(string.utf8)
    }
    return line["json"].map { Array($0.text.utf8) }
  }
}

/// A line that is one object.
struct ContextLine {
  let members: [JSONMember]

  init(parsing line: Span<UInt8>) throws(ContextError) {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(parsing: line)
    } catch {
      throw ContextError(error)
    }
    guard let members = value.objectValue else { throw .notAnObject }
    for (index, member) in members.enumerated()
    where members[..<index].contains(where: { $0.name == member.name }) {
      throw .duplicateMember(member.name)
    }
    self.members = members
  }

  /// Nil where the member is absent or null.
  subscript(_ name: String) -> JSONValue? {
    members.first { $0.name == name && $0.value != .null }?.value
  }

  func require(_ name: String) throws(ContextError) -> JSONValue {
    guard let value = self[name] else { throw .missingMember(name) }
    return value
  }

  func string(_ name: String) throws(ContextError) -> String {
    guard let string = try require(name).stringValue else { throw .wrongType(name, expected: "a string") }
    return string
  }

  func flag(_ name: String) throws(ContextError) -> Bool {
    guard let flag = try require(name).boolValue else {
      throw .wrongType(name, expected: "true or false")
    }
    return flag
  }

  func word<Word: RawRepresentable<String>>(_ name: String) throws(ContextError) -> Word {
    let text = try string(name)
    guard let word = Word(rawValue: text) else { throw .unknownValue(name, text) }
    return word
  }
}
