import JSONLines

extension WireTypes {
  /// Appends the file of types: names in the order of their bytes, an entity or a record a line.
  package func append(to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "{\"entities\":{".utf8)
    Self.append(entities, to: &bytes)
    bytes.append(contentsOf: "},\"exceptions\":{".utf8)
    Self.append(exceptions, to: &bytes)
    bytes.append(contentsOf: "}}\n".utf8)
  }

  private static func append(_ tables: [[UInt8]: WireTypeTable], to bytes: inout [UInt8]) {
    var separator = "\n"
    for (name, table) in sorted(tables) {
      bytes.append(contentsOf: separator.utf8)
      JSONString.appendQuoted(utf8: name, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      value(table).append(to: &bytes)
      separator = ",\n"
    }
    if !tables.isEmpty { bytes.append(10) }
  }

  private static func value(_ table: WireTypeTable) -> JSONValue {
    let sections = WireTypeTable.Section.allCases.filter { !table[$0].isEmpty }
    return .object(sections.map { JSONMember($0.rawValue, value(table[$0])) })
  }

  private static func value(_ tags: [[UInt8]: WireTag]) -> JSONValue {
    .object(sorted(tags).map { JSONMember(String(decoding: $0, as: UTF8.self), .string($1.rawValue)) })
  }

  private static func sorted<Value>(_ items: [[UInt8]: Value]) -> [(key: [UInt8], value: Value)] {
    items.sorted { a, b in a.key.lexicographicallyPrecedes(b.key) }
  }
}
