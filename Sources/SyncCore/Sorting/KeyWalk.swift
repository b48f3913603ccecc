import JSONLines

/// Goes through sorted entries key by key; one for each thread.
package struct KeyWalk {
  private var lines: ChangeReader
  private var order: KeyOrder

  package init(_ shape: RecordShape) {
    lines = ChangeReader(shape)
    order = KeyOrder(shape)
  }

  /// Hands over the lines of each key of one range, in the order of keys; of one source or of all.
  package mutating func forEachKey(
    of range: Int, source: Int? = nil, in plan: RangePlan, _ table: LineTable,
    _ body: (KeyLines, inout ChangeReader) throws -> Void
  ) rethrows {
    var entries = plan.entries(of: range, source: source, in: table)
    order.sort(&entries, in: table)
    try forEachKey(of: entries, in: table, body)
  }

  /// The same of entries that are in order already and marked where they have the key of the one before.
  package mutating func forEachKey(
    of entries: [LineEntry], in table: LineTable, _ body: (KeyLines, inout ChangeReader) throws -> Void
  ) rethrows {
    var start = 0
    while start < entries.count {
      var end = start + 1
      while end < entries.count, entries[end].flags.contains(.sameKey) { end += 1 }
      try body(KeyLines(entries[start..<end], in: table), &lines)
      start = end
    }
  }
}
