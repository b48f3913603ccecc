import SystemIO

/// The phase of a link between its first byte and its last; each holds only the values it needs.
///
///     waiting → opening → relaying → farewell → closed
///
/// An opening or a farewell can lead to each later phase. A link with a program is abandoned before it is closed.
enum LinkPhase {
  /// Its address was refused too often, so the handshake begins at that time; nil until known.
  case waiting(until: Duration?)
  case opening(Opening)
  case relaying(Relaying)
  case farewell(Farewell)
  case abandoned(Abandonment)
  case closed

  /// When its time is over, on the monotonic clock; nil for never.
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

  /// The connection is gone.
  var isOver: Bool {
    switch self {
    case .abandoned, .closed: true
    default: false
    }
  }
}

/// The last bytes and the goodbye are under way.
struct Farewell {
  /// Our goodbye was sent, or is not needed.
  var hasSentEnd: Bool
  /// The other side's goodbye confirms that it has received our last message.
  let awaitsGoodbye: Bool
  private(set) var deadline: Duration

  init(hasSentEnd: Bool, awaitsGoodbye: Bool, _ timeouts: LinkTimeouts, at now: Duration) {
    (self.hasSentEnd, self.awaitsGoodbye) = (hasSentEnd, awaitsGoodbye)
    deadline = now + (awaitsGoodbye ? timeouts.handshake : LinkTimeouts.farewell)
  }

  /// A signal has arrived: waits are short.
  mutating func hurry(at now: Duration) { deadline = min(deadline, now + LinkTimeouts.farewell) }
}

/// The connection is gone; its program is asked to end, and then forced to.
struct Abandonment {
  /// The signal for the program when its time is over.
  private(set) var signal = Signals.terminate
  private(set) var deadline: Duration

  init(at now: Duration) { deadline = now + LinkTimeouts.programEnd }

  init(abortedAt now: Duration) { (signal, deadline) = (Signals.kill, now + LinkTimeouts.abortedProgramEnd) }

  /// Returns the signal that is due when the time is over, and goes on to the next; the first one is the last
  /// that a program can ignore.
  mutating func press(at now: Duration) -> CInt {
    defer { (signal, deadline) = (Signals.kill, now + LinkTimeouts.programEnd) }
    return signal
  }
}
