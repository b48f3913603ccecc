package import CommandLine
import JSONLines
package import SyncCore

/// Lines with their canonical keys and what they say, copied one behind the other: what is handed to a store.
package struct KeyedLines: Sendable {
  private var bytes: [UInt8] = []
  private var entries: [Entry] = []
  /// Keys whose lines are different records of an append-only entity, of which one was appended.
  package private(set) var conflicts = Conflicts()

  private struct Entry: Sendable {
    var key: Range<Int>
    var line: Range<Int>
    /// Its places are within the line.
    var change: ChangeLine
  }

  package init() {}

  package mutating func append(_ index: Int, of lines: KeyLines, _ reader: inout ChangeReader) {
    let start = bytes.count
    let change = reader.change(lines.text(index), key: &bytes)
    let end = bytes.count
    bytes.append(lines.text(index))
    entries.append(Entry(key: start..<end, line: end..<bytes.count, change: change))
  }

  /// Appends the line of a key that wins.
  package mutating func appendWinner(of lines: KeyLines, _ reader: inout ChangeReader) {
    let winner = Merge.winner(of: lines, &reader)
    append(winner, of: lines, &reader)
    guard Merge.conflict(with: winner, in: lines) != nil, let place = entries.last?.key else { return }
    let key = Array(bytes[place])
    conflicts.add(key.span)
  }

  package func forEach(
    _ body: (_ key: Span<UInt8>, _ line: Span<UInt8>, _ change: ChangeLine) throws -> Void
  ) rethrows {
    for entry in entries {
      try body(bytes.span.extracting(entry.key), bytes.span.extracting(entry.line), entry.change)
    }
  }
}

extension Console {
  /// Says that a store without rules has taken those of a peer.
  package func noteAdoptedRules(of peer: String) {
    note("the store had no rules, and has taken those of \(peer); synclog rules show writes them")
  }

  /// Names append-only records that differ from others under their keys, if there are any.
  ///
  /// `peer` says whose they were, where that is not plain.
  package func note(_ conflicts: Conflicts, of peer: String? = nil) {
    let reason = "another record of this key differs, though its entity is append-only"
    let place = peer.map { "\($0): " } ?? ""
    for key in conflicts.keys {
      // Keys may be long enough to fill a screen.
      let name = String(decoding: key.prefix(200), as: UTF8.self) + (key.count > 200 ? "…" : "")
      note("\(place)\(name): \(reason)")
    }
    let rest = conflicts.count - conflicts.keys.count
    if rest > 0 { note("\(place)such keys that are not listed: \(rest)") }
  }
}
