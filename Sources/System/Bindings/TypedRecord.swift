import JSONLines
import Tables

extension JSONValue {
  /// A record of strings, converted to the previous types of its members where the texts allow that.
  ///
  /// A member without a column in the source stays unchanged. Without `hasTexts`, the source
  /// distinguishes null from an empty text.
  func typed(
    like before: JSONValue, hasTexts: Bool = true, isBlank: (JSONMember) -> Bool = { $0.value == .null }
  ) -> JSONValue {
    guard let members = objectValue, let old = before.objectValue else { return self }
    let typed = members.compactMap { member in
      let before = old[named: member.name]
      // Leave out an empty cell in a column without a previous value.
      if before == nil, isBlank(member) { return JSONMember?.none }
      return JSONMember(member.name, member.value.typed(likeMember: before, hasTexts: hasTexts))
    }
    return .object(typed + old.filter { members[named: $0.name] == nil })
  }

  private func typed(likeMember before: JSONValue?, hasTexts: Bool) -> JSONValue {
    // An empty cell is an empty text if there was a text before.
    if hasTexts, self == .null, case .string = before { return "" }
    guard case .string(let text) = self else { return self }
    switch before {
    case .bool: return Bool(spelled: text).map { .bool($0) } ?? self
    case .number:
      let bytes = Array(text.utf8)
      guard let value = try? JSONValue(parsing: bytes.span), case .number = value else { return self }
      return value
    default: return self
    }
  }
}

extension JSONValue {
  /// The record as it would be read again from a file of texts.
  var asTexts: JSONValue {
    .object(
      (objectValue ?? []).map { member in
        switch member.value {
        case .string(""): JSONMember(member.name, .null)
        case .number(let text): JSONMember(member.name, .string(text))
        case .bool(let bool): JSONMember(member.name, .string(bool ? "true" : "false"))
        default: member
        }
      })
  }

  /// A record of strings with a key converted to numbers; nil if that is impossible.
  func withNumbers(at names: [String]) -> JSONValue? {
    guard var members = objectValue else { return nil }
    var hasNumber = false
    for index in members.indices
    where names.contains(where: { $0.utf8.elementsEqual(members[index].name.utf8) }) {
      guard let text = members[index].value.stringValue else { continue }
      let bytes = Array(text.utf8)
      guard let value = try? JSONValue(parsing: bytes.span), case .number = value else { continue }
      members[index].value = value
      hasNumber = true
    }
    return hasNumber ? .object(members) : nil
  }
}
