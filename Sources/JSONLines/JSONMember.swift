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
