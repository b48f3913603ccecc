import SystemIO

/// The phase of a link between its first byte and its last; each phase has only the values that it needs.
///
///     waiting → opening → relaying → farewell → closed
///
/// An opening or a farewell can be followed by any later phase. A link with a program is abandoned before it
/// is closed.
enum LinkPhase {
  /// The time at which the handshake begins; nil until known.
  ///
  /// After repeated failures from an address, it is later.
  case waiting(until: Duration?)
  case opening(Opening)
  case relaying(Relaying)
  case farewell(Farewell)
  case abandoned(Abandonment)
  case closed

  /// The end of the phase's time limit, on the monotonic clock; nil without a limit.
  var deadline: Duration? {
    switch self {
    case .waiting(let start): start
    case .opening(let opening): opening.deadline
    case .relaying(let relaying): relaying.deadline
    case .farewell(let farewell): farewell.deadline
    case .abandoned(let abandonment): abandonment.deadline
    case .closed: nil
    }
  }

  /// Whether the connection has ended.
  var isOver: Bool {
    switch self {
    case .abandoned, .closed: true
    default: false
    }
  }
}

/// The phase in which the last bytes and the end of the stream are sent.
struct Farewell {
  /// Whether the end of our stream was sent or is not needed.
  var hasSentEnd: Bool
  /// Whether the other side must confirm our last message by its `close_notify`.
  let awaitsGoodbye: Bool
  private(set) var deadline: Duration

  init(hasSentEnd: Bool, awaitsGoodbye: Bool, _ timeouts: LinkTimeouts, at now: Duration) {
    (self.hasSentEnd, self.awaitsGoodbye) = (hasSentEnd, awaitsGoodbye)
    deadline = now + (awaitsGoodbye ? timeouts.handshake : LinkTimeouts.farewell)
  }

  /// Shortens the wait after a signal.
  mutating func hurry(at now: Duration) { deadline = min(deadline, now + LinkTimeouts.farewell) }
}

/// The phase after the connection has ended: a program that still runs receives SIGTERM, and later SIGKILL.
struct Abandonment {
  /// The signal that the program receives at the deadline.
  private(set) var signal = Signals.terminate
  private(set) var deadline: Duration

  init(at now: Duration) { deadline = now + LinkTimeouts.programEnd }

  init(abortedAt now: Duration) { (signal, deadline) = (Signals.kill, now + LinkTimeouts.abortedProgramEnd) }

  /// Returns the signal that is due, and sets the next one: SIGKILL, which a program cannot ignore.
  mutating func press(at now: Duration) -> CInt {
    defer { (signal, deadline) = (Signals.kill, now + LinkTimeouts.programEnd) }
    return signal
  }
}
