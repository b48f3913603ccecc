/// Asks for the changes after a token.
package struct SyncRequest: Equatable, Sendable {
  package var peerId: String
  package var deviceName: String
  /// Nil asks for everything.
  package var since: [UInt8]?
  /// The responder's last ack, as the asker has it: what it has given away need not come back; version 2, without `since`.
  package var acked: [UInt8]?
  /// SHA-256 of the canonical merge rules in 64 lower-case hex digits; version 2, nil for a side without rules.
  package var rulesDigest: String?
  /// The contents of the asker's store in short; version 2, in the first request of a session.
  package var facts: Facts?
  /// How long the answer may wait for a change, in seconds; version 2.
  package var waitSeconds = 0
  /// What is missing from the complete answer is to be removed; version 2, without `since`.
  package var resync = false

  package init(peerId: String, deviceName: String, since: [UInt8]? = nil, rulesDigest: String? = nil) {
    self.peerId = peerId
    self.deviceName = deviceName
    self.since = since
    self.rulesDigest = rulesDigest
  }

  /// The asker's side of a comparison that the responder makes with its own store.
  package struct Facts: Equatable, Sendable {
    /// Canonical JSON.
    package var mergeRules: [UInt8]
    package var entities: StoredEntities
    /// Records that name no entity may come to those that name theirs.
    package var mixesEntities = false

    package init(mergeRules: [UInt8], entities: StoredEntities, mixesEntities: Bool = false) {
      (self.mergeRules, self.entities, self.mixesEntities) = (mergeRules, entities, mixesEntities)
    }
  }

  /// More than this is refused: nobody waits a day for an answer.
  package static let longestWait = 86_400
  /// More than this is not granted, whatever was asked for: the answer comes then, and can be asked for again.
  package static let longestWaitGranted = 3_600
}
