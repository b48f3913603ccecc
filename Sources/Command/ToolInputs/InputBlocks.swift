import CommandLine
import JSONLines
import SystemIO

/// One input as blocks of whole lines.
struct InputBlocks: ~Copyable {
  private enum Kind: ~Copyable {
    case mapped(MappedFile)
    case stream(Descriptor)
  }

  private static let worthMapping = 256 << 10

  private let kind: Kind
  private let size: Int
  /// Where the next block of a mapped file begins.
  private var position = 0
  private let name: String
  /// What a stream had beyond the last block.
  private var rest: [UInt8] = []
  private var isAtEnd = false

  init(_ path: String, size: Int, maps: Bool) throws(SystemError) {
    (self.size, name) = (size, path)
    let source = try Descriptor.reading(path)
    // A map costs a descriptor, and is worth it for large files. A pipe could not be opened again.
    if maps, path != "-", source.kind == .regular, source.size >= Self.worthMapping {
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

  /// The next lines, in a region that may hold more; nil at the end.
  ///
  /// Throws where a line is longer than any may be.
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
      guard let found = try Self.read(source, size, &rest, name, at: position) else {
        isAtEnd = true
        return nil
      }
      isAtEnd = found.isLast
      position += found.range.count
      return (found.region, found.range)
    }
  }

  /// The end of the line that is under way `size` bytes further on.
  private func end(of text: Span<UInt8>) throws -> Int {
    guard text.count - position > size else { return text.count }
    // One byte more than a line may have, with its line end.
    let limit = min(text.count, position + size + LineCursor.longestLine + 2)
    let found = ByteSearch.firstIndex(of: 10, in: text.extracting(..<limit), from: position + size)
    let end = found.map { $0 + 1 } ?? limit
    guard end - position > LineCursor.longestLine else { return end }
    let start = text.extracting(position..<end - 1).lastLineBreak.map { position + $0 + 1 } ?? position
    if end - start > LineCursor.longestLine + 1 { throw Diagnostic.longLine(in: name, offset: start) }
    return end
  }

  private struct Lines {
    var region: TextRegion
    var range: Range<Int>
    var isLast: Bool
  }

  private static func read(
    _ source: borrowing Descriptor, _ size: Int, _ rest: inout [UInt8], _ name: String, at position: Int
  ) throws -> Lines? {
    let isSmall = source.kind == .regular && source.size < size
    var buffer = try TextBuffer(capacity: isSmall ? source.size + 1 : size, startingWith: rest.span)
    rest = []
    var searched = 0
    while try buffer.fill(from: source) {
      // After a line longer than a block no other begins in this one: places in a block have 32 bits.
      let end =
        searched == 0
        ? buffer.text.lastLineBreak : ByteSearch.firstIndex(of: 10, in: buffer.text, from: searched)
      if let end {
        rest.append(buffer.text.extracting((end + 1)...))
        try requireShortLines(buffer.text.extracting(..<(end + 1)), name, at: position)
        return Lines(region: buffer.region(), range: 0..<end + 1, isLast: false)
      }
      searched = buffer.count
      if searched > LineCursor.longestLine { throw Diagnostic.longLine(in: name, offset: position) }
      try buffer.grow()
    }
    try requireShortLines(buffer.text, name, at: position)
    let count = buffer.count
    return count == 0 ? nil : Lines(region: buffer.region(), range: 0..<count, isLast: true)
  }

  private static func requireShortLines(
    _ text: Span<UInt8>, _ name: String, at position: Int
  ) throws(Diagnostic) {
    if let start = text.firstLongLine { throw Diagnostic.longLine(in: name, offset: position + start) }
  }
}

extension Span<UInt8> {
  /// Where a line begins that is longer than one may be.
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
