import JSONLines

/// The effect of a peer's change on the record that the store has under its key.
package enum ApplyDecision: Equatable, Sendable {
  /// The change is stored with the peer as its origin, under a new sequence.
  case take
  /// The change is already stored; a sequence is not assigned.
  case same
  /// The stored change stays, without an origin and under a new sequence, so it is sent to the peer again.
  ///
  /// This applies even if the peer has not acknowledged the stored change: the ack may have been lost, and
  /// the peer's token may be past the change.
  case lose

  /// `isCut` is true for a change over a wire that cuts times to whole seconds, like protocol version 1.
  ///
  /// A cut time looks earlier than it was, and would win under rules that keep the first record. So under
  /// these rules a stored line with a clock in the same second stays, and terminal times are compared by
  /// seconds.
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
  /// Whether the rule keeps the first recorded line: the change is an append-only upsert, or its state is
  /// terminal.
  package var isFinal: Bool {
    switch facts {
    case .lww: false
    case .terminal(let facts): facts.rank != nil
    case .appendOnly: !isTombstone
    }
  }

  /// Cuts the terminal time as the wire does, unless it equals the time in the other line.
  fileprivate mutating func cutMoment(like other: ChangeLine) {
    guard case .terminal(var own) = facts, case .terminal(let others) = other.facts,
      let moment = own.moment, others.moment?.nanoseconds == 0
    else { return }
    own.moment = Instant(seconds: moment.seconds)
    facts = .terminal(own)
  }
}

/// How to decide whether an incoming change equals the stored one and can be skipped.
package enum ChangeEquality: Equatable, Sendable {
  /// The same bytes.
  case bytes
  /// The same value: clients of a server write the members of one record in different orders.
  case value
  /// Over protocol version 1: the same bytes, or the same delta if both are packed with these types.
  ///
  /// That protocol cuts clocks to seconds and reorders members, so a change returns as a different line.
  case packed(WireTypes?)

  /// Whether the change came over a wire that cuts its times to whole seconds.
  package var isCut: Bool { if case .packed = self { true } else { false } }

  package func holds(_ line: Span<UInt8>, _ stored: Span<UInt8>, _ shape: RecordShape) -> Bool {
    if ByteSearch.isEqual(line, 0..<line.count, stored, 0..<stored.count) { return true }
    if self == .value { return !ChangeLine.differInContent(line, stored) }
    guard case .packed(let types) = self, let one = Self.packed(line, shape, types),
      let other = Self.packed(stored, shape, types)
    else { return false }
    return !ChangeLine.differInContent(one.span, other.span)
  }

  /// The delta of a single change; nil if the wire cannot carry the change.
  private static func packed(
    _ line: Span<UInt8>, _ shape: RecordShape, _ types: WireTypes?
  ) -> [UInt8]? {
    var packer = WirePacker(shape, types: types, isLossy: true)
    guard (try? packer.add(line, number: 1)) != nil else { return nil }
    var delta: [UInt8] = []
    packer.appendDelta(to: &delta)
    return delta
  }
}

/// Keeps fields that a change over protocol version 1 leaves out: an absent field is kept, null clears it.
///
/// That protocol cannot carry all fields, so a change returns without the fields that were left out.
package enum CarriedFields {
  /// A change line, plus the fields that only the stored line has; nil if it already has all of them.
  package static func line(_ line: Span<UInt8>, over stored: Span<UInt8>) -> [UInt8]? {
    guard let own = SnapshotContent.fields(of: line), let old = SnapshotContent.fields(of: stored) else {
      return nil
    }
    let carried = members(of: stored, old, without: names(in: line, own), separated: !isEmpty(line, own))
    guard !carried.isEmpty else { return nil }
    var bytes = Array(copying: line.extracting(0..<own.upperBound - 1))
    bytes += carried
    bytes.append(line.extracting(own.upperBound - 1..<line.count))
    return bytes
  }

  private static func names(in line: Span<UInt8>, _ object: Range<Int>) -> Set<[UInt8]> {
    var names: Set<[UInt8]> = []
    var cursor = ContainerCursor(opening: object.lowerBound)
    while cursor.hasNext(in: line) {
      names.insert(line.decoded(cursor.readName(in: line)))
      _ = cursor.passValue(in: line)
    }
    return names
  }

  private static func isEmpty(_ line: Span<UInt8>, _ object: Range<Int>) -> Bool {
    var cursor = ContainerCursor(opening: object.lowerBound)
    return !cursor.hasNext(in: line)
  }

  /// The members with other names, in their spelling.
  private static func members(
    of stored: Span<UInt8>, _ object: Range<Int>, without names: Set<[UInt8]>, separated: Bool
  ) -> [UInt8] {
    var (bytes, isSeparated) = ([UInt8](), separated)
    var cursor = ContainerCursor(opening: object.lowerBound)
    while cursor.hasNext(in: stored) {
      let name = cursor.readName(in: stored)
      let value = cursor.passValue(in: stored)
      if names.contains(stored.decoded(name)) { continue }
      if isSeparated { bytes.append(UInt8(ascii: ",")) }
      isSeparated = true
      bytes.append(UInt8(ascii: "\""))
      bytes.append(stored.extracting(name))
      bytes.append(contentsOf: "\":".utf8)
      bytes.append(stored.extracting(value))
    }
    return bytes
  }
}
