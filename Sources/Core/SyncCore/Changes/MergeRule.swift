package import JSONLines

/// How a merge chooses between two lines of one key, before the steps that all rules share.
package enum MergeRule: Equatable, Sendable {
  /// The later clock wins, then a tombstone over an upsert.
  case lww
  /// A recorded terminal state is kept.
  ///
  /// The earliest of several states wins, and of the lines with that state, the line that was written first.
  case terminal(TerminalMembers)
  /// Written records are kept: an upsert wins over a tombstone, and the earliest upsert over later ones.
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
