/// A small JSON tree, for messages.
///
/// Objects keep the order of their members; numbers keep their text. `==` compares order and text; to compare
/// values, use ``JSONEquality``.
package indirect enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)

  /// A number as written, which must be a valid JSON number.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([JSONMember])

  /// A whole number.
  package static func integer(_ value: some BinaryInteger) -> JSONValue {
    .number(String(value))
  }
}

extension JSONValue {
  package static func == (a: JSONValue, b: JSONValue) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.number(let a), .number(let b)): a == b
    // Strings that are only canonically equivalent are different strings in JSON.
    case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
    case (.array(let a), .array(let b)): a == b
    case (.object(let a), .object(let b)): a == b
    default: false
    }
  }

  /// The first member with that name; nil if missing or if this is not an object.
  package subscript(_ name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members[named: name]
  }

  /// The string, if this is one.
  package var stringValue: String? {
    if case .string(let string) = self { string } else { nil }
  }

  /// The truth value, if this is one.
  package var boolValue: Bool? {
    if case .bool(let bool) = self { bool } else { nil }
  }

  /// The number, if its exact value is an Int, as for `7`, `7.0` or `7e2`.
  package var intValue: Int? {
    guard case .number(let text) = self else { return nil }
    let decimal = ExactDecimal(Array(text.utf8).span, 0..<text.utf8.count)
    guard decimal.isInteger else { return nil }
    return decimal.floor(timesTenToThe: 0).flatMap { Int(exactly: $0) }
  }

  /// The elements, if this is an array.
  package var arrayValue: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The members in order, if this is an object.
  package var objectValue: [JSONMember]? {
    if case .object(let members) = self { members } else { nil }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  package init(stringLiteral value: String) { self = .string(value) }
}

extension JSONValue: ExpressibleByIntegerLiteral {
  package init(integerLiteral value: Int) { self = .integer(value) }
}

extension JSONValue: ExpressibleByBooleanLiteral {
  package init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSONValue: ExpressibleByArrayLiteral {
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
  /// Keeps the members in the order written.
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { JSONMember($0, $1) })
  }
}

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
  /// The value of the first member whose name has the same bytes.
  package subscript(named name: String) -> JSONValue? {
    first { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  /// How many members have a name with the same bytes.
  package func count(named name: String) -> Int { count { $0.name.utf8.elementsEqual(name.utf8) } }

  /// The first duplicate name, compared by bytes.
  package var repeatedName: String? {
    var names: Set<[UInt8]> = []
    return first { !names.insert([UInt8]($0.name.utf8)).inserted }?.name
  }
}
