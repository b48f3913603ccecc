import JSONLines

extension Contest {
  /// The same for a person: every line of the key, the winner first, and why the others lost.
  package func explanation(in set: ChangeSet) -> String {
    let key = String(decoding: set.key(of: winner), as: UTF8.self).escapingControls
    let count = losers.count + 1
    var rows = [row(winner, "wins")]
    rows += losers.map { row($0.entry, $0.step.reason) }
    let places = ([winner] + losers.map(\.entry)).map {
      "\(set.sources[$0.source].name.escapingControls):\($0.lineNumber)"
    }
    let width = places.map(\.count).max() ?? 0
    let lines = zip(places, rows).map { place, row in
      "  \(place)\(String(repeating: " ", count: width - place.count))  \(row)\n"
    }
    return "\(key): \(count) \(count == 1 ? "line" : "lines"), rule \(winner.line.facts.ruleName)\n"
      + lines.joined()
  }

  private func row(_ entry: ChangeSet.Entry, _ outcome: String) -> String {
    let clock = entry.line.clock?.description ?? "no clock"
    return
      "\(clock)  \(entry.line.isTombstone ? "tombstone" : "upsert")\(entry.line.facts.details)  \(outcome)"
  }
}

extension RuleFacts {
  /// What the terminal rule looked at, where it had something to look at.
  fileprivate var details: String {
    guard case .terminal(let facts) = self else { return "" }
    if facts.rank != nil { return "  terminal at \(facts.moment?.description ?? "no moment")" }
    return facts.dueDate.map { "  due \($0)" } ?? ""
  }
}

extension MergeOrder.Step {
  fileprivate var reason: String {
    switch self {
    case .terminal: "loses: not terminal"
    case .moment: "loses: later terminal moment"
    case .state: "loses: the other state goes first"
    case .upsert: "loses: a tombstone, and the rule keeps what was written"
    case .earlier: "loses: later clock, and the rule keeps the earliest"
    case .clock: "loses: earlier clock"
    case .tombstone: "loses: same clock, and the winner is a tombstone"
    case .dueDate: "loses: earlier due date"
    case .version: "loses: lower version"
    case .content: "loses: same up to here, smaller canonical content"
    case .bytes: "loses: same content, smaller bytes"
    case .identical: "the same bytes"
    }
  }
}
