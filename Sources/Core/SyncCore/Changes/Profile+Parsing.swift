package import JSONLines

extension Profile {
  /// Reads a profile; an unknown member is an error, because it may be a mistyped rule.
  package init(parsing text: Span<UInt8>) throws(MemberError) {
    let rules = try RuleMembers(parsing: text, refusing: .strict)
    try self.init(rules)
    try rules.requireOnly(Self.names)
  }

  fileprivate static let names = ["entity", "entities"]

  fileprivate init(_ rules: RuleMembers) throws(MemberError) {
    entity = try rules.pointer("entity")
    for member in try rules.inside("entities")?.all ?? [] {
      let rules = try RuleMembers(member.value, at: ["entities", member.name], refusing: .strict)
      let entity = try Entity(rules)
      if member.name == "*" { others = entity } else { entities[Array(member.name.utf8)] = entity }
    }
  }
}

extension RecordShape {
  /// Reads the rules of a store: a profile, and additional options.
  package init(rules text: Span<UInt8>) throws(MemberError) {
    let rules = try RuleMembers(parsing: text, refusing: .strict)
    self.init()
    entityName = try rules.optionalString("entityName") ?? ""
    keys = try rules.keys()
    clock = try rules.pointer("clock")
    tombstone = try rules.pointer("tombstone")
    profile = try Profile(rules)
    swap(&entity, &profile.entity)
    try rules.requireOnly(Profile.names + ["entityName", "key", "clock", "tombstone"])
  }
}

extension Profile.Entity {
  fileprivate init(_ rules: RuleMembers) throws(MemberError) {
    let names = ["key", "identity", "required", "clock", "tombstone", "rule"]
    keys = try rules.keys()
    if let name = try rules.optionalString("identity") {
      guard let form = IdentityForm(rawValue: name) else {
        throw rules.error("identity", .wrong("not uuid or date"))
      }
      identity = form
    }
    required = try rules.pointers("required") ?? []
    if Set(required).count < required.count { throw rules.error("required", .wrong("duplicate pointer")) }
    clock = try rules.pointer("clock")
    tombstone = try rules.pointer("tombstone")
    switch MergeRule.Name(rawValue: try rules.optionalString("rule") ?? "lww") {
    case .lww: rule = .lww
    case .appendOnly: rule = .appendOnly
    case .terminal: rule = .terminal(try TerminalMembers(rules))
    case nil: throw rules.error("rule", .wrong("not lww, terminal or append-only"))
    }
    try rules.requireOnly(names + TerminalMembers.names)
    if case .terminal = rule { return }
    try rules.requireOnly(names, else: "allowed only beside \"rule\":\"terminal\"")
  }
}

extension TerminalMembers {
  fileprivate static let names = ["status", "completedAt", "dueDate", "terminal"]

  fileprivate init(_ rules: RuleMembers) throws(MemberError) {
    status = try rules.pointers("status") ?? [JSONPointer(name: "status")]
    completedAt = try rules.pointers("completedAt") ?? [JSONPointer(name: "completedAt")]
    dueDate = try rules.pointers("dueDate") ?? [JSONPointer(name: "dueDate")]
    states = try rules.strings("terminal") ?? ["completed", "skipped"]
    if Set(states.map { Array($0.utf8) }).count < states.count {
      throw rules.error("terminal", .wrong("duplicate state"))
    }
  }
}

private typealias RuleMembers = Members<MemberError>

extension RuleMembers {
  fileprivate func requireOnly(_ names: [String]) throws(MemberError) {
    try requireOnly(names, else: "not a member of a profile")
  }

  /// The object in this member of the profile; nil if it is absent.
  fileprivate func inside(_ name: String) throws(MemberError) -> RuleMembers? {
    guard let value = try self[name] else { return nil }
    return try RuleMembers(value, at: [name], refusing: .strict)
  }

  /// One string, or an array of at least one string; nil if the member is absent.
  fileprivate func strings(_ name: String) throws(MemberError) -> [String]? {
    if try self[name]?.arrayValue?.isEmpty == true { throw error(name, .wrong("an empty array")) }
    return try find(name, as: "a string or an array of strings") { value in
      let strings = (value.arrayValue ?? [value]).compactMap(\.stringValue)
      return strings.count == value.arrayValue?.count ?? 1 ? strings : nil
    }
  }

  fileprivate func pointers(_ name: String) throws(MemberError) -> [JSONPointer]? {
    guard let strings = try strings(name) else { return nil }
    let pointers = strings.compactMap { $0.isEmpty ? nil : JSONPointer($0) }
    guard pointers.count == strings.count else { throw error(name, .wrong("not a JSON Pointer such as /id")) }
    return pointers
  }

  fileprivate func pointer(_ name: String) throws(MemberError) -> JSONPointer? {
    guard let pointers = try pointers(name) else { return nil }
    guard pointers.count == 1 else { throw error(name, .wrong("more than one pointer")) }
    return pointers[0]
  }

  /// The key, in the order of an identity.
  fileprivate func keys() throws(MemberError) -> [JSONPointer] {
    let keys = try pointers("key")?.inIdentityOrder ?? []
    if let defect = keys.keyDefect(\.text) { throw error("key", .wrong(defect)) }
    return keys
  }
}
