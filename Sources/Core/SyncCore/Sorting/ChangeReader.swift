import JSONLines

/// Reads the facts for the rules again from lines that have been read before.
///
/// It works on copies: a mapped file may be truncated between the check of a line and its use. Such a line is
/// then no longer a change. Its result does not matter, because the code that maps files checks whether they
/// are complete.
package struct ChangeReader {
  private var reader: LineReader
  private(set) var key: [UInt8] = []
  private var line: [UInt8] = []
  private var other: [UInt8] = []

  package init(_ shape: RecordShape) { reader = LineReader(shape) }

  /// The change in a line; places in it are relative to the line.
  package mutating func change(_ text: Span<UInt8>) -> ChangeLine {
    // The array is moved out of self, so that it has only one owner while it is written.
    var line: [UInt8] = []
    swap(&line, &self.line)
    defer { swap(&line, &self.line) }
    Self.copy(text, to: &line)
    key.removeAll(keepingCapacity: true)
    if let change = try? reader.read(line.span, key: &key) { return change }
    key.removeAll(keepingCapacity: true)
    return ChangeLine(kind: .change)
  }

  /// A stable copy of a line, with its change; `{}` if it is no longer a change.
  package mutating func copy(_ text: Span<UInt8>) -> (text: [UInt8], change: ChangeLine) {
    var copy: [UInt8] = []
    let change = self.copy(text, into: &copy)
    return (copy, change)
  }

  /// As above, but replaces another line.
  mutating func copy(_ text: Span<UInt8>, into copy: inout [UInt8]) -> ChangeLine {
    copy.removeAll(keepingCapacity: true)
    copy.reserveCapacity(text.count + Self.rest.count)
    copy.append(text)
    // An object fits a mold only if more text follows.
    copy.append(contentsOf: Self.rest)
    key.removeAll(keepingCapacity: true)
    var end = 0
    let change = try? reader.read(copy.span, from: 0, key: &key, end: &end)
    copy.removeLast(Self.rest.count)
    if let change, end == text.count { return change }
    reader.molds.mold = -1
    // A partial key must not remain.
    key.removeAll(keepingCapacity: true)
    copy = Array("{}".utf8)
    return ChangeLine(kind: .change)
  }

  private static let rest = [UInt8](repeating: UInt8(ascii: "\n"), count: 64)

  /// The mold of the last line copied.
  var cast: ObjectMolds<LineMembers>.Cast? { reader.molds.cast }

  /// Compares the canonical forms of the last line copied and of an earlier line, given with its mold.
  mutating func compareContent(
    _ text: Span<UInt8>, _ other: Span<UInt8>, _ cast: ObjectMolds<LineMembers>.Cast?
  ) -> Int {
    reader.molds.compare(text, reader.object, other, cast)
      ?? CanonicalJSON.compare(text, text.onlyValue, other, other.onlyValue)
  }

  /// As above, with the canonical key.
  package mutating func read(_ text: Span<UInt8>) -> (text: [UInt8], change: ChangeLine, key: [UInt8]) {
    let (copy, change) = self.copy(text)
    return (copy, change, key)
  }

  /// As above; the canonical key is appended to `bytes`.
  package mutating func change(_ text: Span<UInt8>, key bytes: inout [UInt8]) -> ChangeLine {
    defer { bytes += key }
    return change(text)
  }

  /// The canonical key of a line.
  package mutating func key(of text: Span<UInt8>) -> [UInt8] {
    _ = change(text)
    return key
  }

  /// The key of a line in canonical JSON, with the line's own values.
  package mutating func ownKey(of text: Span<UInt8>) -> [UInt8] {
    var (line, own): ([UInt8], [UInt8]) = ([], [])
    Self.copy(text, to: &line)
    try? reader.appendOwnKey(of: line.span, to: &own)
    return own
  }

  /// Appends `"entityName":…,"identity":…`, in the line's spelling.
  package mutating func appendKeyMembers(of text: Span<UInt8>, to bytes: inout [UInt8]) {
    var line: [UInt8] = []
    Self.copy(text, to: &line)
    try? reader.appendKeyMembers(of: line.span, to: &bytes)
  }

  /// Appends the line as a change line, with its own clock; `time` is for a deletion without a clock.
  package mutating func appendChange(
    of text: Span<UInt8>, deletedAt time: Instant, to bytes: inout [UInt8]
  ) {
    let (line, change) = copy(text)
    let clock = change.clock ?? (change.isTombstone ? time : nil)
    try? reader.appendChange(line.span, clock: clock, keepingFields: true, to: &bytes)
  }

  /// Whether two lines of one key are the same by value.
  package mutating func isEqual(_ a: Int, _ b: Int, in lines: KeyLines) -> Bool {
    if lines.isSame(a, b) { return true }
    Self.copy(lines.text(a), to: &line)
    Self.copy(lines.text(b), to: &other)
    guard (try? JSONScanner.validate(line.span)) != nil, (try? JSONScanner.validate(other.span)) != nil else {
      return false
    }
    return !ChangeLine.differInContent(line.span, other.span)
  }

  private static func copy(_ text: Span<UInt8>, to bytes: inout [UInt8]) {
    bytes.removeAll(keepingCapacity: true)
    bytes.append(text)
  }
}

/// Returns the canonical keys of lines in unsorted blocks; each thread has its own reader.
package struct BlockKeys {
  private var reader: ChangeReader
  package init(_ shape: RecordShape) { reader = ChangeReader(shape) }

  /// Appends the key of an entry; `forms` are the forms of its block.
  package mutating func append(
    _ entry: LineEntry, of block: LineBlock, _ forms: KeyForms, to bytes: inout [UInt8]
  ) {
    guard entry.keyOffset > 0, !entry.flags.contains(.capitals) else {
      return _ = reader.change(block.line(at: Int(entry.offset)), key: &bytes)
    }
    let text = block.text.extracting(..<min(Int(entry.offset) + block.reach.longest, block.text.count))
    let prefix = forms.forms[Int(entry.word)].prefix
    bytes.append(prefix.span)
    bytes.append(text.extracting(entry.keyStart..<text.endOfKeyValue(entry.keyStart)))
    for byte in KeyForms.plainEnd { bytes.append(byte) }
  }
}
