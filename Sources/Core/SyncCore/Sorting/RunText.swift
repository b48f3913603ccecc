import JSONLines

/// Lines in key order as part of a sorted run: the result for a range of keys.
package struct RunText: Sendable {
  /// Returns the lines of a key that determine the result for all its lines.
  package typealias Condensing = @Sendable (KeyLines, inout ChangeReader) -> [Int]

  /// If a key has more lines or bytes than this, unnecessary lines are dropped.
  private static let (manyLines, enoughLines, manyBytes) = (8, 6, 64 << 10)

  package private(set) var bytes: [UInt8] = []
  /// The length of the longest record in bytes.
  package private(set) var longest = 0
  private let condensing: Condensing?
  private let size: Int
  /// The index of the previous record's form, in the words of this range.
  private var form = -1

  /// `size` is the approximate number of bytes.
  package init(size: Int, condensing: Condensing?) { (self.size, self.condensing) = (size, condensing) }

  /// Appends the lines of a key; if it has many, only the lines that determine the result.
  package mutating func append(_ lines: KeyLines, _ words: KeyWords, _ reader: inout ChangeReader) {
    guard let condensing, Self.areMany(lines) else { return append(lines, words) }
    let kept = condensing(lines, &reader)
    append(lines.filter(kept.contains), words)
  }

  private static func areMany(_ lines: KeyLines) -> Bool {
    let count = lines.indices.count
    if count <= enoughLines { return false }
    return count > manyLines || lines.indices.reduce(0) { $0 + lines.text($1).count } > manyBytes
  }

  private mutating func append(_ lines: KeyLines, _ words: KeyWords) {
    if bytes.isEmpty { bytes.reserveCapacity(size) }
    for index in lines.indices {
      let entry = lines[index]
      let (place, start) = (words.place(of: entry.word), bytes.count)
      RunRecord.append(
        entry, number: lines.lineNumber(index) - 1, lines.text(index),
        form: place == form ? [] : words.prefixes[place], to: &bytes)
      longest = max(longest, bytes.count - start)
      form = place
    }
  }
}

/// One line of a sorted run outside memory: 32 bytes, the line, an LF, and the form of its key.
///
/// The 32 bytes are numbers, the highest byte first: length of the line (8); clock word (8); length of the
/// form (4) and number of the line (4); source (2), offset of the key's own value in the line (2), flags (4).
/// The form is left out if it equals the previous record's. Only the process that wrote a run reads it.
struct RunRecord {
  static let headerSize = 32

  /// The range of the form in the text; empty if unchanged.
  let form: Range<Int>
  /// The line's entry; its word is unused.
  let entry: LineEntry

  /// The start of the next record.
  var end: Int { form.upperBound }

  /// Reads the record at `start`; nil if the text ends before the record does.
  init?(_ text: Span<UInt8>, at start: Int) {
    let line = start + Self.headerSize
    guard line <= text.count else { return nil }
    let (third, fourth) = (text.orderedWord(at: start + 16), text.orderedWord(at: start + 24))
    let end = line + Int(text.orderedWord(at: start)) + 1
    form = end..<end + Int(third >> 32)
    guard form.upperBound <= text.count else { return nil }
    var entry = LineEntry(
      block: 0, offset: line, line: Int(third & 0xFFFF_FFFF), source: UInt16(truncatingIfNeeded: fourth >> 48)
    )
    entry.clock = text.orderedWord(at: start + 8)
    entry.keyOffset = UInt16(truncatingIfNeeded: fourth >> 32)
    entry.flags = LineEntry.Flags(rawValue: UInt8(truncatingIfNeeded: fourth)).subtracting(.sameKey)
    self.entry = entry
  }

  static func append(
    _ entry: LineEntry, number: Int, _ line: Span<UInt8>, form: [UInt8], to bytes: inout [UInt8]
  ) {
    bytes.append(orderedWord: UInt64(line.count))
    bytes.append(orderedWord: entry.clock)
    bytes.append(orderedWord: UInt64(form.count) << 32 | UInt64(UInt32(truncatingIfNeeded: number)))
    bytes.append(
      orderedWord: UInt64(entry.source) << 48 | UInt64(entry.keyOffset) << 32 | UInt64(entry.flags.rawValue))
    bytes.append(line)
    bytes.append(10)
    bytes += form
  }
}
