import JSONLines

/// Lines of events and of the registry.
extension JSONValue {
  /// Reads an object in which no member stands twice.
  init(meshLine line: Span<UInt8>) throws(MeshError) {
    do throws(JSONError) {
      self = try JSONValue(parsing: line)
    } catch {
      throw .json(error)
    }
    guard let members = objectValue else { throw .notAnObject }
    if let name = members.repeatedName { throw .duplicateMember(name) }
  }

  /// The string that has to be there.
  func meshString(_ name: String) throws(MeshError) -> String {
    guard let member = self[name] else { throw .missingMember(name) }
    guard let string = member.stringValue else { throw .wrongType(name, expected: "a string") }
    return string
  }
}
