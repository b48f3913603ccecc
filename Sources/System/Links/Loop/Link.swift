internal import SyncCore
package import Crypto
import Pairing
package import SystemIO

/// One connection from its first byte to its last: proving who is there, a word of welcome, and then bytes both ways
/// between the other side and a program, a speaker of this process, or our standard streams.
///
///     waiting → proving → greeting (connector) → open → farewell → closed
///                       ↘ hearing (listener, version 1) ↗
///
/// It never blocks: whoever drives it waits for what `watch` names and calls `advance`.
package final class Link {
  package enum Phase: Sendable {
    /// It waits because its address was refused too often.
    case waiting
    case proving
    /// The connector waits for the listener's first frame.
    case greeting
    /// The listener waits for the first message, which over version 1 is all that says who is there.
    case hearing
    case open
    /// The last bytes and the goodbye are on their way.
    case farewell
    /// The connection is gone, and the program is asked to end.
    case abandoned
    case closed
  }

  let settings: LinkSettings
  let stream: PeerStream
  /// Where it comes from, as far as one address is told from another.
  let origin: String
  package internal(set) var phase = Phase.waiting
  /// Why it did not go well; nil where it did, or has not ended.
  package internal(set) var failure: LinkFailure?
  /// The exit status of its program.
  package internal(set) var status: CInt?
  /// Whom we talk to, where we trust the other side.
  package internal(set) var peer: LinkPeer?
  /// It has been open, or is.
  package internal(set) var hasOpened = false

  var inbound = RelayDirection()
  var outbound = RelayDirection()
  var gate: PairingGate?
  var program: Program?
  var end: SpeakerEnd?
  /// What has come of the first frame, which this link reads itself.
  var firstFrame: [UInt8] = []
  var hasSentEnd = false
  /// The other side has said goodbye after it was told all that this side had to say; of pairings only.
  package internal(set) var hasHeardGoodbye = false
  /// Whoever reads our standard output has been told of the other side's end.
  var hasEndedOutput = false
  var isStopping = false
  /// Nobody here has more to say, and what has been said is not out yet.
  var isDraining = false
  /// The next signal for a program that does not end.
  var pressure = Signals.terminate
  /// When the next time-out comes, on the monotonic clock.
  package internal(set) var deadline: Duration?
  private var place = 0
  private var places = 0

  /// A link over a connection that has just come about.
  package init(_ stream: PeerStream, _ settings: LinkSettings) {
    self.stream = stream
    self.settings = settings
    origin = OpenDoor.group(of: stream.connection.remote.host)
    if settings.isPairing { gate = PairingGate(settings.version) }
  }

  /// Says when the handshake may begin, on the monotonic clock.
  package func begin(at start: Duration) {
    deadline = start
    let timeouts = settings.timeouts
    if let limit = timeouts.silence ?? timeouts.idle { stream.connection.limitSilence(to: limit) }
  }

  package var remote: SocketAddress { stream.connection.remote }
  /// The key that the other side has shown.
  package var fingerprint: KeyFingerprint? { stream.shown }
  /// The other side has proven to have that key.
  package var hasProvenKey: Bool { stream.peer != nil }
  /// Who speaks here from within this process, once the link has been open.
  package var speaker: (any Speaker)? { end?.speaker }
  package var received: Int { inbound.received }
  package var sent: Int { outbound.sent }

  /// The other side is somebody we trust, or has proven to know a secret of ours.
  package var isProven: Bool { hasOpened && (gate?.isProven ?? true) }

  /// A run that is for one link has had it.
  ///
  /// A scanner says goodbye once it has stored the provider. One that has not may have lost the last ack, and come again.
  package var hasServed: Bool {
    guard isProven, settings.isPairing, settings.side == .listener, !stream.isPlain else { return isProven }
    return hasHeardGoodbye
  }

  // MARK: Waiting

  /// Adds what this link waits for.
  package func watch(_ polls: inout PollSet) {
    places = 0
    switch phase {
    case .waiting, .closed: break
    case .proving, .greeting, .hearing:
      add(&polls, stream.connection.raw, stream.interest(reading: true, writing: false))
    case .open: watchOpen(&polls)
    case .farewell:
      // The other side's end is waited for once ours is out.
      let isWriting = outbound.hasOutput || !hasSentEnd
      add(&polls, stream.connection.raw, stream.interest(reading: !isWriting, writing: isWriting))
    case .abandoned: break
    }
  }

  private func watchOpen(_ polls: inout PollSet) {
    let wanted = stream.interest(reading: inbound.wantsInput, writing: outbound.hasOutput)
    // A connection that has broken is always ready: it is looked at only by whoever would learn that from it.
    if wanted.reading || wanted.writing {
      add(&polls, stream.connection.raw, wanted)
    } else if inbound.isDone, program == nil, end == nil, !stream.isPlain {
      add(&polls, stream.connection.raw, wanted, ending: true)
    }
    if let end {
      if let alarm = end.speaker.alarm { add(&polls, alarm, (reading: true, writing: false)) }
      return
    }
    let (source, sink) = localEnds
    if !outbound.isDone, outbound.wantsInput { add(&polls, source, (reading: true, writing: false)) }
    if !inbound.isDone { add(&polls, sink, (reading: false, writing: inbound.hasOutput)) }
  }

  /// Descriptors that are read for the other side, and written with what comes from it.
  var localEnds: (source: CInt, sink: CInt) {
    guard let program else { return (Descriptor.standardInput.raw, Descriptor.standardOutput.raw) }
    return (program.process.output.raw, program.process.input.raw)
  }

  private func add(
    _ polls: inout PollSet, _ raw: CInt, _ wanted: (reading: Bool, writing: Bool), ending: Bool = false
  ) {
    let added = polls.add(raw, reading: wanted.reading, writing: wanted.writing, ending: ending)
    if places == 0 { place = added }
    places += 1
  }

  /// Whether there is something to do after `polls` has waited.
  package func isDue(_ polls: borrowing PollSet, at now: Duration) -> Bool {
    if hasWork { return true }
    if let wakeUp, wakeUp <= now { return true }
    for index in place..<place + places where polls.isReady(index) { return true }
    return program != nil
  }

  /// There is something to do without waiting for anything.
  package var hasWork: Bool {
    guard phase == .open else { return false }
    return inbound.wantsInput && stream.hasMore || outbound.wantsInput && end?.isReadable == true
  }

  /// When there is something to do, whatever comes, on the monotonic clock.
  var wakeUp: Duration? {
    [deadline, phase == .open ? end?.speaker.deadline : nil].compactMap { $0 }.min()
  }
}
