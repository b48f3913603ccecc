import JSONLines

/// What a change that comes from a peer does to the one that the store has under its key.
package enum ApplyDecision: Equatable, Sendable {
  /// It is stored with the peer as its origin, under a new sequence.
  case take
  /// It is there already; nothing is allotted.
  case same
  /// The stored one stays, without an origin and under a new sequence, so that the peer is sent it again.
  ///
  /// Even where the peer has not acknowledged it: an ack may have been lost, and the peer's token be past it.
  case lose

  /// `isCut` says that the change came over a wire that cuts times to whole seconds, as protocol version 1 does.
  ///
  /// A time that was cut looks earlier than it was, and would win wherever the first that was recorded stays. So a stored
  /// line whose clock lies in the same second stays there, and terminal moments are compared by their seconds.
  package init(
    _ incoming: ChangeLine, _ text: Span<UInt8>, stored: ChangeLine, _ storedText: Span<UInt8>,
    isCut: Bool = false
  ) {
    var stored = stored
    if isCut, incoming.isFinal, stored.isFinal {
      if let clock = stored.clock, incoming.clock?.seconds == clock.seconds {
        self = .lose
        return
      }
      stored.cutMoment(like: incoming)
    }
    let order = MergeOrder.compare(incoming, text, stored, storedText).order
    self = order > 0 ? .take : order == 0 ? .same : .lose
  }
}

extension ChangeLine {
  /// Whether its rule keeps the first line that was recorded: it is an append-only upsert, or its state is terminal.
  fileprivate var isFinal: Bool {
    switch facts {
    case .lww: false
    case .terminal(let facts): facts.rank != nil
    case .appendOnly: !isTombstone
    }
  }

  /// Makes the terminal moment what the wire would have made of it, unless it has kept that of the other.
  fileprivate mutating func cutMoment(like other: ChangeLine) {
    guard case .terminal(var own) = facts, case .terminal(let others) = other.facts,
      let moment = own.moment, others.moment?.nanoseconds == 0
    else { return }
    own.moment = Instant(seconds: moment.seconds)
    facts = .terminal(own)
  }
}
