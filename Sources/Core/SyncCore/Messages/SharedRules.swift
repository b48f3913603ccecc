package import JSONLines

/// One store's side of the agreement that two need before they exchange changes.
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

  /// More bytes than this are neither sent nor read, in rules and in entities.
  package static let longest = 64 << 10
}

/// The entities of a store's lines: by name, which members their identities have.
package struct StoredEntities: Equatable, Sendable {
  /// Lists of names in the order of the canonical identity, sorted.
  package var names: [String: [[String]]] = [:]

  package init() {}

  /// Takes note of a canonical key.
  package mutating func note(_ key: Span<UInt8>) {
    guard let list = Key.identityMembers(of: key) else { return }
    var lists = names[Key.entity(of: key)] ?? []
    if !lists.contains(list) { lists.append(list) }
    names[Key.entity(of: key)] = lists.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// As JSON: `{"Task":[["id"]]}`.
  package var json: JSONValue {
    .object(
      names.sorted { $0.key < $1.key }.map { name, lists in
        JSONMember(name, .array(lists.map { .array($0.map { .string($0) }) }))
      })
  }

  /// Nil for JSON of another form.
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
