/// An open link: how long it may be idle, and when it has ended.
///
/// It decides from the findings of each turn; the link moves the bytes.
struct Relaying {
  /// The findings of one turn.
  struct Turn {
    var local: Local
    /// Bytes were received or sent.
    var hasMoved = false
    /// Everything from the other side was received and passed on.
    var isInboundDone = false
    /// Everything from this side was sent.
    var isOutboundDone = false
    /// For a pairing: no complete `pairHello` has passed.
    var lacksHello = false
  }

  /// The kind of the local end, and whether it has ended.
  enum Local: Equatable {
    case program(hasExited: Bool, mayLinger: Bool)
    case speaker(isDone: Bool)
    /// The other side may have closed its connection after its goodbye.
    case standardStreams(isPeerGone: Bool)

    /// Both sides have ended; a trusted peer may read a program's output as slowly as it wants.
    fileprivate var isSilent: Bool {
      switch self {
      case .program(let hasExited, let mayLinger): hasExited && !mayLinger
      case .speaker(let isDone): isDone
      case .standardStreams: false
      }
    }
  }

  /// When the next time-out comes, on the monotonic clock; nil for never.
  private(set) var deadline: Duration?
  /// This side has ended, but its output is not sent yet.
  private(set) var isDraining = false
  /// Our goodbye was sent, or is not needed.
  var hasSentEnd = false
  /// A signal has arrived.
  var isStopping = false
  private let isListener: Bool
  private var lacksHello: Bool

  /// A complete `pairHello` must arrive within the time of the opening.
  init(_ settings: LinkSettings, until deadline: Duration, at now: Duration) {
    (isListener, lacksHello) = (settings.side == .listener, settings.isPairing)
    self.deadline = isListener && lacksHello ? deadline : settings.timeouts.idle.map { now + $0 }
  }

  /// Takes the result of a turn; true if both sides have ended and the farewell is next.
  mutating func handle(_ turn: Turn, _ timeouts: LinkTimeouts, at now: Duration) -> Bool {
    lacksHello = turn.lacksHello
    let isLeaving = turn.local.isSilent && !turn.isOutboundDone
    if isLeaving {
      // All remaining data must be read in time, whatever else arrives.
      if !isDraining { deadline = now + timeouts.handshake }
    } else if turn.hasMoved, !(isListener && lacksHello) {
      deadline = timeouts.idle.map { now + $0 }
    }
    isDraining = isLeaving
    switch turn.local {
    case .program(let hasExited, _): return hasExited && turn.isOutboundDone
    case .speaker: return turn.isOutboundDone
    case .standardStreams(let isPeerGone):
      if isStopping { return turn.isOutboundDone }
      // Nobody reads the data that we might still send.
      return turn.isInboundDone && (turn.isOutboundDone || isPeerGone)
    }
  }

  /// Why it ends when the time is over.
  func timeOut(_ timeouts: LinkTimeouts) -> LinkFailure {
    if isDraining {
      return .timedOut("the other side did not read the rest within \(timeouts.handshake.shown)")
    }
    return lacksHello
      ? .timedOut("no pairHello within \(timeouts.handshake.shown)")
      : .timedOut("no traffic for \((timeouts.idle ?? .zero).shown)")
  }
}
