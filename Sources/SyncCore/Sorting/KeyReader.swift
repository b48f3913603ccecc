import JSONLines

/// Reads the keys of lines that have been read before.
///
/// The tail of a key is what follows its form. Of most keys it stands in the line as it is, but for the `}]` at its
/// end; the others are made again.
struct KeyReader {
  private var reader: LineReader
  private var key: [UInt8] = []

  init(_ shape: RecordShape) { reader = LineReader(shape) }

  /// The canonical key of the line that begins at `start`.
  mutating func key(at start: Int, in text: Span<UInt8>) -> [UInt8] {
    key.removeAll(keepingCapacity: true)
    var end = 0
    // It has been read once, so that this cannot fail.
    _ = try? reader.read(text, from: start, key: &key, end: &end)
    return key
  }

  mutating func isSame(_ a: LineEntry, _ b: LineEntry, in table: LineTable) -> Bool {
    guard a.keyOffset > 0, b.keyOffset > 0 else { return tail(a, in: table) == tail(b, in: table) }
    let (aValue, aText) = (value(a, in: table), table.text(of: a))
    guard beginAlike(b, a, for: aValue.count, in: table) else { return false }
    // Strings end with a quote, so that none is the beginning of another; numbers do not.
    return aText[aValue.lowerBound] == UInt8(ascii: "\"") || value(b, in: table).count == aValue.count
  }

  /// Whether the tail begins with the first `count` bytes of that of `other`, which has as many.
  mutating func beginAlike(_ entry: LineEntry, _ other: LineEntry, for count: Int, in table: LineTable)
    -> Bool
  {
    guard entry.keyOffset > 0, other.keyOffset > 0 else {
      return sharedTail(entry, other, in: table) >= count
    }
    let (text, otherText) = (table.text(of: entry), table.text(of: other))
    let (start, otherStart) = (entry.keyStart, other.keyStart)
    guard start + count <= text.count, otherStart + count <= otherText.count else { return false }
    // What follows the value in the line does no harm: within `count` bytes the other's value has not ended.
    return ByteSearch.isEqual(text, start..<start + count, otherText, otherStart..<otherStart + count)
  }

  /// With how many bytes the tails of two different keys of one form begin alike.
  mutating func sharedTail(_ a: LineEntry, _ b: LineEntry, in table: LineTable) -> Int {
    guard a.keyOffset > 0, b.keyOffset > 0 else {
      let (aTail, bTail) = (tail(a, in: table), tail(b, in: table))
      return ByteSearch.commonPrefix(aTail.span, 0..<aTail.count, bTail.span, 0..<bTail.count)
    }
    return ByteSearch.commonPrefix(
      table.text(of: a), value(a, in: table), table.text(of: b), value(b, in: table))
  }

  /// The eight bytes of the tail from `offset`, as a number that is ordered as they are.
  mutating func tailWord(_ entry: LineEntry, at offset: Int, in table: LineTable) -> UInt64 {
    entry.keyOffset > 0
      ? table.text(of: entry).keyWord(at: entry.keyStart, skipping: offset)
      : tail(entry, in: table).span.word(at: offset)
  }

  private mutating func tail(_ entry: LineEntry, in table: LineTable) -> [UInt8] {
    let key = key(at: Int(entry.offset), in: table.text(of: entry))
    return Array(key.suffix(KeyForms.tailLength(of: key)))
  }

  private func value(_ entry: LineEntry, in table: LineTable) -> Range<Int> {
    let start = entry.keyStart
    return start..<table.text(of: entry).endOfKeyValue(start)
  }
}

extension Span<UInt8> {
  /// The eight bytes from `offset` as a number that is ordered as they are, zeros after the end.
  func word(at offset: Int) -> UInt64 {
    if offset + 8 <= count { return orderedWord(at: offset) }
    var word: UInt64 = 0
    for index in offset..<offset + 8 { word = word << 8 | (index < count ? UInt64(self[index]) : 0) }
    return word
  }

  /// Where a key's own value, a canonical string without escapes or integer, ends.
  func endOfKeyValue(_ start: Int) -> Int {
    if self[start] == UInt8(ascii: "\"") {
      return ByteSearch.firstIndex(of: UInt8(ascii: "\""), in: self, from: start + 1).map { $0 + 1 } ?? count
    }
    var end = start
    while end < count, self[end] == UInt8(ascii: "-") || self[end] &- UInt8(ascii: "0") < 10 { end += 1 }
    return end
  }

  /// The same of the key that ends with the value at `start` and `}]`; `skipped` is no more than the value has.
  func keyWord(at start: Int, skipping skipped: Int) -> UInt64 {
    let from = start + skipped
    let quote = UInt8(ascii: "\"")
    let isInString = self[start] == quote && (skipped < 2 || self[from - 1] != quote)
    if isInString, from + 8 <= count {
      // Without a quote in it, the word lies before the end of the string.
      let word = orderedWord(at: from)
      let quotes = word ^ 0x2222_2222_2222_2222
      if (quotes &- 0x0101_0101_0101_0101) & ~quotes & 0x8080_8080_8080_8080 == 0 { return word }
    }
    let end = endOfKeyValue(start)
    var word: UInt64 = 0
    for index in from..<from + 8 {
      let byte =
        index < end
        ? self[index] : index == end ? UInt8(ascii: "}") : index == end + 1 ? UInt8(ascii: "]") : 0
      word = word << 8 | UInt64(byte)
    }
    return word
  }
}
