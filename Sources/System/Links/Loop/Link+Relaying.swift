import Pairing

internal import SyncCore
internal import SystemIO

extension Link {
  /// Moves what can be moved, both ways.
  func exchange(at now: Duration) throws {
    let before = (inbound.received, inbound.sent, outbound.received, outbound.sent)
    if let program {
      try exchange(with: program)
    } else if let end {
      try exchange(with: end, at: now)
    } else {
      try exchangeWithStandardStreams()
    }
    let isLeaving = hasNobodyToSpeak && !outbound.isDone
    if isLeaving {
      // What is left has to find a reader in time, all of it, whatever else comes from there.
      if !isDraining { deadline = now + settings.timeouts.handshake }
    } else if before != (inbound.received, inbound.sent, outbound.received, outbound.sent) {
      touch(at: now)
    }
    isDraining = isLeaving
    if outbound.isDone, !hasSentEnd { hasSentEnd = try sendEnd() }
    if isFinished { beginFarewell(at: now) }
  }

  private func exchange(with program: Program) throws {
    // What a program does not read any more is read for it, or the other side would wait for ever.
    if !inbound.isDone || inbound.wantsInput {
      try inbound.turn(from: stream, to: program.process.input, hear)
      if inbound.isDone { try program.process.input.close() }
      if inbound.hasHeardEnd { hasHeardGoodbye = true }
    }
    let hasEnded = program.process.exitStatus() != nil
    if !outbound.isDone {
      // What a grandchild that holds the pipe open may yet write is not waited for.
      if hasEnded, outbound.wantsInput, !program.process.output.isReadable { try outbound.end(say) }
      try outbound.turn(from: program.process.output, to: stream, say)
      if outbound.isDone { try program.process.output.close() }
    }
    if hasEnded, outbound.isDone { status = program.process.exitStatus() }
  }

  private func exchange(with end: SpeakerEnd, at now: Duration) throws {
    end.now = now
    end.speaker.advance(at: now)
    if !inbound.isDone {
      try inbound.turn(from: stream, to: end, hear)
      if inbound.isDone { end.speaker.hearEnd(at: now) }
    }
    repeat {
      try outbound.turn(from: end, to: stream, say)
    } while !outbound.isDone && outbound.wantsInput && end.isReadable
  }

  private func exchangeWithStandardStreams() throws {
    if !inbound.isDone || inbound.wantsInput {
      try inbound.turn(from: stream, to: Descriptor.standardOutput, hear)
      // Whoever reads us may have something to say only then.
      if inbound.isDone, !hasEndedOutput {
        hasEndedOutput = true
        StandardStreams.endOutput()
      }
    }
    if !outbound.isDone { try outbound.turn(from: Descriptor.standardInput, to: stream, say) }
  }

  /// Who speaks here has come to its end; a trusted peer may take all the time that it wants to read what a program said.
  private var hasNobodyToSpeak: Bool {
    if let end { return end.speaker.isDone }
    return gate != nil && program?.process.exitStatus() != nil
  }

  private var isFinished: Bool {
    guard program == nil else { return status != nil }
    if end != nil { return outbound.isDone }
    if isStopping { return outbound.isDone }
    guard inbound.isDone else { return false }
    // Once it has said goodbye and closed its connection, nobody reads what we might still send.
    return outbound.isDone || !stream.isPlain && stream.connection.isEnded
  }

  private func hear(_ window: inout ByteWindow, isFinal: Bool, into bytes: inout [UInt8]) throws -> Bool {
    try pass(&window, from: settings.side == .listener ? .connector : .listener, into: &bytes)
    return true
  }

  /// Of what this side must not say, the other one hears nothing.
  private func say(_ window: inout ByteWindow, isFinal: Bool, into bytes: inout [UInt8]) throws -> Bool {
    do throws(PairingGateError) {
      try pass(&window, from: settings.side, into: &bytes)
    } catch {
      throw LinkFailure.protocolBroken(error.message)
    }
    return true
  }

  /// Both directions are let through as they are, or, while nobody is trusted, whole pairing messages only.
  private func pass(
    _ window: inout ByteWindow, from side: LinkSettings.Side, into bytes: inout [UInt8]
  ) throws(PairingGateError) {
    let isFromListener = side == .listener
    let count =
      try gate?.pass(window.storage.span.extracting(window.range), fromListener: isFromListener)
      ?? window.count
    let range = window.range.lowerBound..<window.range.lowerBound + count
    unsafe window.storage.span.extracting(range).withUnsafeBufferPointer {
      unsafe bytes.append(contentsOf: $0)
    }
    window.consume(count)
  }
}
