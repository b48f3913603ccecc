import JSONLines

extension RecordShape {
  /// What two stores have to agree on to read and merge the same lines alike, as canonical JSON.
  ///
  /// docs/formats/dialogue.md describes it. What is as without options and profile is left out.
  package var canonicalRules: [UInt8] {
    var members: [JSONMember] = []
    if !entityName.isEmpty { members.append(JSONMember("entityName", .string(entityName))) }
    if let entity = profile.entity ?? entity { members.append(JSONMember("entity", .string(entity.text))) }
    let others = described(profile.others)
    var entities = profile.entities.map { (String(decoding: $0.key, as: UTF8.self), described($0.value)) }
      .filter { $0.1 != others }
    if others != [] { entities.append(("*", others)) }
    if !entities.isEmpty {
      members.append(JSONMember("entities", .object(entities.map { JSONMember($0.0, .object($0.1)) })))
    }
    var rules: [UInt8] = []
    let text = Array(JSONValue.object(members).text.utf8)
    CanonicalJSON.append(text.span, 0..<text.count, to: &rules)
    return rules
  }

  /// What is not said of an entity is as it is for all.
  private func described(_ entity: Profile.Entity) -> [JSONMember] {
    var members: [JSONMember] = []
    let keys = entity.keys.isEmpty ? keys : entity.keys
    if !keys.isEmpty { members.append(JSONMember("key", .pointers(keys))) }
    if let clock = entity.clock ?? clock { members.append(JSONMember("clock", .string(clock.text))) }
    if let tombstone = entity.tombstone ?? tombstone {
      members.append(JSONMember("tombstone", .string(tombstone.text)))
    }
    if entity.rule != .lww { members.append(JSONMember("rule", .string(entity.rule.name.rawValue))) }
    if case .terminal(let terminal) = entity.rule {
      members += [
        JSONMember("status", .pointers(terminal.status)),
        JSONMember("completedAt", .pointers(terminal.completedAt)),
        JSONMember("dueDate", .pointers(terminal.dueDate)),
        JSONMember("terminal", .array(terminal.states.map { .string($0) })),
      ]
    }
    return members
  }
}

extension JSONValue {
  fileprivate static func pointers(_ pointers: [JSONPointer]) -> JSONValue {
    .array(pointers.map { .string($0.text) })
  }
}
