import JSONLines

/// What is wrong with a profile, and where in it.
package struct ProfileError: Error, Equatable, Sendable {
  /// A JSON Pointer into the profile; empty for the whole.
  package var place: String
  /// Lower-case, no final period.
  package var message: String
}

extension Profile {
  /// Reads a profile; a member that it does not know is an error, because it may be a rule mistyped.
  package init(parsing text: Span<UInt8>) throws(ProfileError) {
    var reader = try ProfileReader(parsing: text)
    try self.init(&reader)
    try reader.finish()
  }

  fileprivate init(_ reader: inout ProfileReader) throws(ProfileError) {
    entity = try reader.pointer("entity")
    for (name, value) in try reader.object("entities") {
      var entry = try ProfileReader(value, at: ["entities", name])
      let entity = try Entity(&entry)
      try entry.finish()
      if name == "*" { others = entity } else { entities[Array(name.utf8)] = entity }
    }
  }
}

extension RecordShape {
  /// Reads the rules of a store: a profile, and what options say besides.
  package init(rules text: Span<UInt8>) throws(ProfileError) {
    var reader = try ProfileReader(parsing: text)
    self.init()
    entityName = try reader.string("entityName") ?? ""
    keys = try reader.pointers("key")?.inIdentityOrder ?? []
    if let defect = keys.keyDefect(\.text) { throw reader.error("key", defect) }
    clock = try reader.pointer("clock")
    tombstone = try reader.pointer("tombstone")
    profile = try Profile(&reader)
    swap(&entity, &profile.entity)
    try reader.finish()
  }
}

extension Profile.Entity {
  fileprivate init(_ reader: inout ProfileReader) throws(ProfileError) {
    keys = try reader.pointers("key")?.inIdentityOrder ?? []
    if let defect = keys.keyDefect(\.text) { throw reader.error("key", defect) }
    if let name = try reader.string("identity") {
      guard let form = IdentityForm(rawValue: name) else {
        throw reader.error("identity", "not uuid or date")
      }
      identity = form
    }
    required = try reader.pointers("required") ?? []
    if Set(required).count < required.count { throw reader.error("required", "duplicate pointer") }
    clock = try reader.pointer("clock")
    tombstone = try reader.pointer("tombstone")
    switch MergeRule.Name(rawValue: try reader.string("rule") ?? "lww") {
    case .lww: rule = .lww
    case .appendOnly: rule = .appendOnly
    case .terminal: rule = .terminal(try TerminalMembers(&reader))
    case nil: throw reader.error("rule", "not lww, terminal or append-only")
    }
  }
}

extension TerminalMembers {
  fileprivate init(_ reader: inout ProfileReader) throws(ProfileError) {
    status = try reader.pointers("status") ?? [JSONPointer(name: "status")]
    completedAt = try reader.pointers("completedAt") ?? [JSONPointer(name: "completedAt")]
    dueDate = try reader.pointers("dueDate") ?? [JSONPointer(name: "dueDate")]
    states = try reader.strings("terminal") ?? ["completed", "skipped"]
    if Set(states.map { Array($0.utf8) }).count < states.count {
      throw reader.error("terminal", "a state stands twice")
    }
  }
}

/// Takes members out of an object and knows where it stands.
///
/// Names are told apart by their UTF-8: those that are merely equivalent to Unicode are different names.
private struct ProfileReader {
  private var members: [[UInt8]: JSONValue] = [:]
  private let place: [String]

  init(parsing text: Span<UInt8>) throws(ProfileError) {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(parsing: text)
    } catch {
      throw ProfileError(place: "", message: "\(error.message) at byte \(error.offset)")
    }
    try self.init(value, at: [])
  }

  init(_ value: JSONValue, at place: [String]) throws(ProfileError) {
    self.place = place
    guard let object = value.objectValue else {
      throw ProfileError(place: JSONPointer(tokens: place).text, message: "not an object")
    }
    for member in object where members.updateValue(member.value, forKey: Array(member.name.utf8)) != nil {
      throw error(member.name, "stands twice")
    }
  }

  func error(_ names: String..., because message: String) -> ProfileError {
    ProfileError(place: JSONPointer(tokens: place + names).text, message: message)
  }

  func error(_ name: String, _ message: String) -> ProfileError { error(name, because: message) }

  /// What has not been taken by now is nothing that a profile has.
  func finish() throws(ProfileError) {
    guard let name = members.keys.min(by: { $0.lexicographicallyPrecedes($1) }) else { return }
    throw error(String(decoding: name, as: UTF8.self), "no such member in a profile")
  }

  private mutating func take(_ name: String) -> JSONValue? { members.removeValue(forKey: Array(name.utf8)) }

  mutating func string(_ name: String) throws(ProfileError) -> String? {
    guard let value = take(name) else { return nil }
    guard let string = value.stringValue else { throw error(name, "not a string") }
    return string
  }

  /// One string or an array of at least one.
  mutating func strings(_ name: String) throws(ProfileError) -> [String]? {
    guard let value = take(name) else { return nil }
    let strings = (value.arrayValue ?? [value]).compactMap(\.stringValue)
    guard !strings.isEmpty, strings.count == value.arrayValue?.count ?? 1 else {
      throw error(name, "not a string or an array of strings")
    }
    return strings
  }

  mutating func pointers(_ name: String) throws(ProfileError) -> [JSONPointer]? {
    guard let strings = try strings(name) else { return nil }
    let pointers = strings.compactMap { $0.isEmpty ? nil : JSONPointer($0) }
    guard pointers.count == strings.count else { throw error(name, "not a JSON Pointer such as /id") }
    return pointers
  }

  mutating func pointer(_ name: String) throws(ProfileError) -> JSONPointer? {
    guard let pointers = try pointers(name) else { return nil }
    guard pointers.count == 1 else { throw error(name, "more than one pointer") }
    return pointers[0]
  }

  mutating func object(_ name: String) throws(ProfileError) -> [(name: String, value: JSONValue)] {
    guard let value = take(name) else { return [] }
    guard let members = value.objectValue else { throw error(name, "not an object") }
    if let repeated = members.repeatedName { throw error(name, repeated, because: "stands twice") }
    return members.map { ($0.name, $0.value) }
  }
}
