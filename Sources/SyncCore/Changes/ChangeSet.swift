package import JSONLines

/// A text of change lines in memory, under the name that diagnostics call it by.
package struct ChangeSource: Sendable {
  package var name: String
  package var bytes: [UInt8]

  package init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}

/// The change lines of any number of sources, by key.
package struct ChangeSet: Sendable {
  /// One line: where it lies, and what the rules need of it.
  package struct Entry: Sendable {
    package var source: Int
    /// Without the line break, and without CRs before it: written again, the last of them would be part of one.
    package var range: Range<Int>
    /// 1-based.
    package var lineNumber: Int
    package var line: ChangeLine
    var key: Range<Int>
  }

  package private(set) var sources: [ChangeSource] = []
  package private(set) var entries: [Entry] = []
  /// How many checkpoint lines were passed over.
  package private(set) var checkpoints = 0
  private var keys: [UInt8] = []
  private var reader: LineReader

  package init(_ shape: RecordShape) { reader = LineReader(shape) }

  /// Reads all lines of a source; blank ones are passed over, bad ones are handed to `onBad`, which may throw.
  package mutating func add<Failure: Error>(
    _ source: ChangeSource,
    onBad: (ChangeError, LineCursor.Line, Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    let index = sources.count
    sources.append(source)
    var cursor = LineCursor()
    let text = source.bytes.span
    while let line = cursor.next(in: text) {
      let range = Self.withoutReturns(text, line.content)
      let content = text.extracting(range)
      if content.isBlankLine { continue }
      do throws(ChangeError) {
        try add(content, range, line.number, source: index)
      } catch {
        try onBad(error, line, text.extracting(line.content))
      }
    }
  }

  private mutating func add(
    _ content: Span<UInt8>, _ range: Range<Int>, _ number: Int, source: Int
  ) throws(ChangeError) {
    let keyStart = keys.count
    do throws(ChangeError) {
      let change = try reader.read(content, key: &keys)
      guard change.kind != .checkpoint else { return checkpoints += 1 }
      entries.append(
        Entry(
          source: source, range: range, lineNumber: number, line: change, key: keyStart..<keys.count))
    } catch {
      keys.removeLast(keys.count - keyStart)
      throw error
    }
  }

  private static func withoutReturns(_ text: Span<UInt8>, _ line: Range<Int>) -> Range<Int> {
    var end = line.upperBound
    while end > line.lowerBound, text[end - 1] == 13 { end -= 1 }
    return line.lowerBound..<end
  }

  /// Puts the entries in the order of their keys; those of one key stay in the order of the sources.
  package mutating func sort() {
    let (entries, keys) = (entries, keys)
    let shared = sharedPrefix
    let places = entries.indices.map { index in
      SortPlace(prefix: keys.span.prefixWord(entries[index].key.dropFirst(shared)), index: index)
    }
    let order = places.sorted { a, b in
      if a.prefix != b.prefix { return a.prefix < b.prefix }
      let order = Self.compare(keys.span, entries[a.index].key, keys.span, entries[b.index].key)
      return order == 0 ? a.index < b.index : order < 0
    }
    self.entries = order.map { entries[$0.index] }
  }

  /// An entry on its way to its place: small, because sorting moves it often.
  private struct SortPlace {
    /// The first bytes in which keys differ, as a number that is ordered as they are.
    var prefix: UInt64
    var index: Int
  }

  /// With how many bytes all keys begin alike: entities and member names, as a rule.
  private var sharedPrefix: Int {
    guard let first = entries.first?.key else { return 0 }
    return entries.reduce(first.count) { shared, entry in
      min(shared, ByteSearch.commonPrefix(keys.span, first, keys.span, entry.key))
    }
  }

  /// Compares the keys of two entries, possibly of two sets: negative, zero or positive.
  package func compareKey(_ entry: Entry, to other: Entry, in set: ChangeSet) -> Int {
    Self.compare(keys.span, entry.key, set.keys.span, other.key)
  }

  /// Takes out the entries for which `isUnwanted` holds; it gets the line's bytes too.
  package mutating func removeEntries(where isUnwanted: (Entry, Span<UInt8>) throws -> Bool) rethrows {
    let sources = sources
    entries = try entries.filter { entry in
      let bytes = sources[entry.source].bytes
      return try !isUnwanted(entry, bytes.span.extracting(entry.range))
    }
  }

  /// The line as a tree.
  package func value(of entry: Entry) throws(JSONError) -> JSONValue {
    let bytes = sources[entry.source].bytes
    return try JSONValue(parsing: bytes.span.extracting(entry.range))
  }

  /// Its canonical key.
  package func key(of entry: Entry) -> ArraySlice<UInt8> { keys[entry.key] }

  package func hasSameKey(_ a: Entry, _ b: Entry) -> Bool { compareKey(a, to: b, in: self) == 0 }

  private static func compare(
    _ a: Span<UInt8>, _ aRange: Range<Int>, _ b: Span<UInt8>, _ bRange: Range<Int>
  ) -> Int {
    let common = ByteSearch.commonPrefix(a, aRange, b, bRange)
    guard common < aRange.count, common < bRange.count else { return aRange.count - bRange.count }
    return Int(a[aRange.lowerBound + common]) - Int(b[bRange.lowerBound + common])
  }
}

extension Span<UInt8> {
  /// The first eight bytes of a range, the first one highest, zeros after the end.
  fileprivate func prefixWord(_ range: Range<Int>) -> UInt64 {
    var word: UInt64 = 0
    for offset in 0..<8 {
      word = word << 8 | (offset < range.count ? UInt64(self[range.lowerBound + offset]) : 0)
    }
    return word
  }
}
