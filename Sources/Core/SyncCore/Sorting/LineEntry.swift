package import JSONLines

/// One line during sorting: 32 bytes, in addition to the text itself.
package struct LineEntry: Sendable {
  /// A number that sorts as the key does, as far as eight bytes allow.
  ///
  /// Before a block is sorted, it is the number of the key's form.
  package var word: UInt64
  /// A number that sorts as the clock does, in steps of 32 ns; 0 if the clock is missing.
  package var clock: UInt64
  private var blockAndFlags: UInt32
  /// The offset of the line in its block.
  package var offset: UInt32
  /// How many lines of the block precede the line; for lines from a run, lines of the source.
  package var line: UInt32
  /// The offset of the key's own value in the line; 0 if the key must be read again.
  package var keyOffset: UInt16
  package var source: UInt16

  package struct Flags: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let tombstone = Flags(rawValue: 1)
    /// Whether its entity is merged by the last write.
    package static let lastWrite = Flags(rawValue: 2)
    /// Whether its entity is append-only.
    package static let appendOnly = Flags(rawValue: 16)
    /// Whether the clock word contains the complete clock.
    package static let exactClock = Flags(rawValue: 4)
    /// Whether the key's own value is a UUID with capitals; in the key its letters are lower-case.
    package static let capitals = Flags(rawValue: 32)
    /// Whether the key equals the previous entry's key; set when a range is sorted.
    package static let sameKey = Flags(rawValue: 8)
  }

  package init(block: Int, offset: Int, line: Int, source: UInt16) {
    (word, clock, keyOffset) = (0, 0, 0)
    blockAndFlags = UInt32(block) << 8
    self.offset = UInt32(offset)
    self.line = UInt32(truncatingIfNeeded: line)
    self.source = source
  }

  /// The last bits of the number of the line's block.
  package var block: Int {
    get { Int(blockAndFlags >> 8) }
    set { blockAndFlags = UInt32(newValue) << 8 | blockAndFlags & 0xFF }
  }

  /// The bits of a block's number that an entry can hold.
  static let blockBits = 1 << 24 - 1

  package var flags: Flags {
    get { Flags(rawValue: UInt8(truncatingIfNeeded: blockAndFlags)) }
    set { blockAndFlags = blockAndFlags & ~0xFF | UInt32(newValue.rawValue) }
  }

  /// The offset of the key's own value in the block; invalid if `keyOffset` is 0.
  var keyStart: Int { Int(offset) + Int(keyOffset) }

  /// Eight bytes of the key, after `skipped` bytes of its own value, as a number that sorts as they do.
  @inline(__always)
  func keyWord(_ text: Span<UInt8>, skipping skipped: Int) -> UInt64 {
    if flags.contains(.capitals) { return UUIDCapitals.keyWord(text, keyStart, skipping: skipped) }
    return text.keyWord(at: keyStart, skipping: skipped)
  }

  package var isTombstone: Bool { flags.contains(.tombstone) }

  /// Copies the facts of a line that the rules need.
  mutating func describe(_ change: ChangeLine) {
    var flags: Flags = change.isTombstone ? .tombstone : []
    if change.facts == .lww { flags.insert(.lastWrite) }
    if change.facts == .appendOnly { flags.insert(.appendOnly) }
    clock = change.clock?.orderedWord ?? 0
    if change.clock.map({ $0.nanoseconds & 31 == 0 }) ?? true { flags.insert(.exactClock) }
    self.flags = flags
  }
}

extension Instant {
  /// A number that is never 0, and larger for a later instant, unless the two are less than 32 ns apart.
  fileprivate var orderedWord: UInt64 {
    // Seconds since the first year, plus 1, need 39 bits; nanoseconds without their last five bits need 25.
    UInt64(bitPattern: seconds - Self.beforeAll) << 25 | UInt64(nanoseconds >> 5)
  }

  private static let beforeAll: Int64 = -62_167_219_201
}

/// Complete lines of one source in memory, and an entry for each that has a key.
package struct LineBlock: Sendable {
  package let region: TextRegion
  /// The lines in the region; an LF follows each line, except perhaps the last.
  package let range: Range<Int>
  package let source: UInt16
  /// How many lines of the source precede the block.
  package var firstLine = 0
  package var entries: [LineEntry] = []
  var reach: LineReach

  package init(_ region: TextRegion, _ range: Range<Int>, source: UInt16) {
    (self.region, self.range, self.source) = (region, range, source)
    reach = LineReach(longest: range.count)
  }

  package var text: Span<UInt8> {
    @_lifetime(borrow self)
    get { region.span.extracting(range) }
  }

  /// The line that begins at `start`, without its line break and the CRs before it.
  @_lifetime(borrow self)
  package func line(at start: Int) -> Span<UInt8> { reach.line(at: start, in: text) }
}

/// How far the lines of a block reach.
///
/// The text of a mapped file may lose its line breaks after it was read. Without them, a line must not extend
/// to the end of the block, because the total length would grow with the square of the block's length.
struct LineReach: Sendable {
  /// The bytes of the longest line.
  var longest: Int
  /// The start of the last line.
  var last = 0

  /// The line that begins at `start`; empty if it has lost its line break.
  @inline(__always)
  @_lifetime(copy text)
  func line(at start: Int, in text: Span<UInt8>) -> Span<UInt8> {
    let limit = min(start + longest + 1, text.count)
    let end = ByteSearch.firstIndex(of: 10, in: text, start..<limit) ?? (start < last ? start : limit)
    return text.extracting(start..<text.endOfLine(start, end))
  }
}
