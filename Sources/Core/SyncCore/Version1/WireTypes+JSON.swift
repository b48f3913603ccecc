import JSONLines

extension WireTypes {
  /// Reads a file of types; its form is in docs/formats/wire-delta.md.
  ///
  /// Unknown and duplicate members are errors.
  package init(parsing text: Span<UInt8>) throws(WireFailure) {
    let root: JSONValue
    do throws(JSONError) {
      root = try JSONValue(parsing: text)
    } catch {
      throw WireFailure(.json(error))
    }
    for member in try Self.members(root, []) {
      switch member.name {
      case "entities": entities = try Self.tables(member.value, [member.name])
      case "exceptions": exceptions = try Self.tables(member.value, [member.name])
      default: throw WireFailure(.unknownMember(member.name))
      }
    }
    for key in exceptions.keys where !Self.isCanonicalKey(key) {
      throw WireFailure(.invalidKey, at: ["exceptions", String(decoding: key, as: UTF8.self)])
    }
  }

  private static func tables(
    _ value: JSONValue, _ place: [String]
  ) throws(WireFailure) -> [[UInt8]: WireTypeTable] {
    var tables: [[UInt8]: WireTypeTable] = [:]
    for member in try members(value, place) {
      tables[Array(member.name.utf8)] = try table(member.value, place + [member.name])
    }
    return tables
  }

  private static func table(_ value: JSONValue, _ place: [String]) throws(WireFailure) -> WireTypeTable {
    var table = WireTypeTable()
    for member in try members(value, place) {
      guard let section = WireTypeTable.Section(rawValue: member.name) else {
        throw WireFailure(.unknownMember(member.name), at: place)
      }
      let place = place + [member.name]
      for type in try members(member.value, place) {
        table.set(try tag(type.value, place + [type.name]), section, Array(type.name.utf8))
      }
    }
    return table
  }

  private static func tag(_ value: JSONValue, _ place: [String]) throws(WireFailure) -> WireTag {
    guard let name = value.stringValue else {
      throw WireFailure(.wrongType(place.last ?? "", expected: "the name of a type"), at: place)
    }
    guard let tag = WireTag(rawValue: name), tag.form != .literal else {
      throw WireFailure(.unknownTag(name), at: place)
    }
    return tag
  }

  /// The members of an object without duplicate names.
  private static func members(_ value: JSONValue, _ place: [String]) throws(WireFailure) -> [JSONMember] {
    guard let members = value.objectValue else { throw WireFailure(.notAnObject, at: place) }
    if let name = members.repeatedName { throw WireFailure(.duplicateMember(name), at: place) }
    return members
  }

  private static func isCanonicalKey(_ key: [UInt8]) -> Bool {
    guard (try? JSONScanner.validate(key.span)) != nil, key.first == UInt8(ascii: "[") else { return false }
    var canonical: [UInt8] = []
    CanonicalJSON.append(key.span, key.span.onlyValue, to: &canonical)
    return canonical == key
  }

  /// Appends the file of types: names in the order of their bytes, one entity or record per line.
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
