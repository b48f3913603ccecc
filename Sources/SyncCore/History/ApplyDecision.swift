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

  package init(
    _ incoming: ChangeLine, _ text: Span<UInt8>, stored: ChangeLine, _ storedText: Span<UInt8>
  ) {
    let order = MergeOrder.compare(incoming, text, stored, storedText).order
    self = order > 0 ? .take : order == 0 ? .same : .lose
  }
}
