package import JSONLines

/// How the lines of each entity are read and merged.
package struct Profile: Equatable, Sendable {
  /// How the lines of one entity are read and merged; nil or empty members mean the default.
  package struct Entity: Equatable, Sendable {
    package var keys: [JSONPointer] = []
    /// How the values of the identity are compared.
    package var identity: IdentityForm?
    /// The members that a live record must have.
    package var required: [JSONPointer] = []
    package var clock: JSONPointer?
    package var tombstone: JSONPointer?
    package var rule = MergeRule.lww

    package init() {}

    var pointers: [JSONPointer] { [clock, tombstone].compactMap(\.self) + keys }
  }

  /// The pointer to the entity of plain records.
  package var entity: JSONPointer?
  package var entities: [[UInt8]: Entity] = [:]
  /// The rules for entities that are not listed.
  package var others = Entity()

  package init() {}

  /// Names are compared by UTF-8, because names that are equivalent in Unicode are different names.
  package subscript(_ name: [UInt8]) -> Entity { entities[name] ?? others }

  /// The names of the entities that are append-only, sorted.
  package var appendOnlyEntities: [String] {
    entities.filter { $0.value.rule == .appendOnly }.map { String(decoding: $0.key, as: UTF8.self) }.sorted()
  }
}

extension Profile {
  /// The built-in profiles by name.
  package static let builtIn = ["chores": chores]

  /// Two people's chores: members and templates, their occurrences and completions.
  package static let chores = """
    {
      "entities": {
        "Member": {"identity": "uuid", "rule": "lww"},
        "Template": {"identity": "uuid", "rule": "lww"},
        "Occurrence": {
          "identity": "uuid",
          "rule": "terminal",
          "status": ["/statusRaw", "/status"],
          "completedAt": "/completedAt",
          "dueDate": "/dueDate",
          "terminal": ["completed", "skipped"]
        },
        "CompletionEvent": {"identity": "uuid", "rule": "append-only"}
      }
    }
    """
}
