package import JSONLines
package import SyncCore

/// The data that a provider keeps about a pairing session between connections, without its secret.
package struct PairingSession: Equatable, Sendable {
  package var id: UUIDText
  package var version: ProtocolVersion
  package var expiresAt: Instant
  /// The number of wrong proofs or secrets for the session.
  package var wrongProofs = 0
  /// The first scanner with a right proof; other scanners cannot pair in this session.
  package var bound: PeerKey?
  /// Whether the pairing is complete.
  package var isDone = false

  package struct PeerKey: Equatable, Sendable {
    var peerId: String
    var fingerprint: String

    package init(_ peer: PeerIntroduction) {
      peerId = peer.peerId.lowercased()
      fingerprint = peer.publicKeyFingerprint
    }
  }

  /// This many wrong proofs end a session, even if a right proof follows.
  package static let wrongProofLimit = 3

  package init(_ payload: PairingPayload, _ version: ProtocolVersion) {
    id = payload.sessionId
    self.version = version
    expiresAt = payload.expiresAt
  }

  /// Whether other scanners are rejected; in version 2, the bound one may repeat an unacknowledged message.
  package var isEnded: Bool { wrongProofs >= Self.wrongProofLimit || isDone && version == .one }

  /// Whether a scanner may continue the session.
  func isOpen(to peer: PeerIntroduction) -> Bool { bound.map { $0 == PeerKey(peer) } ?? true }
}

extension PairingSession {
  private enum Name: String {
    case pairingSessionId, protocolVersion, expiresAt, wrongProofs, boundPeerId, boundFingerprint, isDone
  }

  package var json: JSONValue {
    var members: [JSONMember] = [
      .init(Name.pairingSessionId.rawValue, .string(id.description)),
      .init(Name.protocolVersion.rawValue, .integer(version.rawValue)),
      .init(Name.expiresAt.rawValue, .string(expiresAt.description)),
      .init(Name.wrongProofs.rawValue, .integer(wrongProofs)),
    ]
    if let bound {
      members.append(.init(Name.boundPeerId.rawValue, .string(bound.peerId)))
      members.append(.init(Name.boundFingerprint.rawValue, .string(bound.fingerprint)))
    }
    if isDone { members.append(.init(Name.isDone.rawValue, true)) }
    return .object(members)
  }

  package init(parsing line: Span<UInt8>) throws(MemberError) {
    let members = try RecordMembers(record: line)
    guard let id = UUIDText(try members.text(Name.pairingSessionId.rawValue)) else {
      throw members.error(Name.pairingSessionId.rawValue, .wrong("not a UUID"))
    }
    self.id = id
    version = try members.version(Name.protocolVersion.rawValue)
    expiresAt = try members.time(Name.expiresAt.rawValue)
    wrongProofs = try members.count(Name.wrongProofs.rawValue)
    if try members.has(Name.boundPeerId.rawValue) {
      bound = PeerKey(
        PeerIntroduction(
          peerId: try members.text(Name.boundPeerId.rawValue), deviceName: "",
          publicKeyFingerprint: try members.text(Name.boundFingerprint.rawValue)))
    }
    isDone = try members.has(Name.isDone.rawValue)
  }
}

/// The pairing sessions that a provider must remember.
package struct PairingSessionList: RecordList {
  package private(set) var sessions: [PairingSession] = []

  package init() {}

  package init(parsing text: [UInt8]) throws(DamagedLine) {
    try RecordLines.read(text) { line throws(MemberError) in
      sessions.append(try PairingSession(parsing: line.span))
    }
  }

  package var text: [UInt8] { sessions.flatMap { Array($0.json.text.utf8) + [10] } }

  package func session(_ id: UUIDText) -> PairingSession? { sessions.first { $0.id == id } }

  /// Replaces the session with its new state, and forgets sessions that expired more than a day ago.
  ///
  /// Sessions are kept for a day, so that setting a clock back does not restore a session with a used secret.
  package mutating func store(_ session: PairingSession, now: Instant) {
    sessions.removeAll { $0.id == session.id || $0.expiresAt.advanced(by: Self.day) < now }
    sessions.append(session)
  }

  private static let day = Duration.seconds(86_400)

  /// The last session, if it expired within the last day without a pairing.
  package func lapsed(at now: Instant) -> PairingSession? {
    guard let last = sessions.last, !last.isDone,
      last.expiresAt <= now, last.expiresAt.advanced(by: Self.day) >= now
    else { return nil }
    return last
  }

  /// Returns the sessions after ending those bound to this peer, which cannot be used again.
  package func ending(boundTo peerId: String) -> PairingSessionList {
    var list = self
    for place in sessions.indices where sessions[place].bound?.peerId == peerId.lowercased() {
      list.sessions[place].wrongProofs = PairingSession.wrongProofLimit
    }
    return list
  }
}
