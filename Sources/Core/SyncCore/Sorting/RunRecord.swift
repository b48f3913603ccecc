import JSONLines

/// One line of a sorted run outside memory: 32 bytes, the line, an LF, and the form of its key.
///
/// The 32 bytes are four numbers, the highest byte first: length of the line (8); clock word (8); length of the form
/// (4) and number of the line (4); source (2), where the key's own value begins in the line (2), flags (4). The form is
/// left out where it is that of the record before. A run never leaves the process that wrote it.
struct RunRecord {
  static let headerSize = 32

  /// Where the form stands in the text; empty where it is as before.
  let form: Range<Int>
  /// Its word means nothing.
  let entry: LineEntry

  /// Where the next record begins.
  var end: Int { form.upperBound }

  /// Nil where the text ends before the record does.
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
