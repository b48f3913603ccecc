/// One direction of a relay: the bytes read, and the bytes waiting to be written.
package struct RelayDirection: ~Copyable {
  /// While more than this many bytes wait for a slow reader, nothing more is read.
  private static let highWater = 256 << 10

  private var window = ByteWindow()
  private var pending: [UInt8] = []
  private var written = 0
  private var hasEnded = false
  private var isSinkClosed = false

  package init() {}

  /// Whether nothing more will be written.
  package var isDone: Bool { isSinkClosed || hasEnded && written == pending.count }

  /// Whether the source has ended, even if its bytes are not delivered yet.
  package var hasHeardEnd: Bool { hasEnded }

  package var wantsInput: Bool { !hasEnded && pending.count - written < Self.highWater }

  /// Bytes wait for room.
  package var hasOutput: Bool { !isDone && written < pending.count }

  /// How many bytes have come in.
  package private(set) var received = 0

  /// How many bytes have gone out.
  package private(set) var sent = 0

  /// Watches for room if something waits, and always for a reader that has gone away.
  func sinkEntry(_ raw: CInt) -> pollfd {
    pollfd(fd: isDone ? -1 : raw, events: written < pending.count ? Int16(POLLOUT) : 0, revents: 0)
  }

  /// Reads once and writes as much as possible without blocking.
  package mutating func turn<Source: RelaySource & ~Copyable, Sink: RelaySink & ~Copyable>(
    from source: borrowing Source, to sink: borrowing Sink, _ transform: Relay.Transform
  ) throws {
    if wantsInput, let count = try source.readAvailable(into: &window) {
      received += count
      if count == 0 {
        try end(transform)
      } else if isSinkClosed {
        window.consume(window.count)
      } else if try !transform(&window, false, &pending) {
        hasEnded = true
      }
    }
    try writeSome(to: sink)
  }

  /// Inserts bytes of our own before the next ones; they are not counted as sent.
  package mutating func insert(_ bytes: [UInt8]) {
    pending += bytes
    sent -= bytes.count
  }

  /// Inserts bytes before the next ones that were read from its source by other means.
  package mutating func receive(_ bytes: [UInt8]) {
    pending += bytes
    received += bytes.count
  }

  /// Ends the input: the transform gets its last call.
  package mutating func end(_ transform: Relay.Transform) throws {
    guard !hasEnded else { return }
    hasEnded = true
    if !isSinkClosed { _ = try transform(&window, true, &pending) }
  }

  /// Writes all waiting bytes, however long the reader takes.
  mutating func writeRest<Sink: RelaySink & ~Copyable>(to sink: borrowing Sink) throws(SystemError) {
    guard !isSinkClosed else { return }
    do throws(SystemError) {
      try sink.writeAll(pending.span.extracting(written..<pending.count))
      forgetWritten(pending.count - written)
    } catch {
      try closeSink(because: error)
    }
  }

  package mutating func writeSome<Sink: RelaySink & ~Copyable>(
    to sink: borrowing Sink
  ) throws(SystemError) {
    if !isDone, sink.isBroken { dropAll() }
    while !isSinkClosed, written < pending.count {
      do throws(SystemError) {
        let count = try sink.writeAvailable(pending.span.extracting(written..<pending.count))
        if count == 0 { return }
        forgetWritten(count)
      } catch {
        try closeSink(because: error)
      }
    }
  }

  /// Ends the direction because its reader has gone away.
  ///
  /// This is not an error here; the other side decides what it means.
  private mutating func closeSink(because error: SystemError) throws(SystemError) {
    guard error.isBrokenPipe else { throw error }
    dropAll()
  }

  /// Drops bytes without a reader, as they must not block further reading.
  private mutating func dropAll() {
    isSinkClosed = true
    pending = []
    written = 0
  }

  /// Frees the room of written bytes, even if a slow reader always leaves some waiting.
  private mutating func forgetWritten(_ count: Int) {
    written += count
    sent += count
    guard written == pending.count || written >= Self.highWater else { return }
    pending.removeFirst(written)
    written = 0
  }
}
