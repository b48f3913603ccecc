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

/// How a merge chooses between two lines of one key, before the steps that all rules share.
package enum MergeRule: Equatable, Sendable {
  /// The later clock wins, then a tombstone over an upsert.
  case lww
  /// A recorded terminal state is kept: of several states the earliest, and of its lines the one written
  /// first.
  case terminal(TerminalMembers)
  /// Written records stay: an upsert wins over a tombstone, and the earliest over later ones.
  case appendOnly

  /// The names of the rules in a profile.
  package enum Name: String, Sendable { case lww, terminal, appendOnly = "append-only" }

  package var name: Name {
    switch self {
    case .lww: .lww
    case .terminal: .terminal
    case .appendOnly: .appendOnly
    }
  }
}

/// The members that the terminal rule reads; of several pointers the first with a value counts.
package struct TerminalMembers: Equatable, Sendable {
  package var status: [JSONPointer]
  package var completedAt: [JSONPointer]
  package var dueDate: [JSONPointer]
  /// The terminal states, the strongest first.
  package var states: [String]
}

/// The facts that the terminal rule reads from one line.
package struct TerminalFacts: Equatable, Sendable {
  /// The place of the line's state among the terminal ones; nil if it is not terminal.
  package var rank: Int?
  /// `completedAt`, otherwise the clock.
  package var moment: Instant?
  package var dueDate: Instant?
}
