/// Asks for the changes after a token.
package struct SyncRequest: Equatable, Sendable {
  package var peerId: String
  package var deviceName: String
  /// Nil asks for everything.
  package var since: [UInt8]?
  /// SHA-256 of the canonical profile in 64 lower-case hex digits; version 2.
  package var rulesDigest: String?
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

  /// More than this is refused: nobody waits a day for an answer.
  package static let longestWait = 86_400
  /// More than this is not granted, whatever was asked for: the answer comes then, and can be asked for again.
  package static let longestWaitGranted = 3_600
}
