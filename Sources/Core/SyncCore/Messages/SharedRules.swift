package import JSONLines

/// One store's rules, on which two stores must agree before they exchange changes.
package struct SharedRules: Equatable, Sendable {
  /// The rules by which lines are merged, as canonical JSON.
  package var mergeRules: [UInt8]
  /// SHA-256 of ``mergeRules`` in lower-case hex digits.
  package var digest: String
  package var entities: StoredEntities

  package init(_ shape: RecordShape, digest: String, entities: StoredEntities) {
    mergeRules = shape.mergeRules
    (self.digest, self.entities) = (digest, entities)
  }

  /// The maximum size in bytes of rules and of entities, both sent and read.
  package static let longest = 64 << 10
}

/// The entities of a store's lines: for each name, the members of its identities.
package struct StoredEntities: Equatable, Sendable {
  /// The member names of each form of an entity's identities, in canonical order; the forms are sorted.
  package var names: [String: [[String]]] = [:]

  package init() {}

  /// Adds the member names of a canonical key.
  package mutating func note(_ key: Span<UInt8>) {
    guard let list = Key.identityMembers(of: key) else { return }
    var lists = names[Key.entity(of: key)] ?? []
    if !lists.contains(list) { lists.append(list) }
    names[Key.entity(of: key)] = lists.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// The entities as JSON: `{"Task":[["id"]]}`.
  package var json: JSONValue {
    .object(
      names.sorted { $0.key < $1.key }.map { name, lists in
        JSONMember(name, .array(lists.map { .array($0.map { .string($0) }) }))
      })
  }

  /// Reads the entities in the form of ``json``; nil if the JSON has another form.
  package init?(_ value: JSONValue) {
    guard let members = value.objectValue else { return nil }
    for member in members {
      guard let lists = member.value.arrayValue else { return nil }
      names[member.name] = try? lists.map { list in
        guard let names = list.arrayValue?.map(\.stringValue), !names.contains(nil) else { throw NotNames() }
        return names.compactMap { $0 }
      }
      if names[member.name] == nil { return nil }
    }
  }

  private struct NotNames: Error {}
}

/// Why two stores cannot exchange changes.
package struct RulesDifference: Equatable, Sendable {
  package var code: PeerErrorCode
  /// The difference, with the names of both sides.
  package var text: String
}

extension SharedRules {
  /// The reason to refuse any exchange with the requesting side; nil to allow it.
  ///
  /// Both sides report the text. `mixing` allows records without an entity beside records that name theirs.
  package func difference(
    from request: SyncRequest, own: Side, mixing: Bool
  ) -> RulesDifference? {
    guard let digest = request.rulesDigest else { return nil }
    let (here, there) = Self.names(own, Side(request.peerId, request.deviceName))
    if digest != self.digest {
      let other = (request.facts?.mergeRules).flatMap { try? JSONValue(parsing: $0.span) }
      let rules = try? JSONValue(parsing: mergeRules.span)
      let text = rules.flatMap { own in other.flatMap { Self.difference(own, here, $0, there) } }
      return RulesDifference(code: .rulesDiffer, text: text ?? "the sides merge by different rules")
    }
    guard let facts = request.facts else { return nil }
    return entities.difference(from: facts.entities, here, there, mixing: mixing || facts.mixesEntities)
  }

  package struct Side: Sendable {
    var id: String
    var name: String
    package init(_ id: String, _ name: String) { (self.id, self.name) = (id, name) }
  }

  /// Two devices with the same name are distinguished by the beginnings of their ids.
  private static func names(_ own: Side, _ other: Side) -> (String, String) {
    guard own.name == other.name else { return ("'\(own.name.shown)'", "'\(other.name.shown)'") }
    let names = [own, other].map { "'\($0.name.shown)' (\($0.id.prefix(8).lowercased()))" }
    return (names[0], names[1])
  }

  /// The first rule of an entity that differs between the two sides.
  private static func difference(
    _ own: JSONValue, _ here: String, _ other: JSONValue, _ there: String
  ) -> String? {
    let (mine, theirs) = (entities(own), entities(other))
    for entity in Set(mine.keys).union(theirs.keys).sorted() {
      let one = mine[entity] ?? mine["*"] ?? [:]
      let two = theirs[entity] ?? theirs["*"] ?? [:]
      // If the rule differs, its members differ too, so the rule is compared first.
      let names = Set(one.keys).union(two.keys).sorted { ($0 == "rule" ? "" : $0) < ($1 == "rule" ? "" : $1) }
      for rule in names where one[rule] != two[rule] {
        let fallback = rule == "rule" ? "lww" : "not set"
        let name = entity == "*" ? "every other entity" : "entity '\(entity.shown)'"
        return "\(name): '\(rule.shown)' is \(one[rule]?.shown ?? fallback) on \(here), "
          + "\(two[rule]?.shown ?? fallback) on \(there)"
      }
    }
    return nil
  }

  private static func entities(_ rules: JSONValue) -> [String: [String: String]] {
    var entities: [String: [String: String]] = [:]
    for entity in rules["entities"]?.objectValue ?? [] {
      for rule in entity.value.objectValue ?? [] {
        entities[entity.name, default: [:]][rule.name] = rule.value.stringValue ?? rule.value.text
      }
      entities[entity.name] = entities[entity.name] ?? [:]
    }
    return entities
  }
}

extension StoredEntities {
  /// The members of the key's identity and of its entity's identities, for people; nil if they do not differ.
  package func otherForm(than key: Span<UInt8>) -> (given: String, stored: String)? {
    let list = Key.identityMembers(of: key)
    guard let lists = names[Key.entity(of: key)], let list, !lists.contains(list)
    else { return nil }
    return (Self.spelled([list]), Self.spelled(lists))
  }

  fileprivate func difference(
    from other: StoredEntities, _ here: String, _ there: String, mixing: Bool
  ) -> RulesDifference? {
    for (entity, lists) in names.sorted(by: { $0.key < $1.key }) {
      guard let theirs = other.names[entity], Set(lists).isDisjoint(with: theirs) else { continue }
      return RulesDifference(
        code: .identityDiffers,
        text: "entity '\(entity.shown)': identities have \(Self.spelled(lists)) on \(here), "
          + "\(Self.spelled(theirs)) on \(there)")
    }
    guard !mixing, isNameless && other.isNamed || isNamed && other.isNameless else { return nil }
    let (nameless, named, list) = isNameless ? (here, there, other) : (there, here, self)
    return RulesDifference(
      code: .entitiesDiffer,
      text: "the records of \(nameless) do not name their entity, but those of \(named) name "
        + list.names.keys.sorted().prefix(3).map { "'\($0.shown)'" }.joined(separator: ", "))
  }

  private var isNameless: Bool { Set(names.keys) == [""] }
  private var isNamed: Bool { !names.isEmpty && names[""] == nil }

  private static func spelled(_ lists: [[String]]) -> String {
    lists.prefix(2).map { list in
      list.isEmpty ? "no member" : list.map { "'\($0.shown)'" }.joined(separator: " and ")
    }
    .joined(separator: " or ")
  }
}
