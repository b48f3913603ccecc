import JSONLines

/// Reads the keys of lines that have been read before.
///
/// The tail of a key is the part after its form. Most keys are in the line unchanged, except for the `}]` at
/// the end; the other keys are built again.
struct KeyReader {
  private var reader: ChangeReader
  private var copy: [UInt8] = []

  init(_ shape: RecordShape) { reader = ChangeReader(shape) }

  /// The canonical key of a line; empty if the file has changed since the line was read.
  mutating func key(of line: Span<UInt8>) -> [UInt8] {
    _ = reader.copy(line, into: &copy)
    return reader.key
  }

  mutating func isSame(_ a: LineEntry, _ b: LineEntry, in table: LineTable) -> Bool {
    guard a.keyOffset > 0, b.keyOffset > 0 else { return tail(a, in: table) == tail(b, in: table) }
    if a.flags.union(b.flags).contains(.capitals) {
      return UUIDCapitals.isSame(table.text(of: a), a.keyStart, table.text(of: b), b.keyStart)
    }
    let (aText, aValue) = (table.text(of: a), value(a, in: table))
    let (bText, bEnd) = (table.text(of: b), b.keyStart + aValue.count)
    guard bEnd <= bText.count, ByteSearch.isEqual(aText, aValue, bText, b.keyStart..<bEnd) else {
      return false
    }
    // A string ends with a quote, so it cannot be a prefix of another string. A number can be a prefix of
    // another number.
    return aText[aValue.lowerBound] == UInt8(ascii: "\"") || value(b, in: table).count == aValue.count
  }

  /// Some bytes of one key, to compare other keys with: the bytes after the first `shared` bytes, which are
  /// the same in all these keys.
  struct Pivot {
    fileprivate let shared: Int
    fileprivate let bytes: [UInt8]
    /// How many of the bytes are compared.
    fileprivate let count: Int
    fileprivate let isPlain: Bool
  }

  mutating func pivot(_ entry: LineEntry, after shared: Int, in table: LineTable) -> Pivot {
    guard entry.keyOffset > 0 else {
      let bytes = Array(tail(entry, in: table).dropFirst(shared))
      return Pivot(shared: shared, bytes: bytes, count: min(bytes.count, PivotWord.reach), isPlain: false)
    }
    let (text, start) = (table.text(of: entry), entry.keyStart)
    // Only the part of a long value that can be compared is used.
    let value = text.extracting(start..<min(start + shared + PivotWord.reach + 8, text.count))
    let end = value.endOfKeyValue(0)
    var bytes: [UInt8] = []
    bytes.append(value.extracting(min(shared, end)..<end))
    if entry.flags.contains(.capitals) { UUIDCapitals.lower(&bytes, bytes.indices) }
    let count = min(bytes.count, PivotWord.reach)
    return Pivot(shared: shared, bytes: bytes + KeyForms.plainEnd, count: count, isPlain: true)
  }

  /// A number that sorts as the key does among all keys compared with this pivot; see ``PivotWord``.
  mutating func word(_ entry: LineEntry, beside pivot: Pivot, in table: LineTable) -> UInt64 {
    let bytes = pivot.bytes.span
    guard entry.keyOffset > 0, pivot.isPlain else {
      let tail = tail(entry, in: table)
      let own = tail.span.extracting(min(pivot.shared, tail.count)...)
      let common = ByteSearch.commonPrefix(bytes, 0..<pivot.count, own, 0..<own.count)
      return PivotWord.word(own.word(at: common), bytes.word(at: common), common: common)
    }
    let (text, start) = (table.text(of: entry), entry.keyStart)
    let shared = min(pivot.shared, text.count - start)
    if entry.flags.contains(.capitals) {
      let common = UUIDCapitals.commonPrefix(bytes, 0..<pivot.count, text, start, skipping: shared)
      return PivotWord.word(
        entry.keyWord(text, skipping: shared + common), bytes.word(at: common), common: common)
    }
    // The bytes after the value in the line do not matter: if the pivot continues or ends with a quote, the
    // two differ before these bytes.
    let common = ByteSearch.commonPrefix(bytes, 0..<pivot.count, text, start + shared..<text.count)
    let own = text.keyWord(at: start, skipping: shared + common)
    return PivotWord.word(own, bytes.word(at: common), common: common)
  }

  /// The tail of the canonical key; empty if it cannot be read again.
  mutating func tail(_ entry: LineEntry, in table: LineTable) -> [UInt8] {
    let key = key(of: table.line(of: entry))
    return key.isEmpty ? [] : Array(key.suffix(KeyForms.tailLength(of: key)))
  }

  private func value(_ entry: LineEntry, in table: LineTable) -> Range<Int> {
    let start = entry.keyStart
    return start..<table.text(of: entry).endOfKeyValue(start)
  }
}

extension Span<UInt8> {
  /// The eight bytes from `offset` as a number that sorts as they do; zeros after the end.
  func word(at offset: Int) -> UInt64 {
    if offset + 8 <= count { return orderedWord(at: offset) }
    var word: UInt64 = 0
    for index in offset..<offset + 8 { word = word << 8 | (index < count ? UInt64(self[index]) : 0) }
    return word
  }

  /// The end of a key's own value, which is a canonical string without escapes or an integer.
  func endOfKeyValue(_ start: Int) -> Int {
    if self[start] == UInt8(ascii: "\"") {
      return ByteSearch.firstIndex(of: UInt8(ascii: "\""), in: self, from: start + 1).map { $0 + 1 } ?? count
    }
    var end = start
    while end < count, self[end] == UInt8(ascii: "-") || self[end] &- UInt8(ascii: "0") < 10 { end += 1 }
    return end
  }

  /// As above, for the key that ends with the value at `start` and `}]`; `skipped` is at most the value's
  /// length.
  func keyWord(at start: Int, skipping skipped: Int) -> UInt64 {
    let from = start + skipped
    let quote = UInt8(ascii: "\"")
    let isInString = self[start] == quote && (skipped < 2 || self[from - 1] != quote)
    if isInString, from + 8 <= count {
      // A word without a quote is before the end of the string.
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

/// A number made from a key and a pivot key with a common prefix; the numbers sort as the keys do.
///
/// Keys before the pivot are ordered by the length of that prefix, shortest first. The pivot follows, and
/// then the keys after it, longest prefix first. Keys with equal prefix lengths are ordered by the next six
/// bytes. So even keys with long common prefixes are distinguished in few steps.
enum PivotWord {
  /// The maximum number of bytes compared with the pivot.
  static let reach = (1 << 14) - 1

  /// The number of a key that shares `common` bytes with the pivot; `own` and `pivot` are the next eight
  /// bytes of each.
  static func word(_ own: UInt64, _ pivot: UInt64, common: Int) -> UInt64 {
    if own == pivot { return 1 << 62 | UInt64(reach) << 48 }
    return own < pivot ? UInt64(common) << 48 | own >> 16 : 2 << 62 | UInt64(reach - common) << 48 | own >> 16
  }

  /// How many of the compared bytes are the same in all different keys with this word.
  static func shared(_ word: UInt64) -> Int {
    let place = Int(word >> 48) & reach
    return (word >> 62 == 2 ? reach - place : place) + 6
  }
}
