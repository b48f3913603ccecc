/// Output that is held back until it is known that it may be written: in memory, and beyond some size in a temporary
/// file.
package struct HeldOutput: ~Copyable {
  /// So much is held in memory.
  private static let limit = 16 << 20

  private let isHeld: Bool
  private var pieces: [[UInt8]] = []
  private var size = 0
  private var file: SpillFile?

  /// Nothing is held back where `isHeld` is false.
  package init(isHeld: Bool) { self.isHeld = isHeld }

  /// Keeps a piece for later, or gives it to `write` at once.
  package mutating func append(_ piece: [UInt8], orTo write: (Span<UInt8>) throws -> Void) throws {
    guard isHeld else { return try write(piece.span) }
    pieces.append(piece)
    size += piece.count
    if size > Self.limit { try spill() }
  }

  private mutating func spill() throws(SystemError) {
    var file = if let file { file } else { try SpillFile() }
    for piece in pieces { try file.append(piece.span) }
    self.file = file
    pieces = []
    size = 0
  }

  /// Gives all that was kept to `write`.
  package mutating func release(to write: (Span<UInt8>) throws -> Void) throws {
    if let file { try file.forEachPiece(write) }
    for piece in pieces { try write(piece.span) }
    pieces = []
  }
}

extension SpillFile {
  fileprivate func forEachPiece(_ body: (Span<UInt8>) throws -> Void) throws {
    var offset = 0
    while offset < size {
      var buffer = try TextBuffer(capacity: min(1 << 20, size - offset), startingWith: Span())
      try read(at: offset, into: &buffer)
      try body(buffer.text)
      offset += buffer.count
    }
  }
}
