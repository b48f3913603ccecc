package import JSONLines

/// How the lines of each entity are read and merged.
package struct Profile: Equatable, Sendable {
  /// How the lines of one entity are read and merged; what is nil or empty is as without a profile.
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
  }

  /// Where plain records name their entity.
  package var entity: JSONPointer?
  package var entities: [[UInt8]: Entity] = [:]
  /// For entities that are not listed.
  package var others = Entity()

  package init() {}

  /// By the UTF-8 of the entity's name: names that are merely equivalent to Unicode are different names.
  package subscript(_ name: [UInt8]) -> Entity { entities[name] ?? others }

  /// The names of the entities that are append-only, sorted.
  package var appendOnlyEntities: [String] {
    entities.filter { $0.value.rule == .appendOnly }.map { String(decoding: $0.key, as: UTF8.self) }.sorted()
  }
}

extension Profile {
  /// The profiles that need no file, by name.
  package static let builtIn = ["chores": chores]

  /// Two people's chores: members and templates, their occurrences, and what has been done.
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
