import JSONLines

/// What the merge of one key did: the winner, and why each other line lost.
package struct Contest: Sendable {
  package struct Loser: Sendable {
    package var entry: ChangeSet.Entry
    /// What told it from the winner.
    package var step: MergeOrder.Step
  }

  package var winner: ChangeSet.Entry
  /// The one that came nearest first; lines of the same bytes as the winner come before all.
  package var losers: [Loser]

  package init(_ lines: ArraySlice<ChangeSet.Entry>, winner: ChangeSet.Entry, in set: ChangeSet) {
    self.winner = winner
    let others = lines.filter { $0.source != winner.source || $0.lineNumber != winner.lineNumber }
    losers = others.sorted { Merge.compare($0, $1, in: set).order > 0 }.map {
      Loser(entry: $0, step: Merge.compare(winner, $0, in: set).step)
    }
  }

  /// The losers that are not the winner over again.
  package var contenders: [Loser] { losers.filter { $0.step != .identical } }

  /// Two different records under one append-only key: one of them is lost, which should not happen.
  package func isConflict(in set: ChangeSet) -> Bool {
    guard winner.line.facts == .appendOnly else { return false }
    return contenders.contains { loser in
      guard !loser.entry.line.isTombstone, !winner.line.isTombstone else { return false }
      let (kept, lost) = (set.sources[winner.source].bytes, set.sources[loser.entry.source].bytes)
      return MergeOrder.differInContent(
        kept.span.extracting(winner.range), lost.span.extracting(loser.entry.range))
    }
  }

  /// Appends one line: `{"key":…,"rule":…,"step":…,"conflict":…,"winner":{…},"losers":[{…}]}`.
  package func append(_ losers: [Loser], in set: ChangeSet, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "{\"key\":".utf8)
    bytes.append(contentsOf: set.key(of: winner))
    bytes.append(contentsOf: ",\"rule\":\"\(winner.line.facts.ruleName)\"".utf8)
    if let step = losers.first?.step { bytes.append(contentsOf: ",\"step\":\"\(step.rawValue)\"".utf8) }
    bytes.append(contentsOf: ",\"conflict\":\(isConflict(in: set)),\"winner\":".utf8)
    append(winner, nil, in: set, to: &bytes)
    bytes.append(contentsOf: ",\"losers\":[".utf8)
    for (index, loser) in losers.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      append(loser.entry, loser.step, in: set, to: &bytes)
    }
    bytes.append(contentsOf: "]}\n".utf8)
  }

  /// `{"file":"a.jsonl","line":3,"step":"clock","change":…}`, the change byte for byte.
  private func append(
    _ entry: ChangeSet.Entry, _ step: MergeOrder.Step?, in set: ChangeSet, to bytes: inout [UInt8]
  ) {
    bytes.append(contentsOf: "{\"file\":".utf8)
    JSONString.appendQuoted(set.sources[entry.source].name, to: &bytes)
    bytes.append(contentsOf: ",\"line\":\(entry.lineNumber)".utf8)
    if let step { bytes.append(contentsOf: ",\"step\":\"\(step.rawValue)\"".utf8) }
    bytes.append(contentsOf: ",\"change\":".utf8)
    bytes.append(contentsOf: set.sources[entry.source].bytes[entry.range])
    bytes.append(UInt8(ascii: "}"))
  }
}

extension RuleFacts {
  package var ruleName: String {
    switch self {
    case .lww: "lww"
    case .terminal: "terminal"
    case .appendOnly: "append-only"
    }
  }
}
