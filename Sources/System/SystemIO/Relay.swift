/// Copies bytes in both directions between our standard streams and a child process, through a transform for
/// each.
///
/// One poll loop serves both directions, and neither waits for the other, so a side that closes or stalls
/// first does not cause a deadlock. When one side ends its output, the other side's input ends too,
/// independent of the other direction. The relay ends when the child has ended and its output has been
/// delivered.
package struct Relay: ~Copyable {
  /// Consumes usable bytes from the front of the window and appends the result.
  ///
  /// `isFinal` holds after the last bytes. If the result is long, it may leave bytes in the window: it is
  /// called again once the reader has taken the result. Returning false ends the direction after the bytes
  /// appended so far.
  package typealias Transform = (inout ByteWindow, _ isFinal: Bool, inout [UInt8]) throws -> Bool

  private var child: ChildProcess
  private var inbound = RelayDirection()
  private var outbound = RelayDirection()
  private var hasEndedOutput = false

  package init(_ child: consuming ChildProcess) { self.child = child }

  /// Runs to the end and returns the child's exit status.
  package mutating func run(inbound toChild: Transform, outbound fromChild: Transform) throws -> CInt {
    var wasInterrupted = false
    while true {
      if let status = child.exitStatus() {
        try drain(fromChild)
        if let cut = inbound.cut ?? outbound.cut { throw cut }
        return status
      }
      wait(watchingInterruption: !wasInterrupted)
      ChildSignal.pipe.clear()
      if let number = Interruption.pending, !wasInterrupted {
        wasInterrupted = true
        // A terminal has sent SIGINT to the child too; a second SIGINT would end the child before it
        // finishes.
        if number != SIGINT || !Descriptor.isAnyTerminal { child.signal(number) }
      }
      try inbound.turn(from: Descriptor.standardInput, to: child.input, toChild)
      if !outbound.isDone { try outbound.turn(from: child.output, to: Descriptor.standardOutput, fromChild) }
      if inbound.isDone { try child.input.close() }
      if outbound.isDone { try endOutput() }
    }
  }

  /// Ends our output when the child has ended its output, so that our reader does not wait for the child's
  /// exit.
  private mutating func endOutput() throws(SystemError) {
    guard !hasEndedOutput else { return }
    hasEndedOutput = true
    try child.output.close()
    StandardStreams.endOutput()
  }

  /// Reads the rest of an exited child's pipe, without waiting for a grandchild that keeps the pipe open.
  private mutating func drain(_ transform: Transform) throws {
    while !outbound.isDone {
      let isEmpty = !Readiness.isReadable(child.output.raw)
      try outbound.turn(from: child.output, to: Descriptor.standardOutput, transform)
      if isEmpty { try outbound.end(transform) }
      if isEmpty || !outbound.wantsInput { try outbound.writeRest(to: Descriptor.standardOutput) }
    }
  }

  private borrowing func wait(watchingInterruption: Bool) {
    var entries = [
      pollfd(fd: inbound.wantsInput ? STDIN_FILENO : -1, events: Int16(POLLIN), revents: 0),
      inbound.sinkEntry(child.input.raw),
      pollfd(
        fd: outbound.wantsInput && !outbound.isDone ? child.output.raw : -1, events: Int16(POLLIN), revents: 0
      ),
      outbound.sinkEntry(STDOUT_FILENO),
      pollfd(fd: ChildSignal.pipe.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: watchingInterruption ? Interruption.descriptor : -1, events: Int16(POLLIN), revents: 0),
    ]
    _ = unsafe poll(&entries, nfds_t(entries.count), -1)
  }
}

/// The source of a relay.
package protocol RelaySource: ~Copyable {
  /// Appends available bytes to `window`, without waiting; 0 is the end, and nil means that bytes are not
  /// available yet.
  func readAvailable(into window: inout ByteWindow) throws -> Int?
}

/// The destination of a relay.
package protocol RelaySink: ~Copyable {
  /// Whether the reader has closed its end.
  var isBroken: Bool { get }

  /// Writes as many bytes as fit, without waiting; 0 if there is no room.
  func writeAvailable(_ bytes: Span<UInt8>) throws(SystemError) -> Int

  /// Writes all bytes, and waits for the reader as long as necessary.
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
