/// An open link: how long nothing may move on it, and when it has come to its end.
///
/// It decides by what each turn has found; the link moves the bytes.
struct Relaying {
  /// The findings of one turn.
  struct Turn {
    var local: Local
    /// Bytes came or went.
    var hasMoved = false
    /// All that the other side will say has come, and has been handed on.
    var isInboundDone = false
    /// All that this side will say has gone out.
    var isOutboundDone = false
    /// Of a pairing: no whole `pairHello` has passed.
    var lacksHello = false
  }

  /// The kind of the local end, and whether it has ended.
  enum Local: Equatable {
    case program(hasExited: Bool, mayLinger: Bool)
    case speaker(isDone: Bool)
    /// The other side may have closed its connection after its goodbye.
    case standardStreams(isPeerGone: Bool)

    /// Nobody has more to say; a trusted peer may take all the time that it wants to read what a program said.
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
  /// Nobody here has more to say, and what has been said is not out yet.
  private(set) var isDraining = false
  /// Our goodbye is out, or none is to be sent.
  var hasSentEnd = false
  /// A signal has come.
  var isStopping = false
  private let isListener: Bool
  private var lacksHello: Bool

  /// A whole `pairHello` has to come within the time of the opening.
  init(_ settings: LinkSettings, until deadline: Duration, at now: Duration) {
    (isListener, lacksHello) = (settings.side == .listener, settings.isPairing)
    self.deadline = isListener && lacksHello ? deadline : settings.timeouts.idle.map { now + $0 }
  }

  /// Takes what a turn has found; true if all is said, and the farewell comes next.
  mutating func handle(_ turn: Turn, _ timeouts: LinkTimeouts, at now: Duration) -> Bool {
    lacksHello = turn.lacksHello
    let isLeaving = turn.local.isSilent && !turn.isOutboundDone
    if isLeaving {
      // The rest must all find a reader in time, whatever else arrives.
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
      // Nobody reads what we might still send.
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
