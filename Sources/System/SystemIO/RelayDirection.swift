/// One direction of a relay: the bytes read, and the bytes waiting to be written.
package struct RelayDirection: ~Copyable {
  /// The number of bytes waiting for a slow reader above which reading pauses.
  private static let highWater = 256 << 10

  private var window = ByteWindow()
  private var pending: [UInt8] = []
  private var written = 0
  private var hasEnded = false
  /// Whether the transform has left bytes in the window because much output waits.
  private var isHeld = false
  private var isSinkClosed = false
  /// Whether the sink closed while bytes waited for it.
  package private(set) var hasLostOutput = false
  /// The error that ended the source; it is thrown once the bytes before it are delivered.
  package private(set) var cut: (any Error)?

  package init() {}

  /// Whether all writing is done.
  package var isDone: Bool { isSinkClosed || hasEnded && !isHeld && written == pending.count }

  /// Whether the source has ended, even if its bytes are not delivered yet.
  package var hasHeardEnd: Bool { hasEnded }

  package var wantsInput: Bool { !hasEnded && !isHeld && cut == nil && hasRoom }

  private var hasRoom: Bool { pending.count - written < Self.highWater }

  /// Whether bytes wait to be written.
  package var hasOutput: Bool { !isDone && written < pending.count }

  /// The number of bytes read.
  package private(set) var received = 0

  /// The number of bytes written.
  package private(set) var sent = 0

  /// The poll entry of the sink: for room if bytes are pending; a closed reader is always reported.
  func sinkEntry(_ raw: CInt) -> pollfd {
    pollfd(fd: isDone ? -1 : raw, events: written < pending.count ? Int16(POLLOUT) : 0, revents: 0)
  }

  /// Reads once and writes as much as possible without blocking.
  package mutating func turn<Source: RelaySource & ~Copyable, Sink: RelaySink & ~Copyable>(
    from source: borrowing Source, to sink: borrowing Sink, _ transform: Relay.Transform
  ) throws {
    if wantsInput, let count = try read(from: source) {
      received += count
      if count == 0 {
        try end(transform)
      } else if isSinkClosed {
        window.consume(window.count)
      } else {
        try convert(transform)
      }
    }
    try writeSome(to: sink)
    while isHeld, hasRoom {
      try convert(transform)
      try writeSome(to: sink)
    }
    if let cut, !hasOutput { throw cut }
  }

  /// Reads available bytes; an error waits until the sink has all earlier bytes.
  private mutating func read<Source: RelaySource & ~Copyable>(from source: borrowing Source) throws -> Int? {
    do {
      return try source.readAvailable(into: &window)
    } catch {
      guard hasOutput else { throw error }
      cut = error
      return nil
    }
  }

  /// Inserts our own bytes before the next bytes, without counting them as sent.
  package mutating func insert(_ bytes: [UInt8]) {
    pending += bytes
    sent -= bytes.count
  }

  /// Inserts bytes that were read from the source by other means, before the next bytes.
  package mutating func receive(_ bytes: [UInt8]) {
    pending += bytes
    received += bytes.count
  }

  /// Ends the input: the transform gets its last call, later if the sink has no room.
  package mutating func end(_ transform: Relay.Transform) throws {
    guard !hasEnded else { return }
    hasEnded = true
    if !isSinkClosed, !isHeld { try convert(transform) }
  }

  /// Ends the input; bytes that the transform has left in the window are not sent.
  package mutating func end() { (hasEnded, isHeld) = (true, false) }

  /// Calls the transform, which may have to be called again for the rest of the window.
  private mutating func convert(_ transform: Relay.Transform) throws {
    let goesOn = try transform(&window, hasEnded, &pending)
    isHeld = goesOn && !window.isEmpty && !hasRoom
    if !goesOn { hasEnded = true }
  }

  /// Writes all waiting bytes, and waits for the reader as long as necessary.
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

  /// Ends the direction because its reader has closed its end.
  ///
  /// It does not throw if the reader has closed its end; the caller decides whether that is an error.
  private mutating func closeSink(because error: SystemError) throws(SystemError) {
    guard error.isBrokenPipe else { throw error }
    dropAll()
  }

  /// Drops bytes without a reader, because they must not block further reading.
  private mutating func dropAll() {
    isSinkClosed = true
    isHeld = false
    hasLostOutput = written < pending.count
    pending = []
    written = 0
  }

  /// Frees the memory of written bytes, even if a slow reader always leaves some bytes waiting.
  private mutating func forgetWritten(_ count: Int) {
    written += count
    sent += count
    guard written == pending.count || written >= Self.highWater else { return }
    pending.removeFirst(written)
    written = 0
  }
}
