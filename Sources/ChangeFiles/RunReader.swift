import JSONLines
import SyncCore
import SystemIO

/// A sorted run that lies in a temporary file, read from its beginning through a window.
struct RunReader: ~Copyable {
  private let file: SpillFile
  private let window: Int
  private var offset = 0
  /// The window's text, and its number among those that are in memory.
  private(set) var block: LineBlock
  private var number: Int
  /// The line to be taken next; nil at the end.
  private(set) var head: RunRecord?

  init(_ file: SpillFile, window: Int, number: Int) throws(SystemError) {
    (self.file, self.window, self.number) = (file, window, number)
    block = LineBlock(TextRegion([]), 0..<0, source: 0)
    try refill(number: number)
  }

  /// Moves on to the next line; false where the window has to be filled first.
  mutating func advance() -> Bool {
    guard let end = head?.end else { return true }
    if offset + end == file.size {
      head = nil
      return true
    }
    guard let next = RunRecord(block.text, at: end, block: number) else { return false }
    head = next
    return true
  }

  /// Fills a new window from the line after the head on, which gets `number`.
  mutating func refill(number: Int) throws(SystemError) {
    offset += head?.end ?? 0
    self.number = number
    head = nil
    var size = window
    while head == nil, offset < file.size {
      var buffer = try TextBuffer(capacity: size, startingWith: Span())
      try file.read(at: offset, into: &buffer)
      let count = buffer.count
      let filled = LineBlock(buffer.region(), 0..<count, source: 0)
      head = RunRecord(filled.text, at: 0, block: number)
      block = filled
      size *= 2
    }
  }

  /// Gives the window another number.
  mutating func renumber(_ number: Int) {
    self.number = number
    head?.entry.block = number
  }

  func hasKey(_ key: [UInt8]) -> Bool {
    guard let range = head?.key else { return false }
    return ByteSearch.isEqual(block.text, range, key.span, 0..<key.count)
  }

  func copyKey(to key: inout [UInt8]) {
    guard let range = head?.key else { return }
    key.removeAll(keepingCapacity: true)
    key.append(block.text.extracting(range))
  }

  /// Negative, zero or positive as the key of the next line is before, the same as or after that of another run.
  func compareKey(to other: borrowing RunReader) -> Int {
    guard let range = head?.key, let otherRange = other.head?.key else { return 0 }
    let (text, otherText) = (block.text, other.block.text)
    let common = ByteSearch.commonPrefix(text, range, otherText, otherRange)
    // No key is the beginning of another.
    if common == range.count || common == otherRange.count { return 0 }
    return Int(text[range.lowerBound + common]) - Int(otherText[otherRange.lowerBound + common])
  }
}
