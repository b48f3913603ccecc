import JSONLines

/// The merge of one key: the winner, and why each other line lost.
package struct Contest: Sendable {
  package struct Loser: Sendable {
    /// The line's index among the lines of the key.
    package var index: Int
    /// The step that separated it from the winner.
    package var step: MergeOrder.Step
  }

  package let winner: Int
  /// The losing lines, nearest to the winner first; lines with its bytes come before all others.
  package let losers: [Loser]
  package let key: [UInt8]
  let lines: KeyLines
  /// The change read from each line.
  let changes: [ChangeLine]
  private let texts: [[UInt8]]

  package init(_ lines: KeyLines, _ reader: inout ChangeReader) {
    self.lines = lines
    key = reader.key(of: lines.text(0))
    let winner = Merge.winner(of: lines, &reader)
    self.winner = winner
    let copies = lines.indices.map { reader.copy(lines.text($0)) }
    let (changes, texts) = (copies.map(\.change), copies.map(\.text))
    (self.changes, self.texts) = (changes, texts)
    let compare = { (a: Int, b: Int) in
      let (aText, bText) = (texts[a], texts[b])
      return MergeOrder.compare(changes[a], aText.span, changes[b], bText.span)
    }
    losers = lines.indices.filter { $0 != winner }.sorted { compare($0, $1).order > 0 }
      .map { Loser(index: $0, step: compare(winner, $0).step) }
  }

  /// The place of the winner: its source and 1-based line.
  package var source: Int { lines.source(winner) }
  package var lineNumber: Int { lines.lineNumber(winner) }

  package var rule: String { changes[winner].facts.ruleName }

  /// The losers that are not copies of the winner.
  package var contenders: [Loser] { losers.filter { $0.step != .identical } }

  /// Whether any other line is a different record, although the key is append-only.
  package var isConflict: Bool {
    contenders.contains { loser in
      let (kept, lost) = (texts[winner], texts[loser.index])
      return MergeOrder.isConflict(changes[winner], kept.span, changes[loser.index], lost.span)
    }
  }

  /// Appends one line: `{"key":…,"rule":…,"step":…,"conflict":…,"winner":{…},"losers":[{…}]}`.
  ///
  /// `names` are the names of the sources.
  package func append(_ losers: [Loser], _ names: [String], to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "{\"key\":".utf8)
    bytes.append(contentsOf: key)
    bytes.append(contentsOf: ",\"rule\":\"\(rule)\"".utf8)
    if let step = losers.first?.step { bytes.append(contentsOf: ",\"step\":\"\(step.rawValue)\"".utf8) }
    bytes.append(contentsOf: ",\"conflict\":\(isConflict),\"winner\":".utf8)
    append(winner, nil, names, to: &bytes)
    bytes.append(contentsOf: ",\"losers\":[".utf8)
    for (place, loser) in losers.enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      append(loser.index, loser.step, names, to: &bytes)
    }
    bytes.append(contentsOf: "]}\n".utf8)
  }

  /// `{"file":"a.jsonl","line":3,"step":"clock","change":…}`, the change byte for byte.
  private func append(_ index: Int, _ step: MergeOrder.Step?, _ names: [String], to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "{\"file\":".utf8)
    JSONString.appendQuoted(names[lines.source(index)], to: &bytes)
    bytes.append(contentsOf: ",\"line\":\(lines.lineNumber(index))".utf8)
    if let step { bytes.append(contentsOf: ",\"step\":\"\(step.rawValue)\"".utf8) }
    bytes.append(contentsOf: ",\"change\":".utf8)
    bytes.append(contentsOf: texts[index])
    bytes.append(UInt8(ascii: "}"))
  }
}

extension RuleFacts {
  package var ruleName: String {
    let name: MergeRule.Name =
      switch self {
      case .lww: .lww
      case .terminal: .terminal
      case .appendOnly: .appendOnly
      }
    return name.rawValue
  }
}

extension Contest {
  /// An explanation for people: every line of the key, the winner first, and why the others lost.
  ///
  /// `names` are the names of the sources.
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
  /// The facts that the terminal rule used, if any.
  fileprivate var details: String {
    guard case .terminal(let facts) = self else { return "" }
    if facts.rank != nil { return "  terminal at \(facts.moment?.description ?? "no time")" }
    return facts.dueDate.map { "  due \($0)" } ?? ""
  }
}

extension MergeOrder.Step {
  fileprivate var reason: String {
    switch self {
    case .terminal: "loses: not terminal"
    case .moment: "loses: later terminal time"
    case .state: "loses: its state is listed later"
    case .upsert: "loses: a tombstone, and the rule keeps written records"
    case .earlier: "loses: later clock, and the rule keeps the earliest"
    case .clock: "loses: earlier clock"
    case .tombstone: "loses: same clock, and the winner is a tombstone"
    case .dueDate: "loses: earlier due date"
    case .version: "loses: lower version"
    case .content: "loses: otherwise equal, smaller canonical content"
    case .bytes: "loses: same content, smaller bytes"
    case .identical: "the same bytes"
    }
  }
}
