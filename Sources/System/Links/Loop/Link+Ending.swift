import SystemIO

extension Link {
  // MARK: The farewell

  func beginFarewell(hasSentEnd: Bool, at now: Duration) {
    let awaitsGoodbye =
      settings.isPairing && settings.side == .listener && isProven && !stream.isPlain && !inbound.hasHeardEnd
    phase = .farewell(
      Farewell(hasSentEnd: hasSentEnd, awaitsGoodbye: awaitsGoodbye, settings.timeouts, at: now))
  }

  /// Sends the remaining bytes and the end of the stream, then waits until the other side ends its stream.
  ///
  /// A connection that is closed while received bytes are unread is reset, and our last bytes could be lost.
  func advance(_ farewell: Farewell, at now: Duration) throws {
    try outbound.writeSome(to: stream)
    guard outbound.isDone else { return }
    var farewell = farewell
    if !farewell.hasSentEnd {
      guard try sendEnd() else { return }
      farewell.hasSentEnd = true
      phase = .farewell(farewell)
    }
    stream.connection.shutdownWriting()
    for _ in 0..<64 {
      guard let count = readRest(awaitingGoodbye: farewell.awaitsGoodbye) else { return }
      if count == 0 { return endConnection(at: now) }
    }
  }

  /// Sends the end of the stream (`close_notify` over TLS); true once it is sent or not needed.
  func sendEnd() throws(LinkFailure) -> Bool {
    guard let saysGoodbye else { return false }
    return saysGoodbye ? try stream.sendEnd() : true
  }

  /// Whether this side sends the end of the stream; nil if not yet known.
  ///
  /// A scanner that may reconnect does not send it: after `close_notify`, the provider does not wait for the
  /// scanner any more.
  private var saysGoodbye: Bool? {
    guard settings.isPairing, settings.side == .connector, !stream.isPlain else { return true }
    if let speaker { return !speaker.hasGivenUp }
    guard program != nil else { return true }
    // These statuses mean success, or a failure that a retry cannot fix (EX_PROTOCOL, EX_NOPERM).
    return status.map { [0, 76, 77].contains($0) }
  }

  /// Drops received bytes that are no longer needed, and returns their number; 0 at the end, nil if nothing
  /// has arrived.
  private func readRest(awaitingGoodbye: Bool) -> Int? {
    var bytes = [UInt8](repeating: 0, count: 16 << 10)
    var region = bytes.mutableSpan
    do {
      return try unsafe region.withUnsafeMutableBytes { bytes throws -> Int? in
        guard awaitingGoodbye else { return try unsafe stream.connection.read(into: bytes) }
        let count = try unsafe stream.read(into: bytes)
        if count == 0 { hasHeardGoodbye = true }
        return count
      }
    } catch {
      return 0
    }
  }

  // MARK: The program's end

  /// Ends the connection; a program that still runs gets time to end.
  func endConnection(at now: Duration) { abandon(Abandonment(at: now)) }

  private func abandon(_ abandonment: Abandonment) {
    guard program != nil, status == nil else {
      phase = .closed
      return
    }
    phase = .abandoned(abandonment)
    reap()
  }

  func closePipes() {
    try? program?.process.input.close()
    try? program?.process.output.close()
  }

  func reap() {
    guard let code = program?.process.exitStatus() else { return }
    status = code
    phase = .closed
  }

  // MARK: An early end

  /// Ends the link early; the first reason is reported.
  package func fail(_ failure: LinkFailure, at now: Duration) {
    if self.failure == nil { self.failure = explained(failure) }
    if program != nil {
      closePipes()
      endConnection(at: now)
    } else if case .opening = phase, !isLost {
      // The alert or the message with the reason must still be sent.
      outbound.end()
      beginFarewell(hasSentEnd: true, at: now)
    } else {
      phase = .closed
    }
  }

  /// The failure to report: for the key of a trusted peer that is not accepted here, it names the reason.
  private func explained(_ failure: LinkFailure) -> LinkFailure {
    guard case .untrustedPeer(let key?) = failure, let objection = settings.objection(key) else {
      return failure
    }
    return .untrustedSender(objection)
  }

  /// Whether the link ends without sending a reason to the other side.
  private var isLost: Bool {
    switch failure {
    case .connectionLost, .timedOut, .crowdedOut, .stopped, .refusedByPeer, .busyPeer: true
    default: false
    }
  }

  /// Gives up the connection after a second signal, and gives a program a short time to end.
  func abort(at now: Duration) {
    closePipes()
    abandon(Abandonment(abortedAt: now))
  }

  /// Stops the link after a signal, and finishes pending work.
  package func stop(by signal: CInt) {
    let now = SystemClock.monotonic()
    // Do not wait long for a side that does not read.
    if case .relaying(let relaying) = phase, relaying.isDraining {
      beginFarewell(hasSentEnd: relaying.hasSentEnd, at: now)
    }
    switch phase {
    case .waiting, .opening: fail(.stopped, at: now)
    case .relaying(var relaying):
      relaying.isStopping = true
      phase = .relaying(relaying)
      stopSpeaking(by: signal, at: now)
    case .farewell(var farewell):
      farewell.hurry(at: now)
      phase = .farewell(farewell)
    case .abandoned, .closed: break
    }
  }

  private func stopSpeaking(by signal: CInt, at now: Duration) {
    switch local {
    case .speaker(let end): end.speaker.stop(at: now)
    case .program(let program):
      // A terminal has sent SIGINT to the program too, and a second SIGINT would abort its pending work.
      if signal != Signals.interrupt || !Descriptor.isAnyTerminal { program.process.signal(signal) }
    case .standardStreams, nil: outbound.end()
    }
  }
}
