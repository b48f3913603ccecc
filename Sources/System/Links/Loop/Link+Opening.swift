import Crypto
import JSONLines
import Pairing

internal import SyncCore
internal import SystemIO

extension Link {
  /// Does everything that is possible without waiting.
  package func advance(at now: Duration) {
    do {
      try go(at: now)
      if let deadline = phase.deadline, deadline <= now { try timeOut(at: now) }
    } catch let failure as LinkFailure {
      fail(failure, at: now)
    } catch let error as PairingGateError {
      turnAway(error, at: now)
    } catch let error as SystemError {
      fail(.local(error), at: now)
    } catch TransportError.system(let error) {
      fail(.local(error), at: now)
    } catch let error as TransportError {
      fail(.protocolBroken(Diagnostic(error).message), at: now)
    } catch {
      fail(.protocolBroken("\(error)"), at: now)
    }
  }

  /// Continues through the phases as far as possible without waiting.
  private func go(at now: Duration) throws {
    if case .waiting(let start?) = phase, start <= now {
      phase = .opening(Opening(isPlain: stream.isPlain, deadline: now + settings.timeouts.handshake))
    }
    if case .opening(let opening) = phase { try advance(opening, at: now) }
    if case .relaying(let relaying) = phase { try advance(relaying, at: now) }
    if case .farewell(let farewell) = phase { try advance(farewell, at: now) }
    if case .abandoned = phase { reap() }
  }

  private func timeOut(at now: Duration) throws(LinkFailure) {
    switch phase {
    case .waiting, .closed: break
    case .opening(let opening): throw opening.timeOut(settings.timeouts)
    case .relaying(let relaying): throw relaying.timeOut(settings.timeouts)
    case .farewell: endConnection(at: now)
    case .abandoned(var abandonment):
      program?.process.signal(abandonment.press(at: now))
      phase = .abandoned(abandonment)
    }
  }

  // MARK: Opening

  private func advance(_ opening: Opening, at now: Duration) throws {
    var opening = opening
    // Set the peer even after a failure, so that the report can name it.
    defer { peer = opening.peer }
    var verdict: Opening.Verdict?
    if opening.step == .handshake {
      guard try stream.handshake() else { return }
      verdict = try opening.handleHandshake(provingKey: stream.peer, settings)
    }
    while verdict == nil, let bytes = try readBytes(opening.room) {
      verdict = try opening.handle(bytes, settings)
    }
    switch verdict {
    case nil: phase = .opening(opening)
    case .refuse(let refusal, let failure): try refuse(refusal, failure, at: now)
    case .open(let saying, let heard):
      peer = opening.peer
      outbound.insert(saying)
      inbound.receive(heard)
      if !heard.isEmpty { trace?.pass(heard.span, isOurs: false, peer: peer?.peerId) }
      local = try localEnd(at: now)
      phase = .relaying(Relaying(settings, until: opening.deadline, at: now))
    }
  }

  /// Reads at most `count` bytes; empty at the end, nil if nothing has arrived.
  private func readBytes(_ count: Int) throws(LinkFailure) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var region = bytes.mutableSpan
    let read = try unsafe region.withUnsafeMutableBytes {
      (bytes: UnsafeMutableRawBufferPointer) throws(LinkFailure) -> Int? in
      try unsafe stream.read(into: bytes)
    }
    return read.map { Array(bytes.prefix($0)) }
  }

  /// Starts the program or the speaker of this side.
  private func localEnd(at now: Duration) throws -> LocalEnd {
    if let command = settings.command {
      let process = try ChildProcess.start(
        command, environment: try facts().environment, leading: !Descriptor.isAnyTerminal)
      return .program(Program(process))
    }
    guard let speaker = settings.speaker?() else { return .standardStreams }
    speaker.begin(try facts(), at: now)
    return .speaker(SpeakerEnd(speaker))
  }

  // MARK: Refusing

  /// Refuses data that the other side must not send before it is trusted.
  ///
  /// The program does not receive this data, and its pipes are closed; its earlier output is sent completely.
  private func turnAway(_ error: PairingGateError, at now: Duration) {
    let failure = LinkFailure.protocolBroken(error.message)
    guard let code = error.answer, case .relaying(let relaying) = phase, !relaying.hasSentEnd else {
      return fail(failure, at: now)
    }
    closePipes()
    do {
      try refuse(PeerError(inPairing: code), failure, answering: error.question, at: now)
    } catch {
      fail(failure, at: now)
    }
  }

  /// Sends the other side the reason for a refusal.
  private func refuse(
    _ refusal: PeerError, _ failure: LinkFailure, answering question: UUIDText? = nil, at now: Duration
  ) throws {
    let sentAt = Instant(clock: SystemClock.wallTime())
    let id = UUIDText(random: try RandomBytes.make(16))
    let message = Message(
      id: id, version: settings.version, sentAt: sentAt, inReplyTo: question, body: .error(refusal))
    outbound.insert(LinkGreeting.frame(of: message))
    self.failure = failure
    outbound.end()
    beginFarewell(hasSentEnd: false, at: now)
  }
}
