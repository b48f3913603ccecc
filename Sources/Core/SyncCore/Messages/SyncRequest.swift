import JSONLines

/// Asks for the changes after a token.
package struct SyncRequest: Equatable, Sendable {
  package var peerId: String
  package var deviceName: String
  /// The token after which changes are requested; nil requests all changes.
  package var since: [UInt8]?
  /// The responder's last ack, as known to the requester, so that changes from the responder need not be
  /// returned; version 2, without `since`.
  package var acked: [UInt8]?
  /// SHA-256 of the canonical merge rules in 64 lower-case hex digits; version 2, nil without rules.
  package var rulesDigest: String?
  /// A short description of the requester's store; version 2, in the first request of a session.
  package var facts: Facts?
  /// How long the answer may wait for a change, in seconds; version 2.
  package var waitSeconds = 0
  /// Whether records missing in the complete answer must be removed; version 2, without `since`.
  package var resync = false
  /// Whether the answer may be a frame with a deflated payload; version 2.
  package var deflate = false
  /// How many pages may be sent before the first of them is acknowledged; version 2, without `waitSeconds` and
  /// `resync`.
  package var window = 1
  /// The window that applies: 1 for a request that waits and for a resync, as each of their pages is requested.
  package var windowInEffect: Int { waitSeconds == 0 && !resync ? max(1, window) : 1 }

  package init(peerId: String, deviceName: String, since: [UInt8]? = nil, rulesDigest: String? = nil) {
    (self.peerId, self.deviceName) = (peerId, deviceName)
    (self.since, self.rulesDigest) = (since, rulesDigest)
  }

  /// The facts about the requester's store that the responder compares with its own store.
  package struct Facts: Equatable, Sendable {
    /// The merge rules as canonical JSON; nil if they are not sent.
    package var mergeRules: [UInt8]?
    package var entities: StoredEntities
    /// Whether records without an entity may be mixed with records that name theirs.
    package var mixesEntities = false

    package init(mergeRules: [UInt8]?, entities: StoredEntities, mixesEntities: Bool = false) {
      (self.mergeRules, self.entities, self.mixesEntities) = (mergeRules, entities, mixesEntities)
    }
  }

  static let largestWindow = 1_000
  /// The longest wait that a request may ask for, in seconds; longer waits are refused.
  package static let longestWait = 86_400
  /// The longest wait that is granted, in seconds; the requester can repeat the request.
  package static let longestWaitGranted = 3_600
}

extension SyncRequest.Facts {
  /// Reads the facts, each of which is compared separately; nil if both members are absent.
  init?(_ members: MessageMembers, _ text: Span<UInt8>) throws(MessageError) {
    let (rules, raw) = (
      try members.object(.mergeRules, in: text), try members.object(.entities, in: text)
    )
    guard rules != nil || raw != nil else { return nil }
    (mergeRules, entities) = (rules, StoredEntities())
    if let raw {
      guard let read = (try? JSONValue(parsing: raw.span)).flatMap(StoredEntities.init) else {
        throw .invalidValue(
          MessageName.entities.name, expected: "arrays of names, one for each form of identity")
      }
      entities = read
    }
    mixesEntities = try members.flag(.mixEntities, in: text)
  }
}

extension MessageMembers {
  /// The text of a member that is an object of at most 64 KiB; nil if it is absent.
  func object(_ name: MessageName, in text: Span<UInt8>) throws(MessageError) -> [UInt8]? {
    guard let raw = try find(name, in: text) else { return nil }
    guard text.isObject(raw) else { throw .wrongType(name.name, expected: "an object") }
    guard raw.count <= SharedRules.longest else {
      throw .invalidValue(name.name, expected: "an object of at most \(SharedRules.longest >> 10) KiB")
    }
    return Array(copying: text.extracting(raw))
  }
}

/// Reports that a page has been applied, passes the turn, or does both.
package struct SyncAck: Equatable, Sendable {
  package var peerId: String
  /// The token of the page; an empty token does not acknowledge a page.
  package var token: [UInt8]
  /// Whether the other side may ask now; version 2.
  package var yourTurn: Bool
  /// How many changes of the page could not be applied and are kept in quarantine; version 2.
  package var quarantined = 0

  /// The maximum count, more than any page has.
  static let mostQuarantined = 1_000_000_000

  package init(peerId: String, token: [UInt8] = [], yourTurn: Bool = false) {
    (self.peerId, self.token, self.yourTurn) = (peerId, token, yourTurn)
  }
}
