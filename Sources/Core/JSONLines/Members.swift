/// The members of an object, looked up by the bytes of their names.
///
/// A null member counts as absent. In a strict object null is an error, because the person who wrote it may
/// have meant something by it.
package struct Members<Failure: MemberFailure> {
  /// The members to reject, in addition to duplicates of members that are read.
  package enum Rigour: Int, Sendable {
    case none
    /// Any duplicate name is rejected.
    case repeated
    /// Null values are rejected too.
    case strict
  }

  package let all: [JSONMember]
  private let place: [String]
  private let rigour: Rigour

  package init(_ members: [JSONMember], at place: [String] = []) {
    (all, self.place, rigour) = (members, place, .none)
  }

  package init(_ value: JSONValue, at place: [String] = [], refusing rigour: Rigour) throws(Failure) {
    guard let members = value.objectValue else { throw .member(MemberError(.notAnObject, at: place)) }
    (all, self.place, self.rigour) = (members, place, rigour)
    if rigour != .none, let name = members.repeatedName { throw error(name, .duplicate) }
  }

  package init(parsing text: Span<UInt8>, refusing rigour: Rigour = .none) throws(Failure) {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(parsing: text)
    } catch {
      throw .member(MemberError(.json(error)))
    }
    try self.init(value, refusing: rigour)
  }

  /// The error of a member.
  package func error(_ name: String, _ fault: MemberError.Fault) -> Failure {
    .member(MemberError(fault, at: place + [name]))
  }

  /// Rejects members with other names.
  package func requireOnly(_ names: [String], else flaw: String) throws(Failure) {
    let names = Set(names.map { Array($0.utf8) })
    let others = all.lazy.map { Array($0.name.utf8) }.filter { !names.contains($0) }
    guard let other = others.min(by: { $0.lexicographicallyPrecedes($1) }) else { return }
    throw error(String(decoding: other, as: UTF8.self), .wrong(flaw, .unknownMember))
  }

  // MARK: Values

  /// The value of a member; nil if the member is absent.
  package subscript(_ name: String) -> JSONValue? {
    get throws(Failure) {
      if rigour == .none, all.count(named: name) > 1 { throw error(name, .duplicate) }
      guard let value = all[named: name], rigour == .strict || value != .null else { return nil }
      return value
    }
  }

  package func require(_ name: String) throws(Failure) -> JSONValue {
    guard let value = try self[name] else { throw error(name, .missing) }
    return value
  }

  /// Converts a member; if `convert` returns nil, the member does not have the expected form.
  package func require<Value>(
    _ name: String, as expectation: String, _ convert: (JSONValue) -> Value?
  ) throws(Failure) -> Value {
    guard let value = convert(try require(name)) else { throw error(name, .wrong("not \(expectation)")) }
    return value
  }

  /// As `require`; nil if the member is absent.
  package func find<Value>(
    _ name: String, as expectation: String, _ convert: (JSONValue) -> Value?
  ) throws(Failure) -> Value? {
    try self[name] == nil ? nil : try require(name, as: expectation, convert)
  }

  package func string(_ name: String) throws(Failure) -> String {
    try require(name, as: "a string") { $0.stringValue }
  }

  package func optionalString(_ name: String) throws(Failure) -> String? {
    try find(name, as: "a string") { $0.stringValue }
  }

  package func flag(_ name: String) throws(Failure) -> Bool {
    try require(name, as: "true or false") { $0.boolValue }
  }

  /// A string from a list of words.
  package func word<Word: RawRepresentable<String>>(_ name: String) throws(Failure) -> Word {
    let text = try string(name)
    guard let word = Word(rawValue: text) else { throw error(name, .unknownValue(text)) }
    return word
  }
}
