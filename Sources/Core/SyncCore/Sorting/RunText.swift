/// Lines in key order as part of a sorted run: what comes of a range of keys.
package struct RunText: Sendable {
  /// Which lines of a key are enough to tell what comes of all of them.
  package typealias Condensing = @Sendable (KeyLines, inout ChangeReader) -> [Int]

  /// So many lines of a key, or bytes in more lines than are ever enough, are not kept without need.
  private static let (manyLines, enoughLines, manyBytes) = (8, 6, 64 << 10)

  package private(set) var bytes: [UInt8] = []
  /// Bytes of the longest record.
  package private(set) var longest = 0
  private let condensing: Condensing?
  private let size: Int
  /// The place of the form of the record before, in the words of this range.
  private var form = -1

  /// It will have about `size` bytes.
  package init(size: Int, condensing: Condensing?) { (self.size, self.condensing) = (size, condensing) }

  /// Appends all lines of a key, or those that are enough where they are many.
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
