package import JSONLines

/// Where a plain record has its entity, key and clock, which are separate members in a change line.
package struct RecordShape: Equatable, Sendable {
  /// The entity of records that do not name one.
  package var entityName = ""
  /// Whether a record must name its entity, because there are several candidates.
  package var requiresEntity = false
  /// The members that make the identity; empty means the member `id`.
  ///
  /// They are kept in the order of their last tokens, which are the identity's member names.
  package var keys: [JSONPointer] = [] {
    didSet { keys = keys.inIdentityOrder }
  }
  package var clock: JSONPointer?
  package var tombstone: JSONPointer?
  package var entity: JSONPointer?
  /// The profile; its settings for an entity take precedence.
  package var profile = Profile()

  package init() {}

  /// All pointers by which records are read.
  var pointers: [JSONPointer] {
    let all =
      [profile.entity ?? entity, clock, tombstone].compactMap(\.self) + keys + profile.others.pointers
    return profile.entities.isEmpty ? all : all + profile.entities.values.flatMap(\.pointers)
  }

  /// Records that follow the built-in profile `chores`.
  package static let chores = (try? RecordShape(rules: Array(Profile.chores.utf8).span)) ?? RecordShape()
}

extension [JSONPointer] {
  /// Why these pointers cannot be a key, nil if they can; `spell` writes a pointer as the user spelled it.
  ///
  /// The pointers are in the order of an identity's members.
  package func keyDefect(_ spell: (JSONPointer) -> String) -> String? {
    for (a, b) in zip(self, dropFirst()) where a.endsLike(b) {
      return "'\(spell(a))' and '\(spell(b))' end in the same name"
    }
    let mark = MemberName.newTokenData.spelling.description.utf8
    return first { $0.tokens.first?.utf8.elementsEqual(mark) == true }
      .map { "'\(spell($0))' marks checkpoint lines and cannot be a key" }
  }
}

/// The rules of a store as JSON, which docs/formats/store.md describes.
extension RecordShape {
  /// All rules for reading and merging lines, as canonical JSON; defaults are left out.
  package var rules: [UInt8] {
    let standard = inStandardForm
    var members: [JSONMember] = []
    if !standard.entityName.isEmpty { members.append(JSONMember("entityName", .string(standard.entityName))) }
    if let entity = standard.entity { members.append(JSONMember("entity", .string(entity.text))) }
    members += Self.reading(standard.keys, standard.clock, standard.tombstone)
    members += Self.entities(of: standard.profile) { entity in
      Self.reading(entity.keys, entity.clock, entity.tombstone) + Self.merging(entity)
    }
    return Self.canonical(members)
  }

  /// Whether the rules are the same, in any spelling.
  package func hasSameRules(as other: RecordShape) -> Bool { self == other || rules == other.rules }

  /// The rules that decide how change lines are merged, as canonical JSON; stores with the same rules merge
  /// alike.
  ///
  /// Pointers to keys and clocks are left out, because only the store that reads the records needs them.
  package var mergeRules: [UInt8] { Self.canonical(Self.entities(of: profile, Self.merging)) }

  /// The same rules in the standard form for comparing and writing them.
  var inStandardForm: RecordShape {
    var standard = self
    standard.entity = profile.entity ?? entity
    standard.profile.entity = nil
    if standard.keys == [JSONPointer(name: "id")] { standard.keys = [] }
    return standard
  }

  private static func entities(
    of profile: Profile, _ describe: (Profile.Entity) -> [JSONMember]
  ) -> [JSONMember] {
    let others = describe(profile.others)
    var entities = profile.entities.map { (String(decoding: $0.key, as: UTF8.self), describe($0.value)) }
      .filter { $0.1 != others }
    if others != [] { entities.append(("*", others)) }
    return entities.isEmpty
      ? [] : [JSONMember("entities", .object(entities.map { JSONMember($0.0, .object($0.1)) }))]
  }

  private static func reading(
    _ keys: [JSONPointer], _ clock: JSONPointer?, _ tombstone: JSONPointer?
  ) -> [JSONMember] {
    var members: [JSONMember] = []
    if !keys.isEmpty { members.append(JSONMember("key", .pointers(keys))) }
    if let clock { members.append(JSONMember("clock", .string(clock.text))) }
    if let tombstone { members.append(JSONMember("tombstone", .string(tombstone.text))) }
    return members
  }

  private static func merging(_ entity: Profile.Entity) -> [JSONMember] {
    var members: [JSONMember] = []
    if let identity = entity.identity { members.append(JSONMember("identity", .string(identity.rawValue))) }
    if !entity.required.isEmpty {
      // The order of the required members does not matter.
      let required = entity.required.sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
      members.append(JSONMember("required", .pointers(required)))
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

  private static func canonical(_ members: [JSONMember]) -> [UInt8] {
    var bytes: [UInt8] = []
    let text = Array(JSONValue.object(members).text.utf8)
    CanonicalJSON.append(text.span, 0..<text.count, to: &bytes)
    return bytes
  }
}

extension JSONValue {
  fileprivate static func pointers(_ pointers: [JSONPointer]) -> JSONValue {
    .array(pointers.map { .string($0.text) })
  }
}
