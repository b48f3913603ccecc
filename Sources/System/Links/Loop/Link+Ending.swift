import SystemIO

extension Link {
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
