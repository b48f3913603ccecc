public import JSONLines

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

/// Why values, events or messages of phone and watch cannot be used.
public enum ContextError: Explained, Equatable, Sendable {
  /// JSON that is none: the fault, and the byte of the line.
  case json(code: ErrorCode, message: String)
  case notAnObject
  case missingMember(String)
  case duplicateMember(String)
  /// More than one of the members that each are the value of a key.
  case severalValues([String])
  case wrongType(String, expected: String)
  case unknownValue(String, String)
  case invalidBase64(String, String)
  case duplicateKey(String)
  /// A key with a name that messages between phone and watch need.
  case reservedKey(String)
  /// More than the system carries, and who takes most of it.
  case contextTooLarge(size: Int, limit: Int, largest: [ContextMap.Share])
  /// A message that is no request.
  case unknownMessage
  /// A value that is not of the form that its handler has.
  case undecodableValue(String, form: String)
}

extension ContextError {
  package init(_ error: JSONError) {
    self = .json(
      code: error.code.errorCode, message: "\(error.message) at byte \(error.offset) of the line")
  }

  package var code: ErrorCode {
    switch self {
    case .json(let code, _): code
    case .notAnObject: .notAnObject
    case .missingMember: .missingMember
    case .duplicateMember, .severalValues: .duplicateMember
    case .wrongType: .wrongType
    case .unknownValue, .unknownMessage: .unknownValue
    case .invalidBase64: .invalidBase64
    case .duplicateKey: .duplicateKey
    case .reservedKey: .reservedKey
    case .contextTooLarge: .contextTooLarge
    case .undecodableValue: .undecodableValue
    }
  }

  /// Lower-case, no final period.
  package var message: String {
    switch self {
    case .json(_, let message): message
    case .notAnObject: "not a JSON object"
    case .missingMember(let name): "no member '\(name.shown)'"
    case .duplicateMember(let name): "member '\(name.shown)' stands twice"
    case .severalValues(let names):
      "more than one value: " + names.map { "'\($0)'" }.joined(separator: " and ")
    case .wrongType(let name, let expected): "'\(name.shown)' is not \(expected)"
    case .unknownValue(let name, let value): "unknown \(name) '\(value.shown)'"
    case .invalidBase64(let name, let reason): "'\(name.shown)' is not Base64: \(reason)"
    case .duplicateKey(let key): "key '\(key.shown)' stands twice"
    case .reservedKey(let key): "'\(key.shown)' is a word of the messages between phone and watch, and no key"
    case .contextTooLarge(let size, let limit, let largest):
      "a context of \(size) bytes, \(limit) at most; most of it is "
        + largest.map { "'\($0.key.shown)' (\($0.size))" }.joined(separator: ", ")
    case .unknownMessage: "a message that is no request: {\"request_sync\":true} is the only one"
    case .undecodableValue(let key, let form): "'\(key.shown)' is not \(form)"
    }
  }
}
