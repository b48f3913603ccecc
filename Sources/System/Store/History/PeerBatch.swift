import JSONLines
package import SyncCore

/// Changes from a peer's files, including lines that cannot be applied.
package struct PeerBatch {
  /// The id of the peer.
  let peer: String
  /// Change lines that cannot be applied, each with the code of its error.
  private var asides: [(line: [UInt8], reason: String)] = []
  /// The line of the last checkpoint; nil leaves the checkpoint unchanged.
  package var checkpoint: [UInt8]?

  package init(from peer: String) { self.peer = peer }

  /// Adds a line for the quarantine.
  ///
  /// Returns false for text that is not JSON, because its meaning is unknown, and for lines that are too
  /// long.
  package mutating func setAside(_ text: Span<UInt8>, _ reason: BlockReader.Reason) -> Bool {
    let code: String
    switch reason {
    case .error(.json), .error(.notAnObject), .excess(.length): return false
    case .excess(.depth): code = "nestingTooDeep"
    case .error(let error): code = error.code.rawValue
    case .clockAhead: code = Self.clockAhead
    }
    var line: [UInt8] = []
    line.append(text)
    asides.append((line, code))
    return true
  }

  private static let clockAhead = "clockAhead"

  func keepAside(in intake: inout PeerIntake, _ shape: RecordShape, _ now: Instant) throws(StoreError) {
    var reader = LineReader(shape)
    for (line, reason) in asides {
      var key: [UInt8] = []
      let change = try? reader.read(line.span, key: &key)
      let clock = reason == Self.clockAhead ? change?.clock : nil
      var kept = line
      if let change, change.kind == .record {
        // A later retry may read records as those of another entity.
        var whole: [UInt8] = []
        if (try? reader.appendChange(line.span, clock: change.clock, keepingFields: true, to: &whole)) != nil
        {
          kept = whole
        }
      }
      if clock != nil, try intake.has(key.span, kept.span) {
        intake.counts.same += 1
      } else {
        try intake.keepAside(kept.span, key, reason, until: clock, now)
      }
    }
  }

  /// The token of the checkpoint line; nil if it is empty.
  var token: String? {
    guard let checkpoint, let line = try? JSONValue(parsing: checkpoint.span),
      let token = line["newTokenData"]?.stringValue, !token.isEmpty
    else { return nil }
    return token
  }
}

/// The outcome of a peer's changes.
package struct AppliedBatch {
  package let counts: PeerIntake.Counts
  /// Lines that have left the quarantine and are applied now.
  package let released: Int
  /// Lines of all peers that are in quarantine now.
  package internal(set) var quarantined = 0
}
