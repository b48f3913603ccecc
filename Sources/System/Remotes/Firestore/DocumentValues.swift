import JSONLines
import SyncCore

/// The reason why a record cannot become a document, or a document cannot become a record.
struct DocumentProblem: Error, Equatable {
  var code: ErrorCode
  var message: String

  init(_ code: ErrorCode, _ message: String) { (self.code, self.message) = (code, message) }
}

/// Converts the values of a document, objects with one member that names the type, to plain JSON and back.
///
/// <https://cloud.google.com/firestore/docs/reference/rest/v1/Value>
enum DocumentValues {
  /// The deepest nesting of maps and arrays.
  private static let deepest = 20

  // MARK: To plain JSON

  /// The members of a document in the order of their names, so every device reads the same text.
  static func plain(_ fields: [JSONMember]) throws(DocumentProblem) -> [JSONMember] {
    var members: [JSONMember] = []
    for field in fields.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
      members.append(JSONMember(field.name, try plain(field.value, field.name)))
    }
    return members
  }

  private static func plain(_ value: JSONValue, _ name: String) throws(DocumentProblem) -> JSONValue {
    guard let member = value.objectValue?.first else { throw unknown(name, "no type") }
    let content = member.value
    switch (member.name, content) {
    case ("nullValue", _): return .null
    case ("booleanValue", .bool), ("stringValue", .string): return content
    case ("timestampValue", .string(let text)) where Instant(text) != nil: return content
    case ("bytesValue", .string(let text)) where isBase64(text): return content
    case ("referenceValue", .string(let text)) where isReference(text): return content
    case ("integerValue", .string(let text)), ("integerValue", .number(let text)):
      guard let integer = Int64(text) else { throw unfit(name, member.name) }
      return .number(String(integer))
    case ("doubleValue", .number(let text)):
      // Use the canonical spelling, in which a point or an exponent marks a number that is not an integer.
      guard let double = Double(text), double.isFinite else { throw unfit(name, member.name) }
      return .number("\(double == 0 ? 0 : double)")
    case ("doubleValue", .string(let text)) where notNumbers.contains(text): return content
    case ("geoPointValue", .object):
      return .object(
        try ["latitude", "longitude"].map { part throws(DocumentProblem) in
          JSONMember(part, try plain(["doubleValue": content[part] ?? 0], name))
        })
    case ("arrayValue", .object):
      guard let values = content["values"].map(\.arrayValue) ?? [] else { throw unfit(name, member.name) }
      return .array(try values.map { element throws(DocumentProblem) in try plain(element, name) })
    case ("mapValue", .object):
      guard let fields = content["fields"].map(\.objectValue) ?? [] else { throw unfit(name, member.name) }
      return .object(try plain(fields))
    default: throw types.contains(member.name) ? unfit(name, member.name) : unknown(name, member.name)
    }
  }

  private static let types = [
    "booleanValue", "stringValue", "timestampValue", "bytesValue", "referenceValue", "doubleValue",
    "geoPointValue", "arrayValue", "mapValue",
  ]
  private static let notNumbers = ["NaN", "Infinity", "-Infinity"]

  private static func unfit(_ name: String, _ type: String) -> DocumentProblem {
    DocumentProblem(.unfitValue, "'\(name.shown(upTo: 100))' has a value that is not a valid \(type)")
  }

  private static func unknown(_ name: String, _ type: String) -> DocumentProblem {
    DocumentProblem(
      .unknownTag,
      "'\(name.shown(upTo: 100))' has a value of an unknown type: \(type.shown(upTo: 60))")
  }

  // MARK: From plain JSON

  /// `types` has the known types of members; otherwise a value gets the type in `present` if possible.
  static func typed(
    _ members: [JSONMember], like present: [JSONMember],
    depth: Int = 1, types: (String, JSONValue) -> WireTag? = { _, _ in nil }
  ) throws(DocumentProblem) -> [JSONMember] {
    if let name = members.repeatedName {
      throw DocumentProblem(.duplicateMember, "duplicate member '\(name.shown(upTo: 100))'")
    }
    guard depth <= deepest else {
      throw DocumentProblem(.nestingTooDeep, "maps and arrays in a document have at most \(deepest) levels")
    }
    var fields: [JSONMember] = []
    for member in members {
      let name = member.name
      guard isName(name) else {
        throw DocumentProblem(.unknownMember, "a document cannot have a member '\(name.shown(upTo: 100))'")
      }
      let value = try typed(
        member.value, like: present[named: name], types(name, member.value), depth: depth, name)
      fields.append(JSONMember(name, value))
    }
    return fields
  }

  /// Whether a document can have a member of that name.
  static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 1_500 && !isReserved(name)
  }

  /// Whether the service reserves a name, as `__name__`.
  static func isReserved(_ name: String) -> Bool {
    name.utf8.starts(with: "__".utf8) && name.endsInBytes(of: "__")
  }

  private static func typed(
    _ value: JSONValue, like present: JSONValue?, _ type: WireTag?, depth: Int, _ name: String
  ) throws(DocumentProblem) -> JSONValue {
    switch value {
    case .null: return ["nullValue": .null]
    case .bool: return ["booleanValue": value]
    case .string(let text): return typed(text, like: present, type)
    case .number(let text):
      return try number(
        text, isDouble: type.map { $0 == .double } ?? Self.isDouble(text, like: present), name)
    case .array(let elements):
      let others = present?["arrayValue"]?["values"]?.arrayValue ?? []
      guard depth < deepest else { return try tooDeep() }
      var values: [JSONValue] = []
      for (index, element) in elements.enumerated() {
        if case .array = element {
          throw DocumentProblem(
            .nestedValue, "'\(name.shown(upTo: 100))' has an array in an array, which a document cannot have")
        }
        let other = index < others.count ? others[index] : others.last
        values.append(try typed(element, like: other, nil, depth: depth + 1, name))
      }
      return ["arrayValue": ["values": .array(values)]]
    case .object(let members):
      if let present, present["geoPointValue"] != nil, let point = geoPoint(members) { return point }
      let others = present?["mapValue"]?["fields"]?.objectValue ?? []
      return ["mapValue": ["fields": .object(try typed(members, like: others, depth: depth + 1))]]
    }
  }

  private static func tooDeep() throws(DocumentProblem) -> JSONValue {
    throw DocumentProblem(.nestingTooDeep, "maps and arrays in a document have at most \(deepest) levels")
  }

  private static func typed(_ text: String, like present: JSONValue?, _ type: WireTag?) -> JSONValue {
    let isDate = type.map { $0 == .date } ?? (present?["timestampValue"] != nil)
    if isDate, let instant = Instant(text) { return ["timestampValue": .string(timestamp(instant))] }
    if type == nil, let present {
      if present["bytesValue"] != nil, isBase64(text) { return ["bytesValue": .string(text)] }
      if present["referenceValue"] != nil, isReference(text) {
        return ["referenceValue": .string(text)]
      }
      if present["doubleValue"] != nil, notNumbers.contains(text) {
        return ["doubleValue": .string(text)]
      }
    }
    return ["stringValue": .string(text)]
  }

  /// Whether a text may represent a value that is not a string.
  static func isOpen(_ text: String) -> Bool {
    Instant(text) != nil || isReference(text) || notNumbers.contains(text) || !text.isEmpty && isBase64(text)
  }

  /// Whether a text is the name of a document.
  private static func isReference(_ text: String) -> Bool {
    let parts = text.parts(at: "/")
    return parts.count >= 7 && parts.count % 2 == 1 && !parts.contains("")
      && parts[0] == "projects" && parts[2] == "databases" && parts[4] == "documents"
  }

  /// The text of a timestamp, which has microseconds.
  private static func timestamp(_ instant: Instant) -> String {
    let cut = Instant(seconds: instant.seconds, nanoseconds: instant.nanoseconds / 1_000 * 1_000)
    return (cut ?? instant).description
  }

  /// Whether a text is Base64 in the standard spelling.
  private static func isBase64(_ text: String) -> Bool {
    let digits = Array(text.utf8)
    var bytes: [UInt8] = []
    // The service would return a text with another spelling in the standard spelling.
    guard (try? Base64.decode(digits.span, into: &bytes)) != nil else { return false }
    var standard: [UInt8] = []
    Base64.append(bytes.span, to: &standard)
    return standard == digits
  }

  /// Whether to keep a double; an integer replaces a double that cannot represent it.
  private static func isDouble(_ text: String, like present: JSONValue?) -> Bool {
    present?["doubleValue"] != nil && (Double(text).map { isSame("\($0)", text) } ?? false)
  }

  private static func number(
    _ text: String, isDouble: Bool, _ name: String
  ) throws(DocumentProblem) -> JSONValue {
    if !isDouble, let integer = JSONValue.number(text).intValue, !text.utf8.contains(where: isMark) {
      return ["integerValue": .string(String(integer))]
    }
    guard let double = Double(text), double.isFinite, isSame("\(double)", text) else {
      throw DocumentProblem(
        .inexactNumber,
        "'\(name.shown(upTo: 100))' is \(text.shown(upTo: 60)), which a document cannot hold exactly")
    }
    // A server may drop the sign of zero.
    return ["doubleValue": .number("\(double == 0 ? 0 : double)")]
  }

  private static func isMark(_ byte: UInt8) -> Bool { ".eE".utf8.contains(byte) }

  private static func isSame(_ a: String, _ b: String) -> Bool {
    let (a, b) = (Array(a.utf8), Array(b.utf8))
    return ExactDecimal(a.span, 0..<a.count) == ExactDecimal(b.span, 0..<b.count)
  }

  private static func geoPoint(_ members: [JSONMember]) -> JSONValue? {
    guard members.count == 2, case .number(let latitude)? = members[named: "latitude"],
      case .number(let longitude)? = members[named: "longitude"],
      let latitude = Double(latitude), let longitude = Double(longitude),
      (-90...90).contains(latitude), (-180...180).contains(longitude)
    else { return nil }
    return ["geoPointValue": .object(members)]
  }

  // MARK: One spelling

  /// The values in a form for comparison: the service may change the spelling of a time, a number or bytes.
  static func normalized(_ fields: [JSONMember]) -> JSONValue {
    .object(
      fields.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        .map { JSONMember($0.name, normalized($0.value)) })
  }

  private static func normalized(_ value: JSONValue) -> JSONValue {
    guard let member = value.objectValue?.first else { return value }
    switch (member.name, member.value) {
    case ("timestampValue", .string(let text)):
      return Instant(text).map { ["timestampValue": .string(timestamp($0))] } ?? value
    case ("integerValue", .number(let text)): return ["integerValue": .string(text)]
    case ("doubleValue", .number(let text)):
      return Double(text).map { ["doubleValue": .string("\($0 == 0 ? 0 : $0)")] } ?? value
    case ("geoPointValue", .object):
      return [
        "geoPointValue": .object(
          ["latitude", "longitude"].map { part in
            JSONMember(part, normalized(["doubleValue": member.value[part] ?? 0]))
          })
      ]
    case ("arrayValue", let content):
      return ["arrayValue": .array((content["values"]?.arrayValue ?? []).map { normalized($0) })]
    case ("mapValue", let content): return ["mapValue": normalized(content["fields"]?.objectValue ?? [])]
    default: return value
    }
  }

  /// The size of the members in bytes, as the service counts it.
  ///
  /// <https://cloud.google.com/firestore/docs/storage-size>
  static func size(_ fields: [JSONMember]) -> Int {
    fields.reduce(0) { $0 + $1.name.utf8.count + 1 + size($1.value) }
  }

  private static func size(_ value: JSONValue) -> Int {
    guard let member = value.objectValue?.first else { return 1 }
    switch (member.name, member.value) {
    case ("stringValue", .string(let text)): return text.utf8.count + 1
    case ("bytesValue", .string(let text)): return text.utf8.count / 4 * 3
    case ("referenceValue", .string(let text)): return text.utf8.count + 16
    case ("arrayValue", let content): return (content["values"]?.arrayValue ?? []).reduce(0) { $0 + size($1) }
    case ("mapValue", let content): return size(content["fields"]?.objectValue ?? [])
    case ("geoPointValue", _): return 16
    case ("nullValue", _), ("booleanValue", _): return 1
    default: return 8
    }
  }
}
