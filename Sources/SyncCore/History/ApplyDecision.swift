import JSONLines

/// What a change that comes from a peer does to the one that the store has under its key.
package enum ApplyDecision: Equatable, Sendable {
  /// It is stored with the peer as its origin, under a new sequence.
  case take
  /// It is there already; nothing is allotted.
  case same
  /// The stored one stays, and has no origin any more, so that the peer is sent it again.
  ///
  /// Where the peer has acknowledged it, it needs a new sequence to be sent.
  case lose(resends: Bool)

  /// `sequence` is the stored change's, `acknowledged` the highest that the peer has acknowledged.
  package init(
    _ incoming: ChangeLine, _ text: Span<UInt8>, stored: ChangeLine, _ storedText: Span<UInt8>,
    sequence: Int64, acknowledged: Int64
  ) {
    let order = MergeOrder.compare(incoming, text, stored, storedText).order
    self = order > 0 ? .take : order == 0 ? .same : .lose(resends: sequence <= acknowledged)
  }
}
