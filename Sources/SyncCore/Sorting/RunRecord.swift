import JSONLines

/// One line of a sorted run outside memory: 32 bytes, the canonical key, the line, an LF.
///
/// The 32 bytes are little-endian: length of the line (8), clock word (8), length of the key (4), number of the line
/// (4), source (2), flags (1), 5 of nothing. A run never leaves the process that wrote it.
package struct RunRecord: Sendable {
  static let headerSize = 32

  /// Where the key and the line stand in the text.
  package let key: Range<Int>
  package let line: Range<Int>
  /// Without word and block, which mean something in memory only.
  package var entry: LineEntry

  /// Where the next record begins.
  package var end: Int { line.upperBound + 1 }

  /// Nil where the text ends before the record does.
  package init?(_ text: Span<UInt8>, at start: Int, block: Int) {
    guard start + Self.headerSize <= text.count else { return nil }
    let keyLength = Int(text.number(at: start + 16, bytes: 4))
    let keyStart = start + Self.headerSize
    key = keyStart..<keyStart + keyLength
    line = key.upperBound..<key.upperBound + Int(text.number(at: start, bytes: 8))
    guard line.upperBound < text.count else { return nil }
    var entry = LineEntry(
      block: block, offset: line.lowerBound, line: Int(text.number(at: start + 20, bytes: 4)),
      source: UInt16(text.number(at: start + 24, bytes: 2)))
    entry.clock = text.number(at: start + 8, bytes: 8)
    entry.flags = LineEntry.Flags(rawValue: text[start + 26]).subtracting(.sameKey)
    self.entry = entry
  }

  /// Appends the records of all lines of a key.
  package static func append(_ lines: KeyLines, _ key: [UInt8], to bytes: inout [UInt8]) {
    for index in lines.indices {
      let (entry, line) = (lines[index], lines.text(index))
      bytes.append(UInt64(line.count), bytes: 8)
      bytes.append(entry.clock, bytes: 8)
      bytes.append(UInt64(key.count), bytes: 4)
      bytes.append(UInt64(UInt32(truncatingIfNeeded: lines.lineNumber(index) - 1)), bytes: 4)
      bytes.append(UInt64(entry.source), bytes: 2)
      bytes.append(UInt64(entry.flags.rawValue), bytes: 6)
      bytes += key
      bytes.append(line)
      bytes.append(10)
    }
  }
}

extension Span<UInt8> {
  fileprivate func number(at offset: Int, bytes: Int) -> UInt64 {
    var number: UInt64 = 0
    for index in 0..<bytes { number |= UInt64(self[offset + index]) << UInt64(8 * index) }
    return number
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ number: UInt64, bytes: Int) {
    for index in 0..<bytes { append(UInt8(truncatingIfNeeded: number >> UInt64(8 * index))) }
  }
}
