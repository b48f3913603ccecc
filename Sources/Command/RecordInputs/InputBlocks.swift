import JSONLines
import SystemIO

/// A line that exceeds the limit, after `lines` other lines of its block.
struct LongLine: Error {
  var lines: Int
  /// The number of the file.
  var source = 0

  /// Creates the error for the line that begins at `start`.
  init(in block: Span<UInt8>, at start: Int) {
    lines = 0
    for index in 0..<start where block[index] == 10 { lines += 1 }
  }
}

/// One input as blocks of complete lines.
struct InputBlocks: ~Copyable {
  private enum Kind: ~Copyable {
    case mapped(MappedFile)
    case stream(Descriptor)
  }

  private static let worthMapping = 256 << 10

  private let kind: Kind
  private let size: Int
  /// The offset of the next block of a mapped file.
  private var position = 0
  /// The bytes of a stream after the last block.
  private var rest: [UInt8] = []
  private var isAtEnd = false

  init(_ path: String, size: Int, maps: Bool) throws(SystemError) {
    self.size = size
    let source = try Descriptor.reading(path)
    // A map needs a descriptor, and is faster only for large files. A pipe cannot be mapped.
    if maps, path != "-", let length = source.length, length >= Self.worthMapping {
      if let file = MappedFile(source) {
        kind = .mapped(file)
      } else {
        kind = .stream(try Descriptor.reading(path))
      }
    } else {
      kind = .stream(source)
    }
  }

  var mappedFile: MappedFile? {
    switch kind {
    case .mapped(let file): file
    case .stream: nil
    }
  }

  /// The next lines, in a region that may contain more; nil at the end.
  ///
  /// Throws if a line exceeds the limit.
  mutating func next() throws -> (TextRegion, Range<Int>)? {
    switch kind {
    case .mapped(let file):
      guard position < file.region.count else { return nil }
      let end = try end(of: file.region.span)
      let block = position..<end
      position = end
      file.prepare(block)
      return (file.region, block)
    case .stream(let source):
      if isAtEnd { return nil }
      guard let found = try Self.read(source, size, &rest) else {
        isAtEnd = true
        return nil
      }
      isAtEnd = found.isLast
      return (found.region, found.range)
    }
  }

  /// The end of the line at `size` bytes after the position.
  private func end(of text: Span<UInt8>) throws -> Int {
    guard text.count - position > size else { return text.count }
    // This is one byte more than the longest line with its line end.
    let limit = min(text.count, position + size + LineCursor.longestLine + 2)
    let found = ByteSearch.firstIndex(of: 10, in: text.extracting(..<limit), from: position + size)
    let end = found.map { $0 + 1 } ?? limit
    guard end - position > LineCursor.longestLine else { return end }
    let start = text.extracting(position..<end - 1).lastLineBreak.map { position + $0 + 1 } ?? position
    if end - start > LineCursor.longestLine + 1 {
      throw LongLine(in: text.extracting(position...), at: start - position)
    }
    return end
  }

  private struct Lines {
    var region: TextRegion
    var range: Range<Int>
    var isLast: Bool
  }

  private static func read(
    _ source: borrowing Descriptor, _ size: Int, _ rest: inout [UInt8]
  ) throws -> Lines? {
    let capacity = source.length.map { min($0 + 1, size) } ?? size
    var buffer = try TextBuffer(capacity: capacity, startingWith: rest.span)
    rest = []
    var searched = 0
    while try buffer.fill(from: source) {
      // After a line longer than a block, this block ends, because places in a block have 32 bits.
      let end =
        searched == 0
        ? buffer.text.lastLineBreak : ByteSearch.firstIndex(of: 10, in: buffer.text, from: searched)
      if let end {
        rest.append(buffer.text.extracting((end + 1)...))
        try requireShortLines(buffer.text.extracting(..<(end + 1)))
        return Lines(region: buffer.region(), range: 0..<end + 1, isLast: false)
      }
      searched = buffer.count
      if searched > LineCursor.longestLine { throw LongLine(in: buffer.text, at: 0) }
      try buffer.grow()
    }
    try requireShortLines(buffer.text)
    let count = buffer.count
    return count == 0 ? nil : Lines(region: buffer.region(), range: 0..<count, isLast: true)
  }

  private static func requireShortLines(_ text: Span<UInt8>) throws(LongLine) {
    if let start = text.firstLongLine { throw LongLine(in: text, at: start) }
  }
}

extension Span<UInt8> {
  /// The start of the first line that exceeds the limit.
  fileprivate var firstLongLine: Int? {
    var start = 0
    while count - start > LineCursor.longestLine + 1 {
      guard let last = extracting(start...(start + LineCursor.longestLine)).lastLineBreak else {
        return start
      }
      start += last + 1
    }
    return nil
  }

  fileprivate var lastLineBreak: Int? {
    var offset = count
    while offset > 0 {
      offset -= 1
      if self[offset] == 10 { return offset }
    }
    return nil
  }
}
