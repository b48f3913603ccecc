/// The phase of an open link: its time limits, and its end.
///
/// This phase only decides from the result of each turn; the link transfers the bytes.
struct Relaying {
  /// The result of one turn.
  struct Turn {
    var local: Local
    /// Whether bytes were received or sent.
    var hasMoved = false
    /// Whether all data from the other side was received and passed on.
    var isInboundDone = false
    /// Whether all data from this side was sent.
    var isOutboundDone = false
    /// The reason why the connection broke before the local end had read everything.
    var cut: LinkFailure?
    /// In a pairing: whether a complete `pairHello` is still missing.
    var lacksHello = false
  }

  /// The kind of the local end, and whether it has ended.
  enum Local: Equatable {
    case program(hasExited: Bool, mayLinger: Bool)
    case speaker(isDone: Bool)
    /// `isPeerGone`: the other side has closed its connection after the end of its stream.
    case standardStreams(isPeerGone: Bool)

  }

  /// The next time-out, on the monotonic clock; nil for never.
  private(set) var deadline: Duration?
  /// Whether this side has ended, but its output is not sent yet.
  private(set) var isDraining = false
  /// Why the connection broke, while the local end still reads the bytes that arrived before.
  private var cut: LinkFailure?
  /// Whether the end of our stream was sent or is not needed.
  var hasSentEnd = false
  /// Whether a signal has arrived.
  var isStopping = false
  private let isListener: Bool
  private var lacksHello: Bool

  /// Begins the phase; in a pairing, a listener must receive a complete `pairHello` by `deadline`.
  init(_ settings: LinkSettings, until deadline: Duration, at now: Duration) {
    (isListener, lacksHello) = (settings.side == .listener, settings.isPairing)
    self.deadline = isListener && lacksHello ? deadline : settings.timeouts.idle.map { now + $0 }
  }

  /// Handles the result of a turn; true if both sides have ended and the farewell is next.
  mutating func handle(_ turn: Turn, _ timeouts: LinkTimeouts, at now: Duration) -> Bool {
    lacksHello = turn.lacksHello
    let isLeaving = isSilent(turn.local) && !turn.isOutboundDone
    if turn.cut != nil {
      // A person may read our output slowly; a program that has stopped reading must not keep the link open.
      if case .standardStreams = turn.local {
        deadline = nil
      } else if self.cut == nil || turn.hasMoved {
        deadline = now + timeouts.handshake
      }
    } else if isLeaving {
      // The other side must read all remaining data by this deadline, even if it sends more.
      if !isDraining { deadline = now + timeouts.handshake }
    } else if turn.hasMoved, !(isListener && lacksHello) {
      deadline = timeouts.idle.map { now + $0 }
    }
    (isDraining, cut) = (isLeaving, turn.cut)
    switch turn.local {
    case .program(let hasExited, _): return hasExited && turn.isOutboundDone
    case .speaker: return turn.isOutboundDone && turn.cut == nil
    case .standardStreams(let isPeerGone):
      if isStopping { return turn.isOutboundDone }
      // If the peer has closed its connection, do not wait to send more data.
      return turn.isInboundDone && (turn.isOutboundDone || isPeerGone)
    }
  }

  /// Whether the rest of our output has a deadline; a trusted peer may read a program's output slowly.
  private func isSilent(_ local: Local) -> Bool {
    switch local {
    case .program(let hasExited, let mayLinger): hasExited && !mayLinger
    case .speaker(let isDone): isDone
    case .standardStreams: isStopping
    }
  }

  /// The failure at the time-out.
  func timeOut(_ timeouts: LinkTimeouts) -> LinkFailure {
    if let cut { return cut }
    if isDraining {
      return .timedOut("the other side did not read the remaining data within \(timeouts.handshake.shown)")
    }
    return lacksHello
      ? .timedOut("no pairHello within \(timeouts.handshake.shown)")
      : .timedOut("no traffic for \((timeouts.idle ?? .zero).shown)")
  }
}
