import JSONLines

extension JSONValue {
  /// A record of strings with the types that its members have had before, where their texts are of these.
  ///
  /// A member that the file has no column for stays as it was.
  func typed(like before: JSONValue) -> JSONValue {
    guard let members = objectValue, let old = before.objectValue else { return self }
    let typed = members.map { member in
      JSONMember(member.name, member.value.typed(likeMember: old[named: member.name]))
    }
    return .object(typed + old.filter { members[named: $0.name] == nil })
  }

  private func typed(likeMember before: JSONValue?) -> JSONValue {
    guard case .string(let text) = self else { return self }
    switch before {
    case .null where text.isEmpty: return .null
    case .bool where text == "true" || text == "false": return .bool(text == "true")
    case .number:
      let bytes = Array(text.utf8)
      guard let value = try? JSONValue(parsing: bytes.span), case .number = value else { return self }
      return value
    default: return self
    }
  }
}
