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
    order.sortByWord(&entries)
    var start = 0
    // Settled and visited a few at a time, while their lines are in the processor's cache.
    while start < entries.count {
      let end = order.settle(&entries, from: start, in: table)
      try forEachKey(of: entries[start..<end], in: table, body)
      start = end
    }
  }

  /// The same of entries that are in order already and marked where they have the key of the one before.
  package mutating func forEachKey(
    of entries: ArraySlice<LineEntry>, in table: LineTable,
    _ body: (KeyLines, inout ChangeReader) throws -> Void
  ) rethrows {
    var start = entries.startIndex
    while start < entries.endIndex {
      var end = start + 1
      while end < entries.endIndex, entries[end].flags.contains(.sameKey) { end += 1 }
      try body(KeyLines(entries[start..<end], in: table), &lines)
      start = end
    }
  }
}
