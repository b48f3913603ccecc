/// The steps of each merge rule.
extension MergeOrder {
  /// The decision of the rule of both lines; nil if the last steps decide.
  static func byRule(_ a: ChangeLine, _ b: ChangeLine) -> (order: Int, step: Step)? {
    switch a.facts {
    case .lww: lastWrite(a, b)
    case .terminal(let facts):
      if case .terminal(let others) = b.facts { terminal(a, facts, b, others) } else { lastWrite(a, b) }
    case .appendOnly:
      prefer(!a.isTombstone, !b.isTombstone, .upsert) ?? earlier(a.clock, b.clock, .earlier)
    }
  }

  private static func lastWrite(_ a: ChangeLine, _ b: ChangeLine) -> (order: Int, step: Step)? {
    later(a.clock, b.clock, .clock) ?? prefer(a.isTombstone, b.isTombstone, .tombstone)
  }

  private static func terminal(
    _ a: ChangeLine, _ aFacts: TerminalFacts, _ b: ChangeLine, _ bFacts: TerminalFacts
  ) -> (order: Int, step: Step)? {
    guard let aRank = aFacts.rank, let bRank = bFacts.rank else {
      return prefer(aFacts.rank != nil, bFacts.rank != nil, .terminal)
        ?? lastWrite(a, b) ?? later(aFacts.dueDate, bFacts.dueDate, .dueDate)
    }
    if let decided = earlier(aFacts.moment, bFacts.moment, .moment) { return decided }
    if aRank != bRank { return (aRank < bRank ? 1 : -1, .state) }
    // A later edit of a terminal line has a later clock, and must not replace the first record.
    return earlier(a.clock, b.clock, .earlier)
  }

  // MARK: The steps

  private static func prefer(_ a: Bool, _ b: Bool, _ step: Step) -> (order: Int, step: Step)? {
    a == b ? nil : (a ? 1 : -1, step)
  }

  private static func later(_ a: Instant?, _ b: Instant?, _ step: Step) -> (order: Int, step: Step)? {
    if a == b { return nil }
    guard let a else { return (-1, step) }
    guard let b else { return (1, step) }
    return (a < b ? -1 : 1, step)
  }

  private static func earlier(_ a: Instant?, _ b: Instant?, _ step: Step) -> (order: Int, step: Step)? {
    if a == b { return nil }
    guard let a else { return (-1, step) }
    guard let b else { return (1, step) }
    return (a < b ? 1 : -1, step)
  }
}
