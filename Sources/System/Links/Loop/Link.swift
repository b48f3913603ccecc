internal import SyncCore
package import Crypto
import Pairing
package import SystemIO

/// One connection from its first byte to its last.
///
/// It consists of authentication, a greeting, and then bytes in both directions. The local end is a program,
/// a speaker of this process, or our standard streams.
///
/// It never blocks: the caller waits for the descriptors from `watch` and calls `advance`.
package final class Link {
  let settings: LinkSettings
  let stream: PeerStream
  /// The group of the other side's address; failures and connections are counted for each group.
  let origin: String
  var phase = LinkPhase.waiting(until: nil)
  /// The reason why the link failed; nil if it succeeded or has not ended.
  package internal(set) var failure: LinkFailure?
  /// The exit status of the link's program.
  package internal(set) var status: CInt?
  /// The other side, if it is trusted.
  package internal(set) var peer: LinkPeer?

  var inbound = RelayDirection()
  var outbound = RelayDirection()
  var gate: PairingGate?
  /// The local end; nil until the link is open.
  var local: LocalEnd?
  /// Records all passing data; nil without a trace.
  private(set) lazy var trace = settings.trace?.stream(over: stream.connection)
  /// In a pairing: whether the other side has received everything and sent `close_notify`.
  var hasHeardGoodbye = false
  /// The link's places in the set of descriptors.
  private var places = 0..<0

  /// A link over a new connection.
  package init(_ stream: PeerStream, _ settings: LinkSettings) {
    self.stream = stream
    self.settings = settings
    origin = OpenDoor.group(of: stream.connection.remote.host)
    if settings.isPairing { gate = PairingGate(settings.version) }
  }

  /// Sets the earliest time of the handshake, on the monotonic clock.
  package func begin(at start: Duration) {
    phase = .waiting(until: start)
    let timeouts = settings.timeouts
    if let limit = timeouts.silence ?? timeouts.idle { stream.connection.limitSilence(to: limit) }
  }

  package var remote: SocketAddress { stream.connection.remote }
  /// The key that the other side has shown; nil before that, and over a plain stream.
  package var fingerprint: KeyFingerprint? { stream.shown }
  /// Whether the other side has proved that it has this key.
  package var hasProvenKey: Bool { stream.peer != nil }
  /// The speaker in this process; nil before the link opens.
  package var speaker: (any Speaker)? { local?.speaker?.speaker }
  package var received: Int { inbound.received }
  package var sent: Int { outbound.sent }
  /// The number of bytes of the program that were sent after the other side had closed the connection.
  package internal(set) var sentLate = 0

  /// Whether the link is open or was open.
  package var hasOpened: Bool { local != nil }
  var isOpen: Bool { if case .relaying = phase { true } else { false } }
  var isClosed: Bool { if case .closed = phase { true } else { false } }
  var program: Program? { local?.program }

  /// Whether the other side is trusted, or has proved that it has our secret.
  package var isProven: Bool { hasOpened && (gate?.isProven ?? true) }

  /// Whether a run for only one link is complete after this link.
  ///
  /// A scanner sends `close_notify` once it has stored the provider. A scanner that does not send it may have
  /// lost the last ack, and may reconnect.
  package var hasServed: Bool {
    guard isProven, settings.isPairing, settings.side == .listener, !stream.isPlain else { return isProven }
    return hasHeardGoodbye
  }

  // MARK: Waiting

  /// Adds the descriptors that this link waits for.
  package func watch(_ polls: inout PollSet) {
    places = 0..<0
    switch phase {
    case .waiting, .abandoned, .closed: break
    case .opening: add(&polls, stream.connection.raw, stream.interest(reading: true, writing: false))
    case .relaying: watchOpen(&polls)
    case .farewell(let farewell):
      // After our end of the stream is sent, wait for the other side's.
      let isWriting = outbound.hasOutput || !farewell.hasSentEnd
      add(&polls, stream.connection.raw, stream.interest(reading: !isWriting, writing: isWriting))
    }
  }

  private func watchOpen(_ polls: inout PollSet) {
    let wanted = stream.interest(reading: inbound.wantsInput, writing: outbound.hasOutput)
    // A broken connection is always ready, so watch it only if a call would detect the break.
    if wanted.reading || wanted.writing {
      add(&polls, stream.connection.raw, wanted)
    } else if inbound.isDone, case .standardStreams? = local, !stream.isPlain {
      add(&polls, stream.connection.raw, wanted, ending: true)
    }
    if let speaker {
      if let alarm = speaker.alarm { add(&polls, alarm, (reading: true, writing: false)) }
      return
    }
    let (source, sink) = localEnds
    if !outbound.isDone, outbound.wantsInput { add(&polls, source, (reading: true, writing: false)) }
    if !inbound.isDone { add(&polls, sink, (reading: false, writing: inbound.hasOutput)) }
  }

  /// The descriptors of the local end: `source` has data for the other side, `sink` receives data from it.
  private var localEnds: (source: CInt, sink: CInt) {
    guard let program else { return (Descriptor.standardInput.raw, Descriptor.standardOutput.raw) }
    return (program.process.output.raw, program.process.input.raw)
  }

  private func add(
    _ polls: inout PollSet, _ raw: CInt, _ wanted: (reading: Bool, writing: Bool), ending: Bool = false
  ) {
    let added = polls.add(raw, reading: wanted.reading, writing: wanted.writing, ending: ending)
    places = (places.isEmpty ? added : places.lowerBound)..<added + 1
  }

  /// Whether there is work to do after `polls` has waited.
  package func isDue(_ polls: borrowing PollSet, at now: Duration) -> Bool {
    if hasWork { return true }
    if let wakeUp, wakeUp <= now { return true }
    if case .relaying(let relaying) = phase, relaying.isStopping { return true }
    for index in places where polls.isReady(index) { return true }
    return program != nil
  }

  /// Whether there is work to do without waiting; for example, a link that was closed because another link
  /// has ended must be removed.
  package var hasWork: Bool {
    guard isOpen else { return isClosed }
    return inbound.wantsInput && stream.hasMore
      || outbound.wantsInput && local?.speaker?.isReadable == true
  }

  /// The time by which `advance` must be called again, on the monotonic clock.
  var wakeUp: Duration? {
    guard case .relaying(let relaying) = phase else { return phase.deadline }
    return [relaying.deadline, speaker?.deadline].compactMap { $0 }.min()
  }
}

/// The local end of an open link.
enum LocalEnd {
  case program(Program)
  case speaker(SpeakerEnd)
  case standardStreams

  var program: Program? { if case .program(let program) = self { program } else { nil } }
  var speaker: SpeakerEnd? { if case .speaker(let end) = self { end } else { nil } }
}
