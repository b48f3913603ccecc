import Pairing

internal import SyncCore
internal import SystemIO

extension Link {
  /// Moves as much as possible, in both directions.
  func advance(_ relaying: Relaying, at now: Duration) throws {
    if let peer, !settings.isPairing, !settings.covers(peer, stream.peer) {
      throw LinkFailure.untrustedPeer(stream.peer)
    }
    let before = (inbound.received, inbound.sent, outbound.received, outbound.sent)
    var turn = Relaying.Turn(local: try exchange(at: now))
    // In a pairing, time may have passed while the user answered a question.
    let now = settings.isPairing ? max(now, SystemClock.monotonic()) : now
    turn.hasMoved = before != (inbound.received, inbound.sent, outbound.received, outbound.sent)
    (turn.isInboundDone, turn.isOutboundDone) = (inbound.isDone, outbound.isDone)
    turn.cut = inbound.cut.map { $0 as? LinkFailure ?? .connectionLost("\($0)") }
    turn.lacksHello = gate?.hasHello == false
    var relaying = relaying
    let isOver = relaying.handle(turn, settings.timeouts, at: now)
    if outbound.isDone, !relaying.hasSentEnd { relaying.hasSentEnd = try sendEnd() }
    phase = .relaying(relaying)
    guard isOver else { return }
    if let failure = turn.cut ?? loss(of: turn, relaying) { throw failure }
    beginFarewell(hasSentEnd: relaying.hasSentEnd, at: now)
  }

  /// The failure if the output of a program, or standard input to its end, was not sent; nil otherwise.
  private func loss(of turn: Relaying.Turn, _ relaying: Relaying) -> LinkFailure? {
    guard !settings.isPairing, !relaying.isStopping else { return nil }
    var isLost = outbound.hasLostOutput
    switch turn.local {
    case .standardStreams(let isPeerGone):
      // The connection is reset if the other side closed it before it had read all our bytes.
      let hasUnread = outbound.sent > 0 && stream.connection.isReset
      // Input that has not ended may continue; at a terminal, only what was typed counts.
      let isIncomplete = outbound.hasOutput || hasUnread || !Descriptor.standardInput.isTerminal
      isLost = isLost || isPeerGone && isIncomplete
    case .program: break
    case .speaker: return nil
    }
    return isLost ? .connectionLost("the other side closed the connection before everything was sent") : nil
  }

  private func exchange(at now: Duration) throws -> Relaying.Local {
    switch local {
    case .program(let program):
      return .program(hasExited: try exchange(with: program), mayLinger: gate == nil)
    case .speaker(let end):
      try exchange(with: end, at: now)
      return .speaker(isDone: end.speaker.isDone)
    case .standardStreams, nil:
      try exchangeWithStandardStreams()
      return .standardStreams(isPeerGone: isPeerGone)
    }
  }

  /// Whether the other side has closed its connection while this side may still send.
  private var isPeerGone: Bool {
    inbound.isDone && !outbound.isDone && !stream.isPlain && stream.connection.isEnded
  }

  /// Exchanges data with the program; true once it has ended.
  private func exchange(with program: Program) throws -> Bool {
    // Read and drop bytes that a program no longer reads; otherwise the other side would wait forever.
    if !inbound.isDone || inbound.wantsInput {
      try inbound.turn(from: stream, to: program.process.input, hear)
      if inbound.isDone { try program.process.input.close() }
      if inbound.hasHeardEnd { hasHeardGoodbye = true }
    }
    let code = program.process.exitStatus()
    if !outbound.isDone {
      // Do not wait for a grandchild process that keeps the pipe open.
      if code != nil, outbound.wantsInput, !program.process.output.isReadable { try outbound.end(say) }
      let (isLate, before) = (!settings.isPairing && isPeerGone, outbound.sent)
      try outbound.turn(from: program.process.output, to: stream, say)
      if isLate { sentLate += outbound.sent - before }
      if outbound.isDone { try program.process.output.close() }
    }
    if outbound.isDone { status = code }
    return code != nil
  }

  private func exchange(with end: SpeakerEnd, at now: Duration) throws {
    end.now = now
    end.speaker.advance(at: now)
    // Do not read from a broken connection for a speaker that is done: the error would look like a failure of
    // the speaker.
    if !inbound.isDone, !(end.speaker.isDone && stream.isBroken) {
      try inbound.turn(from: stream, to: end, hear)
      if inbound.isDone { end.speaker.hearEnd(at: now) }
    }
    repeat {
      try outbound.turn(from: end, to: stream, say)
    } while !outbound.isDone && outbound.wantsInput && end.isReadable
  }

  private func exchangeWithStandardStreams() throws {
    let wasDone = inbound.isDone
    if !wasDone || inbound.wantsInput {
      try inbound.turn(from: stream, to: Descriptor.standardOutput, hear)
      // The reader of our output may send data only after the output has ended.
      if inbound.isDone, !wasDone { StandardStreams.endOutput() }
      if inbound.hasHeardEnd { hasHeardGoodbye = true }
    }
    if !outbound.isDone { try outbound.turn(from: Descriptor.standardInput, to: stream, say) }
  }

  // MARK: Passing data

  private func hear(_ window: inout ByteWindow, isFinal: Bool, into bytes: inout [UInt8]) throws -> Bool {
    try pass(&window, from: settings.side == .listener ? .connector : .listener, into: &bytes)
    return true
  }

  /// Passes our output; throws if it contains a message that this side must not send.
  private func say(_ window: inout ByteWindow, isFinal: Bool, into bytes: inout [UInt8]) throws -> Bool {
    do throws(PairingGateError) {
      try pass(&window, from: settings.side, into: &bytes)
    } catch {
      throw LinkFailure.protocolBroken(error.message)
    }
    return true
  }

  /// Passes data unchanged, or only complete pairing messages while the peer is not trusted.
  private func pass(
    _ window: inout ByteWindow, from side: LinkSettings.Side, into bytes: inout [UInt8]
  ) throws(PairingGateError) {
    let isFromListener = side == .listener
    let count =
      try gate?.pass(window.storage.span.extracting(window.range), fromListener: isFromListener)
      ?? window.count
    let range = window.range.lowerBound..<window.range.lowerBound + count
    if count > 0 {
      trace?.pass(window.storage.span.extracting(range), isOurs: side == settings.side, peer: peer?.peerId)
    }
    unsafe window.storage.span.extracting(range).withUnsafeBufferPointer {
      unsafe bytes.append(contentsOf: $0)
    }
    window.consume(count)
  }
}
