import JSONLines

/// Deterministic merge, which keeps the largest line of each key in the merge order.
package enum Merge {
  /// The winning line of a key, and whether any other line differs from it.
  package struct Outcome: Equatable, Sendable {
    package var winner = 0
    package var isContested = false
  }

  /// The index of the winning line; of lines with the same bytes the first.
  package static func winner(of lines: KeyLines, _ reader: inout ChangeReader) -> Int {
    outcome(of: lines, &reader).winner
  }

  package static func outcome(of lines: KeyLines, _ reader: inout ChangeReader) -> Outcome {
    var outcome = Outcome()
    // The winner's change, text and mold, read on demand, and the text of the other line.
    var winner: ChangeLine?
    var cast: ObjectMolds<LineMembers>.Cast?
    var (text, otherText): ([UInt8], [UInt8]) = ([], [])
    for index in lines.indices.dropFirst() {
      let isWinner = winsByEntry(lines[index], lines[outcome.winner])
      if isWinner == nil, lines.isSame(index, outcome.winner) { continue }
      // Sameness is transitive, so a single difference in a row of comparisons shows that not all lines are
      // the same.
      outcome.isContested = true
      if let isWinner {
        if isWinner { (outcome.winner, winner) = (index, nil) }
        continue
      }
      let known = winner ?? reader.copy(lines.text(outcome.winner), into: &text)
      if winner == nil { (winner, cast) = (known, reader.cast) }
      let other = reader.copy(lines.text(index), into: &otherText)
      let order = MergeOrder.compare(other, otherText.span, known, text.span) { a, b in
        reader.compareContent(a, b, cast)
      }.order
      guard order > 0 else { continue }
      (outcome.winner, winner, cast) = (index, other, reader.cast)
      swap(&text, &otherText)
    }
    return outcome
  }

  /// Whether `a` wins over `b` by their entries alone; nil if the lines are needed.
  private static func winsByEntry(_ a: LineEntry, _ b: LineEntry) -> Bool? {
    let both = a.flags.intersection(b.flags)
    guard both.contains(.lastWrite) else { return nil }
    if a.clock != b.clock { return a.clock > b.clock }
    return both.contains(.exactClock) && a.isTombstone != b.isTombstone ? a.isTombstone : nil
  }

  /// A few lines of a key with the same result as all of them: the winner, one that differs from it, and one
  /// that conflicts with it, if any.
  @Sendable
  package static func representatives(_ lines: KeyLines, _ reader: inout ChangeReader) -> [Int] {
    let winner = winner(of: lines, &reader)
    var places: Set = [winner]
    if let other = lines.indices.first(where: { !lines.isSame($0, winner) }) { places.insert(other) }
    if let conflict = conflict(with: winner, in: lines, &reader) { places.insert(conflict) }
    return places.sorted()
  }

  /// The place of a line that is a different record from the winner of an append-only key; nil if missing.
  package static func conflict(
    with winner: Int, in lines: KeyLines, _ reader: inout ChangeReader
  ) -> Int? {
    guard lines[winner].flags.contains(.appendOnly) else { return nil }
    return lines.indices.first { !lines[$0].isTombstone && !reader.isEqual($0, winner, in: lines) }
  }
}

/// Counts of one merge.
package struct MergeSummary: Equatable, Sendable {
  package var lines = 0
  package var checkpoints = 0
  package var keys = 0
  package var tombstones = 0
  /// Keys with lines that differ.
  package var contested = 0
  /// Append-only keys with different records.
  package var conflicts = 0
  /// Lines that are not in the output: invalid lines, and lines with a clock too far ahead.
  package var leftOut = 0

  package init() {}

  /// Adds the counts of another part of the merge.
  package mutating func add(_ other: MergeSummary) {
    lines += other.lines
    checkpoints += other.checkpoints
    keys += other.keys
    tombstones += other.tombstones
    contested += other.contested
    conflicts += other.conflicts
    leftOut += other.leftOut
  }

  /// The summary as one JSON object.
  package var text: String {
    JSONValue.object([
      JSONMember("lines", .integer(lines)), JSONMember("checkpoints", .integer(checkpoints)),
      JSONMember("keys", .integer(keys)), JSONMember("tombstones", .integer(tombstones)),
      JSONMember("contested", .integer(contested)), JSONMember("conflicts", .integer(conflicts)),
      JSONMember("leftOut", .integer(leftOut)),
    ]).text
  }
}

/// Keys of append-only entities with two different records, one of which is lost.
package struct Conflicts: Equatable, Sendable {
  /// How long losing versions are kept by default.
  package static let defaultAge = Duration.seconds(30 * 86_400)

  /// How many keys are kept; the others are only counted, since a peer may send any number of them.
  private static let limit = 16

  /// How often two such records were found.
  package private(set) var count = 0
  /// The first of the keys, canonical.
  package private(set) var keys: [[UInt8]] = []

  package init() {}

  package mutating func add(_ key: Span<UInt8>) {
    count += 1
    if keys.count < Self.limit { keys.append(Array(copying: key)) }
  }

  package mutating func add(_ other: Conflicts) {
    count += other.count
    keys += other.keys.prefix(Self.limit - keys.count)
  }

  /// The conflicts that were added to `earlier`.
  package func since(_ earlier: Conflicts) -> Conflicts {
    var rest = self
    (rest.count, rest.keys) = (count - earlier.count, Array(keys.dropFirst(earlier.keys.count)))
    return rest
  }
}
