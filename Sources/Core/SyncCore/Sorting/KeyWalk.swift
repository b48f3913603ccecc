import JSONLines

/// Visits sorted entries key by key; each thread has its own.
package struct KeyWalk {
  private var lines: ChangeReader
  private var order: KeyOrder
  private var keys: KeyReader

  package init(_ shape: RecordShape) {
    lines = ChangeReader(shape)
    order = KeyOrder(shape)
    keys = KeyReader(shape)
  }

  /// Passes the lines of each key of one range to `body`, in the order of keys.
  package mutating func forEachKey(
    of range: Int, in plan: RangePlan, _ table: LineTable,
    _ body: (KeyLines, inout ChangeReader) throws -> Void
  ) rethrows {
    var entries = plan.entries(of: range, in: table)
    try forEachKey(of: &entries, in: table, body)
  }

  /// As above for parts of sorted runs, in the order of the runs; also passes the words made from their keys.
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
        // The parts number their forms differently from the combined forms.
        entry.word -= first
        entry.word = words.word(entry, places[number], in: block.text, block.reach, &keys)
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
    // Entries are sorted and visited a few at a time, while their lines are in the processor's cache.
    while start < entries.count {
      let end = order.settle(&entries, from: start, in: table)
      try forEachKey(of: entries[start..<end], in: table, body)
      start = end
    }
  }

  /// As above, for entries already in order; each entry with the previous entry's key is marked.
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

/// Sorts entries by their keys where words alone do not decide.
struct KeyOrder {
  /// How many lines are loaded into the cache at a time.
  private static let batch = 64
  /// How many common bytes are passed step by step; each step reads the keys again from the start.
  private static let longest = 64 << 10

  /// Entries with new words that distinguish keys with the same former word.
  private struct Group {
    let end: Int
    /// How many bytes are the same in the tails of all keys.
    let shared: Int
  }

  private var sorter = EntrySorter()
  /// Prevents the compiler from removing reads ahead.
  private var sink: UInt8 = 0
  private var keys: KeyReader
  /// The groups that contain the next entry, the smallest one last.
  private var groups: [Group] = []
  /// The common word of these entries before they received new words.
  private var word: UInt64 = 0
  /// The state of a linear congruential generator, which chooses pivots; its start is as unpredictable as the
  /// seed of a dictionary.
  private var random = UInt64(truncatingIfNeeded: Hasher().finalize())

  init(_ shape: RecordShape) { keys = KeyReader(shape) }

  /// Sorts by the words, which must all be made with the same forms.
  mutating func sortByWord(_ entries: inout [LineEntry]) {
    groups.removeAll(keepingCapacity: true)
    sorter.sort(&entries)
  }

  /// Sorts the next entries with equal words by their keys, and marks each entry with the previous entry's
  /// key.
  ///
  /// Lines of one key keep their order.
  ///
  /// - Returns: the end of the sorted range, where another key begins.
  mutating func settle(_ entries: inout [LineEntry], from start: Int, in table: LineTable) -> Int {
    let limit = min(start + Self.batch, entries.count)
    sink ^= table.touch(entries[start..<limit])
    var next = start
    while next < limit {
      let same = next..<endOfWord(entries, from: next)
      if groups.isEmpty { word = entries[next].word }
      let isOne = same.count == 1 || isOneKey(entries, same, in: table)
      if !isOne {
        // Beyond this length, keys are unusual, or have changed since they were read.
        guard (groups.last?.shared ?? 0) > min(table.longestKey, Self.longest) else {
          tellApart(&entries, same, in: table)
          continue
        }
        sortByKey(&entries, same, in: table)
      }
      for index in same { entries[index].word = word }
      for index in same.dropFirst()
      where isOne || keys.isSame(entries[index], entries[index - 1], in: table) {
        entries[index].flags.insert(.sameKey)
      }
      next = same.upperBound
      while groups.last?.end == next { groups.removeLast() }
    }
    return next
  }

  private func endOfWord(_ entries: [LineEntry], from start: Int) -> Int {
    let limit = groups.last?.end ?? entries.count
    var end = start + 1
    while end < limit, entries[end].word == entries[start].word { end += 1 }
    return end
  }

  private mutating func isOneKey(_ entries: [LineEntry], _ group: Range<Int>, in table: LineTable) -> Bool {
    for index in group.dropFirst() where !keys.isSame(entries[index], entries[group.lowerBound], in: table) {
      return false
    }
    return true
  }

  /// Sorts by the complete keys, built once if they are small; this ends even if the text changes meanwhile.
  private mutating func sortByKey(_ entries: inout [LineEntry], _ group: Range<Int>, in table: LineTable) {
    let unsorted = Array(entries[group])
    let size = unsorted.reduce(0) { $0 + table.line(of: $1).count }
    let tails = size <= 64 << 20 ? unsorted.map { keys.tail($0, in: table) } : nil
    let order = unsorted.indices.sorted { a, b in
      let one = tails?[a] ?? keys.tail(unsorted[a], in: table)
      let other = tails?[b] ?? keys.tail(unsorted[b], in: table)
      let difference = ByteSearch.compare(one.span, other.span)
      return difference == 0 ? a < b : difference < 0
    }
    for (index, place) in zip(group, order) { entries[index] = unsorted[place] }
  }

  /// Makes new words for keys with the same word, and sorts by the new words.
  private mutating func tellApart(_ entries: inout [LineEntry], _ group: Range<Int>, in table: LineTable) {
    let shared = groups.last.map { $0.shared + PivotWord.shared(entries[group.lowerBound].word) } ?? 0
    // Pivots are random. Otherwise an attacker could choose keys of which each pivot distinguishes only a
    // few.
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let chosen = group.lowerBound + Int(random.multipliedFullWidth(by: UInt64(group.count)).high)
    let pivot = keys.pivot(entries[chosen], after: shared, in: table)
    for index in group {
      if (index - group.lowerBound) % Self.batch == 0 {
        sink ^= table.touch(entries[index..<min(index + Self.batch, group.upperBound)])
      }
      entries[index].word = keys.word(entries[index], beside: pivot, in: table)
    }
    sorter.sort(&entries, group)
    groups.append(Group(end: group.upperBound, shared: shared))
  }
}
