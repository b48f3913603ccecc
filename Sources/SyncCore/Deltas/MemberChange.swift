package import JSONLines

/// A member that differs between two versions of a record.
package struct MemberChange: Equatable, Sendable {
  package var pointer: JSONPointer
  /// Nil where the member is new.
  package var old: JSONValue?
  /// Nil where the member is gone.
  package var new: JSONValue?

  /// The members that differ, in the order of the old record and then of the new; objects are gone into, arrays
  /// and objects that name a member twice are compared whole.
  package static func list(from old: JSONValue, to new: JSONValue) -> [MemberChange] {
    list(from: old, to: new, at: [])
  }

  private static func list(from old: JSONValue?, to new: JSONValue?, at place: [String]) -> [MemberChange] {
    if let old = old?.uniqueMembers, let new = new?.uniqueMembers {
      let names = old.map(\.name) + new.map(\.name).filter { name in !old.contains { $0.name == name } }
      return names.flatMap { name in
        list(
          from: old.first { $0.name == name }?.value, to: new.first { $0.name == name }?.value,
          at: place + [name])
      }
    }
    return isEqual(old, new) ? [] : [MemberChange(pointer: JSONPointer(tokens: place), old: old, new: new)]
  }

  private static func isEqual(_ a: JSONValue?, _ b: JSONValue?) -> Bool {
    guard let a, let b else { return a == nil && b == nil }
    let (aText, bText) = (Array(a.text.utf8), Array(b.text.utf8))
    return JSONEquality.isEqual(aText.span, 0..<aText.count, bText.span, 0..<bText.count)
  }

  /// `{"at":"/title","old":"a","new":"b"}`.
  package var value: JSONValue {
    var members = [JSONMember("at", .string(pointer.text))]
    if let old { members.append(JSONMember("old", old)) }
    if let new { members.append(JSONMember("new", new)) }
    return .object(members)
  }
}

extension JSONValue {
  /// The members of an object that has each name once.
  fileprivate var uniqueMembers: [JSONMember]? {
    guard let members = objectValue, Set(members.map { Array($0.name.utf8) }).count == members.count else {
      return nil
    }
    return members
  }
}
