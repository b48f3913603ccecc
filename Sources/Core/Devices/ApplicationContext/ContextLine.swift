import JSONLines

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
    if let name = members.repeatedName { throw .duplicateMember(name) }
    self.members = members
  }

  /// Nil where the member is absent or null.
  subscript(_ name: String) -> JSONValue? {
    members[named: name].flatMap { $0 == .null ? nil : $0 }
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
