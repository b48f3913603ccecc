/// Buffered writing: small pieces are gathered, large ones go straight through.
package struct ByteOutput: ~Copyable {
  private static let capacity = 256 << 10
  private let sink: Descriptor
  /// What waits to be written; append to it, then call `flushIfFull`.
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
