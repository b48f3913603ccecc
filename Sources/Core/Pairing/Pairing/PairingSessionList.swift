import JSONLines
package import SyncCore

/// The pairing sessions that a provider has to remember.
package struct PairingSessionList: Equatable, Sendable {
  package private(set) var sessions: [PairingSession] = []

  package init() {}

  package init(parsing text: [UInt8]) throws(RecordDamage) {
    try RecordLines.read(text) { line throws(RecordError) in
      sessions.append(try PairingSession(parsing: line.span))
    }
  }

  package var text: [UInt8] { sessions.flatMap { Array($0.json.text.utf8) + [10] } }

  package func session(_ id: UUIDText) -> PairingSession? { sessions.first { $0.id == id } }

  /// Keeps the session in place of what it was, and forgets those whose payload has been over for a day.
  ///
  /// A day, so that a clock that is set back does not bring a session back whose secret has been used.
  package mutating func store(_ session: PairingSession, now: Instant) {
    sessions.removeAll { $0.id == session.id || $0.expiresAt.advanced(by: Self.day) < now }
    sessions.append(session)
  }

  private static let day = Duration.seconds(86_400)

  /// The last session, where its time was over in the day before now and nobody has paired in it.
  package func lapsed(at now: Instant) -> PairingSession? {
    guard let last = sessions.last, !last.isDone,
      last.expiresAt <= now, last.expiresAt.advanced(by: Self.day) >= now
    else { return nil }
    return last
  }

  /// The same sessions, over where a peer is bound to them: nobody can pair in those any more.
  package func ending(boundTo peerId: String) -> PairingSessionList {
    var list = self
    for place in sessions.indices where sessions[place].bound?.peerId == peerId.lowercased() {
      list.sessions[place].wrongProofs = PairingSession.wrongProofLimit
    }
    return list
  }
}
