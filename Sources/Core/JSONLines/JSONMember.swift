/// A member of an object in a ``JSONValue``.
package struct JSONMember: Equatable, Sendable {
  package var name: String
  package var value: JSONValue

  package init(_ name: String, _ value: JSONValue) {
    self.name = name
    self.value = value
  }

  // Names that are only canonically equivalent are different names in JSON.
  package static func == (a: JSONMember, b: JSONMember) -> Bool {
    a.name.utf8.elementsEqual(b.name.utf8) && a.value == b.value
  }
}

extension [JSONMember] {
  /// The value of the first member of that name, in the same bytes.
  package subscript(named name: String) -> JSONValue? {
    first { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  /// How many members have that name, in the same bytes.
  package func count(named name: String) -> Int { count { $0.name.utf8.elementsEqual(name.utf8) } }

  /// The first name that one of the members before it has too, in the same bytes.
  package var repeatedName: String? {
    var names: Set<[UInt8]> = []
    return first { !names.insert([UInt8]($0.name.utf8)).inserted }?.name
  }
}
