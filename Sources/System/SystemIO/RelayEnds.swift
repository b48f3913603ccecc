/// Where a relay reads from.
package protocol RelaySource: ~Copyable {
  /// Appends what is there to `window`, without waiting; 0 is the end, and nil says that nothing is there yet.
  func readAvailable(into window: inout ByteWindow) throws -> Int?
}

/// Where a relay writes to.
package protocol RelaySink: ~Copyable {
  /// Whoever read what is written here has gone away.
  var isBroken: Bool { get }

  /// Writes as much as there is room for, without waiting; 0 where there is none.
  func writeAvailable(_ bytes: Span<UInt8>) throws(SystemError) -> Int

  /// Writes all of it, however long the reader takes.
  func writeAll(_ bytes: Span<UInt8>) throws(SystemError)
}

extension Descriptor: RelaySource, RelaySink {
  package borrowing func readAvailable(into window: inout ByteWindow) throws -> Int? {
    Readiness.isReadable(raw) ? try window.fill(from: self) : nil
  }

  package var isBroken: Bool { Readiness.isBroken(raw) }

  package borrowing func writeAvailable(_ bytes: Span<UInt8>) throws(SystemError) -> Int {
    Readiness.isWritable(raw) ? try writeWithoutBlocking(bytes) : 0
  }

  package borrowing func writeAll(_ bytes: Span<UInt8>) throws(SystemError) { try write(bytes) }
}
