import SystemIO

extension Link {
  // MARK: The farewell

  func beginFarewell(at now: Duration) {
    phase = .farewell
    deadline = now + (awaitsGoodbye ? settings.timeouts.handshake : LinkTimeouts.farewell)
  }

  /// The goodbye of a scanner says that the last ack has reached it.
  private var awaitsGoodbye: Bool {
    settings.isPairing && settings.side == .listener && isProven && !stream.isPlain && !inbound.hasHeardEnd
  }

  /// Whether this side says goodbye; nil where that is not known yet.
  ///
  /// A scanner that may come again does not: by its goodbye the provider knows that it need not wait for it.
  private var saysGoodbye: Bool? {
    guard settings.isPairing, settings.side == .connector, !stream.isPlain else { return true }
    if let end { return !end.speaker.hasGivenUp }
    guard program != nil else { return true }
    // Done, or no further try could help (EX_PROTOCOL, EX_NOPERM).
    return status.map { [0, 76, 77].contains($0) }
  }

  /// True once the goodbye is out, or none is to be sent.
  func sendEnd() throws(LinkFailure) -> Bool {
    guard let saysGoodbye else { return false }
    return saysGoodbye ? try stream.sendEnd() : true
  }

  /// Sends the rest and the goodbye, then waits for the other side's end: a connection that is closed with bytes unread is
  /// reset, and what we sent last would be lost on its way.
  func sayGoodbye(at now: Duration) throws {
    try outbound.writeSome(to: stream)
    guard outbound.isDone else { return }
    if !hasSentEnd {
      hasSentEnd = try sendEnd()
      guard hasSentEnd else { return }
    }
    stream.connection.shutdownWriting()
    for _ in 0..<64 {
      guard let count = readRest() else { return }
      if count == 0 { return endConnection(at: now) }
    }
  }

  /// How many bytes have come that nobody reads any more; 0 at the end, nil where nothing is there yet.
  private func readRest() -> Int? {
    var bytes = [UInt8](repeating: 0, count: 16 << 10)
    var region = bytes.mutableSpan
    do {
      return try unsafe region.withUnsafeMutableBytes { bytes throws -> Int? in
        guard awaitsGoodbye else { return try unsafe stream.connection.read(into: bytes) }
        let count = try unsafe stream.read(into: bytes)
        if count == 0 { hasHeardGoodbye = true }
        return count
      }
    } catch {
      return 0
    }
  }

  // MARK: An early end

  /// The connection is gone; a program that still runs is waited for.
  func endConnection(at now: Duration) {
    guard program != nil, status == nil else {
      phase = .closed
      return
    }
    phase = .abandoned
    deadline = now + LinkTimeouts.programEnd
    reap()
  }

  func closePipes() {
    try? program?.process.input.close()
    try? program?.process.output.close()
  }

  /// Ends the link early; the first reason is the one that is told.
  package func fail(_ failure: LinkFailure, at now: Duration) {
    if self.failure == nil { self.failure = failure }
    if program != nil {
      closePipes()
      endConnection(at: now)
    } else if [.proving, .greeting, .hearing].contains(phase), !isLost {
      // The alert or the message that says why is on its way.
      hasSentEnd = true
      try? outbound.end { _, _, _ in true }
      beginFarewell(at: now)
    } else {
      phase = .closed
    }
  }

  /// The other side has nothing to hear from us any more.
  private var isLost: Bool {
    switch failure {
    case .connectionLost, .timedOut, .crowdedOut, .refusedByPeer, .busyPeer: true
    default: false
    }
  }

  func reap() {
    guard let code = program?.process.exitStatus() else { return }
    status = code
    phase = .closed
  }

  /// A program that goes on without its link is asked to end, and made to where it does not listen.
  func press(at now: Duration) {
    program?.process.signal(pressure)
    pressure = Signals.kill
    deadline = now + LinkTimeouts.programEnd
  }

  /// A second signal: the connection is given up, and a program has a moment for its own end.
  func abort(at now: Duration) {
    closePipes()
    pressure = Signals.kill
    endConnection(at: now)
    if phase == .abandoned { deadline = now + LinkTimeouts.abortedProgramEnd }
  }

  /// A signal asks us to stop: what is under way is brought to its end.
  package func stop(by signal: CInt) {
    isStopping = true
    // Nobody is waited for long who does not read.
    if isDraining { beginFarewell(at: SystemClock.monotonic()) }
    switch phase {
    case .waiting, .proving, .greeting, .hearing: phase = .closed
    case .open:
      if let end { return end.speaker.stop(at: SystemClock.monotonic()) }
      guard let program else {
        try? outbound.end { _, _, _ in true }
        return
      }
      // A terminal has sent SIGINT to the program too: a second one would end its draining.
      if signal != Signals.interrupt || !Descriptor.isAnyTerminal { program.process.signal(signal) }
    case .farewell: deadline = min(deadline ?? .zero, SystemClock.monotonic() + LinkTimeouts.farewell)
    case .abandoned, .closed: break
    }
  }
}
