package import JSONLines

/// Which of two lines of one key a merge keeps, before the steps that all rules share.
package enum MergeRule: Equatable, Sendable {
  /// The later clock wins, then a tombstone over an upsert.
  case lww
  /// A terminal state, once recorded, stays: among several the earliest, and of that the line that was written first.
  case terminal(TerminalMembers)
  /// What has been written stays: an upsert wins over a tombstone, and the earliest over later ones.
  case appendOnly

  /// What a profile calls the rules.
  package enum Name: String, Sendable { case lww, terminal, appendOnly = "append-only" }

  package var name: Name {
    switch self {
    case .lww: .lww
    case .terminal: .terminal
    case .appendOnly: .appendOnly
    }
  }
}

/// Where the terminal rule finds what it reads; of several places the first that has something holds.
package struct TerminalMembers: Equatable, Sendable {
  package var status: [JSONPointer]
  package var completedAt: [JSONPointer]
  package var dueDate: [JSONPointer]
  /// The states that are terminal, the one that wins over the others first.
  package var states: [String]
}

/// What the terminal rule has read from one line.
package struct TerminalFacts: Equatable, Sendable {
  /// The place of the line's state among the terminal ones; nil where it is not terminal.
  package var rank: Int?
  /// `completedAt`, else the clock.
  package var moment: Instant?
  package var dueDate: Instant?
}
