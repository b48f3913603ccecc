package import JSONLines

/// A member that differs between two versions of a record.
package struct MemberChange: Equatable, Sendable {
  package var pointer: JSONPointer
  /// The old value; nil if the member is new.
  package var old: JSONValue?
  /// The new value; nil if the member was removed.
  package var new: JSONValue?

  /// The differing members, in the order of the old record and then of the new.
  ///
  /// Objects are compared member by member; arrays, and objects with a duplicate member, as single values.
  package static func list(from old: JSONValue, to new: JSONValue) -> [MemberChange] {
    list(from: old, to: new, at: [])
  }

  private static func list(from old: JSONValue?, to new: JSONValue?, at place: [String]) -> [MemberChange] {
    if let (oldMembers, oldValues) = old?.uniqueMembers, let (newMembers, newValues) = new?.uniqueMembers {
      let added = newMembers.filter { oldValues[Array($0.name.utf8)] == nil }
      return (oldMembers + added).flatMap { member in
        let name = Array(member.name.utf8)
        return list(from: oldValues[name], to: newValues[name], at: place + [member.name])
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
  /// The members in order and by the UTF-8 of their names; nil unless this is an object without duplicates.
  fileprivate var uniqueMembers: ([JSONMember], [[UInt8]: JSONValue])? {
    guard let members = objectValue else { return nil }
    let values = Dictionary(members.map { (Array($0.name.utf8), $0.value) }) { first, _ in first }
    return values.count == members.count ? (members, values) : nil
  }
}
