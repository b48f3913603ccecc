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
  /// What a stream had beyond the last block.
  private var rest: [UInt8] = []
  private var isAtEnd = false

  init(_ path: String, size: Int, maps: Bool) throws(SystemError) {
    self.size = size
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
  mutating func next() throws(SystemError) -> (TextRegion, Range<Int>)? {
    switch kind {
    case .mapped(let file):
      guard position < file.region.count else { return nil }
      let end = Self.end(of: file.region.span, from: position, size)
      let block = position..<end
      position = end
      file.prepare(block)
      return (file.region, block)
    case .stream(let source): return try Self.read(source, size, &rest, &isAtEnd)
    }
  }

  /// The end of the line that is under way `size` bytes further on.
  private static func end(of text: Span<UInt8>, from start: Int, _ size: Int) -> Int {
    guard text.count - start > size else { return text.count }
    return ByteSearch.firstIndex(of: 10, in: text, from: start + size).map { $0 + 1 } ?? text.count
  }

  private static func read(
    _ source: borrowing Descriptor, _ size: Int, _ rest: inout [UInt8], _ isAtEnd: inout Bool
  ) throws(SystemError) -> (TextRegion, Range<Int>)? {
    if isAtEnd { return nil }
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
        return (buffer.region(), 0..<end + 1)
      }
      searched = buffer.count
      try buffer.grow()
    }
    isAtEnd = true
    let count = buffer.count
    return count == 0 ? nil : (buffer.region(), 0..<count)
  }
}

extension Span<UInt8> {
  fileprivate var lastLineBreak: Int? {
    var offset = count
    while offset > 0 {
      offset -= 1
      if self[offset] == 10 { return offset }
    }
    return nil
  }
}
