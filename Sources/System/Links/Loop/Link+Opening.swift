import Pairing

internal import JSONLines
internal import SyncCore
internal import SystemIO

extension Link {
  /// Does what can be done without waiting.
  package func advance(at now: Duration) {
    do {
      try go(at: now)
      if let deadline, deadline <= now, phase != .closed { try timeOut(at: now) }
    } catch let failure as LinkFailure {
      fail(failure, at: now)
    } catch let error as PairingGateError {
      turnAway(error, at: now)
    } catch let error as SystemError {
      fail(.local(error), at: now)
    } catch {
      fail(.protocolBroken("\(error)"), at: now)
    }
  }

  private func go(at now: Duration) throws {
    if phase == .waiting, let start = deadline, start <= now {
      phase = .proving
      deadline = now + settings.timeouts.handshake
    }
    if phase == .proving, try stream.handshake() { try prove(at: now) }
    if phase == .greeting { try readGreeting(at: now) }
    if phase == .hearing { try readFirstMessage(at: now) }
    if phase == .open {
      if let peer, !settings.isPairing, !settings.covers(peer, stream.peer) {
        throw LinkFailure.untrustedPeer(stream.peer)
      }
      try exchange(at: now)
    }
    if phase == .farewell { try sayGoodbye(at: now) }
    if phase == .abandoned { reap() }
  }

  /// The handshake is done, and with it the other side has proven its key.
  private func prove(at now: Duration) throws {
    if let key = stream.peer { peer = settings.owner(key) }
    // Whoever is let in over TLS has shown a key, and but for pairing one that is trusted.
    if !stream.isPlain, stream.peer == nil || peer == nil && !settings.isPairing {
      throw LinkFailure.untrustedPeer(stream.shown)
    }
    switch settings.side {
    case .connector:
      guard stream.isPlain else {
        phase = .greeting
        return
      }
      peer = settings.vouched
    case .listener:
      if let refusal = settings.refusal(peer) { return try refuse(refusal, .busyPeer(refusal), at: now) }
      guard !stream.isPlain || settings.isPairing else {
        phase = .hearing
        return
      }
      if !stream.isPlain { outbound.insert(LinkGreeting.welcomeFrame) }
    }
    try open(at: now)
  }

  /// The other side has sent what must not pass before anybody is trusted.
  ///
  /// Nothing of it has gone on to the program, which loses its pipes; what it has said before leaves whole.
  private func turnAway(_ error: PairingGateError, at now: Duration) {
    let failure = LinkFailure.protocolBroken(error.message)
    guard let code = error.answer, !hasSentEnd else { return fail(failure, at: now) }
    closePipes()
    do {
      try refuse(PeerError(inPairing: code), failure, answering: error.question, at: now)
    } catch {
      fail(failure, at: now)
    }
  }

  /// Tells the other side why not.
  private func refuse(
    _ refusal: PeerError, _ failure: LinkFailure, answering question: UUIDText? = nil, at now: Duration
  ) throws {
    let (seconds, nanoseconds) = SystemClock.wallTime()
    guard let sentAt = Instant(seconds: seconds, nanoseconds: nanoseconds) else { return }
    let id = UUIDText(random: try RandomBytes.make(16))
    let message = Message(
      id: id, version: settings.version, sentAt: sentAt, inReplyTo: question, body: .error(refusal))
    outbound.insert(LinkGreeting.frame(of: message))
    self.failure = failure
    try outbound.end { _, _, _ in true }
    beginFarewell(at: now)
  }

  private func readGreeting(at now: Duration) throws {
    guard try readFirstFrame(LinkGreeting.limit, "the other side does not begin with a greeting") else {
      return
    }
    switch LinkGreeting(frame: firstFrame) {
    case .welcome: try open(at: now)
    case .refused(let error) where error.known == .busy || error.known == .rateLimited:
      throw LinkFailure.busyPeer(error)
    case .refused(let error):
      throw LinkFailure.refusedByPeer("\(error.code.escapingControls): \(error.message.escapingControls)")
    case nil: throw LinkFailure.protocolBroken("the other side does not begin with a greeting")
    }
  }

