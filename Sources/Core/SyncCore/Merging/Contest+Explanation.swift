import JSONLines

extension Contest {
  /// The same for a person: every line of the key, the winner first, and why the others lost.
  ///
  /// `names` are those of the sources.
  package func explanation(_ names: [String]) -> String {
    let title = String(decoding: key, as: UTF8.self).escapingControls
    let order = [winner] + losers.map(\.index)
    let rows = [row(winner, "wins")] + losers.map { row($0.index, $0.step.reason) }
    let places = order.map { "\(names[lines.source($0)].escapingControls):\(lines.lineNumber($0))" }
    let width = places.map(\.count).max() ?? 0
    let table = zip(places, rows).map { place, row in
      "  \(place)\(String(repeating: " ", count: width - place.count))  \(row)\n"
    }
    return "\(title): \(order.count) \(order.count == 1 ? "line" : "lines"), rule \(rule)\n" + table.joined()
  }

  private func row(_ index: Int, _ outcome: String) -> String {
    let change = changes[index]
    let clock = change.clock?.description ?? "no clock"
    return "\(clock)  \(change.isTombstone ? "tombstone" : "upsert")\(change.facts.details)  \(outcome)"
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
