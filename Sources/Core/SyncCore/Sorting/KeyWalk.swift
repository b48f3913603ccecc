import JSONLines

/// Goes through sorted entries key by key; one for each thread.
package struct KeyWalk {
  private var lines: ChangeReader
  private var order: KeyOrder
  private var keys: KeyReader

  package init(_ shape: RecordShape) {
    lines = ChangeReader(shape)
    order = KeyOrder(shape)
    keys = KeyReader(shape)
  }

  /// Hands over the lines of each key of one range, in the order of keys.
  package mutating func forEachKey(
    of range: Int, in plan: RangePlan, _ table: LineTable,
    _ body: (KeyLines, inout ChangeReader) throws -> Void
  ) rethrows {
    var entries = plan.entries(of: range, in: table)
    try forEachKey(of: &entries, in: table, body)
  }

  /// The same of parts of sorted runs, in the order of the runs; with the words that were made of their keys.
  package mutating func forEachKey(
    of parts: [RunStretch], _ body: (KeyLines, KeyWords, inout ChangeReader) throws -> Void
  ) rethrows {
    var forms = KeyForms()
    let places = parts.map { forms.add($0.keyForms(&lines)) }
    let words = KeyWords(forms)
    var entries: [LineEntry] = []
    for (number, part) in parts.enumerated() {
      let (block, first) = (part.block, part.block.entries.first?.word ?? 0)
      for var entry in block.entries {
        entry.block = number
        // Parts know their forms by other numbers than the forms that were gathered of them.
        entry.word -= first
        entry.word = words.word(entry, places[number], in: block.text, &keys)
        entries.append(entry)
      }
    }
    try forEachKey(of: &entries, in: LineTable(parts.map(\.block))) { try body($0, words, &$1) }
  }

  private mutating func forEachKey(
    of entries: inout [LineEntry], in table: LineTable,
    _ body: (KeyLines, inout ChangeReader) throws -> Void
  ) rethrows {
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
  private mutating func forEachKey(
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
