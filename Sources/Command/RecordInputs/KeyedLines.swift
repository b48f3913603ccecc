import JSONLines
package import SyncCore

/// Copies of lines with their canonical keys and parsed changes, for a store.
package struct KeyedLines: Sendable {
  private var bytes: [UInt8] = []
  private var entries: [Entry] = []
  /// Keys of append-only entities with several different records; one of the records was appended.
  package private(set) var conflicts = Conflicts()

  private struct Entry: Sendable {
    var key: Range<Int>
    var line: Range<Int>
    /// The parsed change; its places are relative to the line.
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

  /// Appends the winning line of a key.
  package mutating func appendWinner(of lines: KeyLines, _ reader: inout ChangeReader) {
    let winner = Merge.winner(of: lines, &reader)
    append(winner, of: lines, &reader)
    guard Merge.conflict(with: winner, in: lines, &reader) != nil, let place = entries.last?.key else {
      return
    }
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
