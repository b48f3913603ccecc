import JSONLines

/// What the merge of one key did: the winner, and why each other line lost.
package struct Contest: Sendable {
  package struct Loser: Sendable {
    /// The line's place among the lines of the key.
    package var index: Int
    /// What told it from the winner.
    package var step: MergeOrder.Step
  }

  package let winner: Int
  /// The one that came nearest first; lines of the same bytes as the winner come before all.
  package let losers: [Loser]
  package let key: [UInt8]
  let lines: KeyLines
  /// What has been read of each line.
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

  /// Where the winner stands: its source and 1-based line.
  package var source: Int { lines.source(winner) }
  package var lineNumber: Int { lines.lineNumber(winner) }

  package var rule: String { changes[winner].facts.ruleName }

  /// The losers that are not the winner over again.
  package var contenders: [Loser] { losers.filter { $0.step != .identical } }

  /// Whether any other line is a different record, though the key is append-only.
  package var isConflict: Bool {
    contenders.contains { loser in
      let (kept, lost) = (texts[winner], texts[loser.index])
      return MergeOrder.isConflict(changes[winner], kept.span, changes[loser.index], lost.span)
    }
  }

  /// Appends one line: `{"key":…,"rule":…,"step":…,"conflict":…,"winner":{…},"losers":[{…}]}`.
  ///
  /// `names` are those of the sources.
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
