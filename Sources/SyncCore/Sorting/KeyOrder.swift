import JSONLines

/// Puts entries in the order of their keys, where words alone do not tell.
struct KeyOrder {
  /// So many lines are brought into the cache at a time.
  private static let batch = 64

  private var sorter = EntrySorter()
  /// Keeps what is read ahead from being optimised away.
  private var sink: UInt8 = 0
  private var keys: KeyReader

  init(_ shape: RecordShape) { keys = KeyReader(shape) }

  /// Sorts by the words, which are all made by the same forms.
  mutating func sortByWord(_ entries: inout [LineEntry]) { sorter.sort(&entries) }

  /// Puts the next entries of those that are sorted by word in the order of their keys, and marks each that has the
  /// key of the one before; lines of one key stay as they were.
  ///
  /// - Returns: the end of what is settled, where another key begins.
  mutating func settle(_ entries: inout [LineEntry], from start: Int, in table: LineTable) -> Int {
    let limit = min(start + Self.batch, entries.count)
    sink ^= table.touch(entries[start..<limit])
    var next = start
    while next < limit {
      let end = Self.endOfWord(entries, from: next)
      if end - next > 1 { settle(&entries, next..<end, in: table) }
      next = end
    }
    return next
  }

  private static func endOfWord(_ entries: [LineEntry], from start: Int) -> Int {
    var end = start + 1
    while end < entries.count, entries[end].word == entries[start].word { end += 1 }
    return end
  }

  /// Sorts entries of one word: by the next bytes that differ, and again those whose next bytes are the same.
  private mutating func settle(_ entries: inout [LineEntry], _ group: Range<Int>, in table: LineTable) {
    if isOneKey(entries, group, in: table) { return Self.mark(&entries, group) }
    var waiting = [group]
    while let group = waiting.popLast() {
      let word = entries[group.lowerBound].word
      deepen(&entries, group, in: table)
      sorter.sort(&entries, group)
      var start = group.lowerBound
      while start < group.upperBound {
        let end = min(Self.endOfWord(entries, from: start), group.upperBound)
        let same = start..<end
        for index in same { entries[index].word = word }
        if same.count > 1 {
          if isOneKey(entries, same, in: table) { Self.mark(&entries, same) } else { waiting.append(same) }
        }
        start = end
      }
    }
  }

  private mutating func isOneKey(_ entries: [LineEntry], _ group: Range<Int>, in table: LineTable) -> Bool {
    for index in group.dropFirst() where !keys.isSame(entries[index], entries[group.lowerBound], in: table) {
      return false
    }
    return true
  }

  /// Gives entries of one word the next eight bytes after those with which all their keys begin.
  private mutating func deepen(_ entries: inout [LineEntry], _ group: Range<Int>, in table: LineTable) {
    // As a rule the first few tell how far all begin alike, and each line is looked at once.
    let guess = sharedPrefix(entries, group.prefix(16), in: table)
    if !setWords(&entries, group, after: guess, in: table) {
      _ = setWords(&entries, group, after: sharedPrefix(entries, group, in: table), in: table)
    }
  }

  /// False where a key does not begin as the others do.
  private mutating func setWords(
    _ entries: inout [LineEntry], _ group: Range<Int>, after shared: Int, in table: LineTable
  ) -> Bool {
    let first = entries[group.lowerBound]
    for index in group {
      if (index - group.lowerBound) % Self.batch == 0 {
        sink ^= table.touch(entries[index..<min(index + Self.batch, group.upperBound)])
      }
      guard keys.beginAlike(entries[index], first, for: shared, in: table) else { return false }
      entries[index].word = keys.tailWord(entries[index], at: shared, in: table)
    }
    return true
  }

  private mutating func sharedPrefix(_ entries: [LineEntry], _ group: Range<Int>, in table: LineTable) -> Int
  {
    var shared = Int.max
    for index in group.dropFirst() {
      shared = min(shared, keys.sharedTail(entries[index], entries[group.lowerBound], in: table))
    }
    return shared
  }

  private static func mark(_ entries: inout [LineEntry], _ group: Range<Int>) {
    for index in group.dropFirst() { entries[index].flags.insert(.sameKey) }
  }
}