  /// Over version 1 a name is all there is; one that belongs to a peer with a key is not good here.
  private func readFirstMessage(at now: Duration) throws {
    let isWhole: Bool
    do throws(LinkFailure) {
      isWhole = try readFirstFrame(FirstMessage.limit, "the other side does not begin with a message")
    } catch {
      guard case .protocolBroken = error else { throw error }
      let reason = "the first message has at most \(FirstMessage.limit) bytes"
      return try refuse(PeerError(.frameTooLarge, reason), error, at: now)
    }
    guard isWhole else { return }
    let message: Message
    do throws(MessageError) { message = try FirstMessage.read(frame: firstFrame) } catch {
      let failure = LinkFailure.protocolBroken(
        "the other side does not begin with a message: \(error.message)")
      guard case .incompatibleProtocolVersion = error else { throw failure }
      return try refuse(PeerError(.incompatibleProtocolVersion, "this is version 1"), failure, at: now)
    }
    switch settings.sender(message) {
    case .success(let sender):
      peer = sender
      inbound.receive(firstFrame)
      firstFrame = []
      try open(at: now)
    case .failure(let failure):
      try refuse(PeerError(.untrustedPeer, "this peer is not trusted here"), failure, at: now)
    }
  }

  /// No room is made for more than has a chance to be there.
  private static let portion = 16 << 10

  /// True once the first frame is there as a whole.
  private func readFirstFrame(_ limit: Int, _ fault: String) throws(LinkFailure) -> Bool {
    while let count = LinkGreeting.byteCount(firstFrame, limit: limit), firstFrame.count < count {
      guard let more = try readBytes(min(count - firstFrame.count, Self.portion)) else { return false }
      firstFrame += more
    }
    guard LinkGreeting.byteCount(firstFrame, limit: limit) == firstFrame.count else {
      throw .protocolBroken(fault)
    }
    return true
  }

  /// Exactly the bytes asked for or fewer: what follows the first frame belongs to the program.
  private func readBytes(_ count: Int) throws(LinkFailure) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var region = bytes.mutableSpan
    let read = try unsafe region.withUnsafeMutableBytes {
      (bytes: UnsafeMutableRawBufferPointer) throws(LinkFailure) -> Int? in
      try unsafe stream.read(into: bytes)
    }
    guard let read else { return nil }
    if read == 0 { throw .connectionLost("the connection ended before anything was said") }
    return Array(bytes.prefix(read))
  }

  private func open(at now: Duration) throws {
    if let command = settings.command {
      let process = try ChildProcess.start(
        command, environment: try facts().environment, leading: !Descriptor.isAnyTerminal)
      program = Program(process)
    } else if let speaker = settings.speaker?() {
      speaker.begin(try facts(), at: now)
      end = SpeakerEnd(speaker)
    }
    phase = .open
    hasOpened = true
    touch(at: now)
  }

  /// Something moved: the time-out begins anew.
  ///
  /// A whole `pairHello` has to come within the first one.
  func touch(at now: Duration) {
    if let gate, !gate.hasHello, settings.side == .listener {
      if deadline == nil { deadline = now + settings.timeouts.handshake }
      return
    }
    deadline = settings.timeouts.idle.map { now + $0 }
  }

  private func timeOut(at now: Duration) throws(LinkFailure) {
    switch phase {
    case .waiting, .closed: break
    case .proving: throw .timedOut("no handshake within \(settings.timeouts.handshake.shown)")
    case .hearing: throw .timedOut("no message within \(settings.timeouts.handshake.shown)")
    case .greeting: throw .timedOut("no greeting within \(settings.timeouts.handshake.shown)")
    case .open where isDraining:
      throw .timedOut("what was left to say was not read within \(settings.timeouts.handshake.shown)")
    case .open:
      guard let gate, !gate.hasHello else {
        throw .timedOut("nothing moved for \((settings.timeouts.idle ?? .zero).shown)")
      }
      throw .timedOut("no pairHello within \(settings.timeouts.handshake.shown)")
    case .farewell: endConnection(at: now)
    case .abandoned: press(at: now)
    }
  }
}
