import JSONLines

/// Buffered writing: small pieces are gathered, large ones are written directly.
package struct ByteOutput: ~Copyable {
  private static let capacity = 256 << 10
  private let sink: Descriptor
  /// Bytes to be written; append to it, then call `flushIfFull`.
  package var buffer: [UInt8] = []

  package init(_ sink: consuming Descriptor) {
    self.sink = sink
  }

  package static var standardOutput: ByteOutput { ByteOutput(.standardOutput) }

  @inline(__always)
  package mutating func write(_ byte: UInt8) throws(SystemError) {
    if buffer.count >= Self.capacity { try flush() }
    buffer.append(byte)
  }

  package mutating func write(_ bytes: Span<UInt8>) throws(SystemError) {
    if buffer.count + bytes.count > Self.capacity {
      try flush()
      if bytes.count > Self.capacity {
        return try sink.write(bytes)
      }
    }
    if bytes.isEmpty { return }
    if buffer.capacity < Self.capacity { buffer.reserveCapacity(Self.capacity) }
    unsafe bytes.withUnsafeBufferPointer { unsafe buffer.append(contentsOf: $0) }
  }

  package mutating func write(_ bytes: [UInt8]) throws(SystemError) { try write(bytes.span) }

  package mutating func flushIfFull() throws(SystemError) {
    if buffer.count >= Self.capacity { try flush() }
  }

  package mutating func flush() throws(SystemError) {
    guard !buffer.isEmpty else { return }
    defer { buffer.removeAll(keepingCapacity: true) }
    try sink.write(buffer.span)
  }
}

/// Output that is held until writing is allowed, in memory or, above some size, in a temporary file.
package struct HeldOutput: ~Copyable {
  /// The maximum number of bytes that are held in memory.
  private static let limit = 16 << 20

  private let isHeld: Bool
  private var pieces: [[UInt8]] = []
  private var size = 0
  private var file: SpillFile?

  /// Without `isHeld`, output is written immediately.
  package init(isHeld: Bool) { self.isHeld = isHeld }

  /// Keeps a piece for later, or passes it to `write` immediately.
  package mutating func append(_ piece: [UInt8], orTo write: (Span<UInt8>) throws -> Void) throws {
    guard isHeld else { return try write(piece.span) }
    pieces.append(piece)
    size += piece.count
    if size > Self.limit { try spill() }
  }

  private mutating func spill() throws {
    self.file = try SpillFile.naming {
      var file = if let file { file } else { try SpillFile() }
      for piece in pieces { try file.append(piece.span) }
      return file
    }
    pieces = []
    size = 0
  }

  /// Passes all held output to `write`.
  package mutating func release(to write: (Span<UInt8>) throws -> Void) throws {
    if let file { try file.forEachPiece(write) }
    for piece in pieces { try write(piece.span) }
    pieces = []
  }
}

/// A temporary file without a name, which disappears when the process ends.
package struct SpillFile: Sendable {
  private let file: File
  /// The number of bytes that have been written.
  package private(set) var size = 0

  /// The folder for temporary files: `$TMPDIR`, otherwise `/tmp`.
  package static var folder: String {
    Environment.value("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
  }

  /// Adds a hint about TMPDIR if a temporary file cannot be created or written.
  package static func naming<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as SystemError where error.action == .write || error.action == .create {
      var diagnostic = Diagnostic(error)
      diagnostic.hint = "set TMPDIR to choose the folder of temporary files"
      throw diagnostic
    }
  }

  package init() throws(SystemError) {
    let folder = Self.folder
    if let raw = NamelessFile.open(in: folder, 0o600) {
      file = File(Descriptor(owning: raw, name: "\(folder) (temporary file)"))
      return
    }
    let path = "\(folder)/peersync.\(String(UInt64.random(in: 0...UInt64.max), radix: 36)).spill"
    let raw = systemOpen(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard raw >= 0 else { throw SystemError(.create, folder, code: errno) }
    unsafe unlink(path)
    file = File(Descriptor(owning: raw, name: "\(folder) (temporary file)"))
  }

  package mutating func append(_ bytes: Span<UInt8>) throws(SystemError) {
    try file.descriptor.write(bytes)
    size += bytes.count
  }

  /// Passes the file to `body` for reading from its beginning.
  func withReader<Value>(_ body: (CInt) throws(SystemError) -> Value) throws(SystemError) -> Value {
    guard lseek(file.descriptor.raw, 0, SEEK_SET) == 0 else {
      throw SystemError(.read, file.descriptor.name, code: errno)
    }
    defer { withExtendedLifetime(file) {} }
    return try body(file.descriptor.raw)
  }

  /// Fills `buffer` with the bytes after the first `offset` bytes.
  package func read(at offset: Int, into buffer: inout TextBuffer) throws(SystemError) {
    var offset = offset
    while !buffer.isFull {
      let count = try buffer.fill(from: file.descriptor, at: offset)
      if count == 0 { return }
      offset += count
    }
  }

  private final class File: Sendable {
    let descriptor: Descriptor
    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
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
