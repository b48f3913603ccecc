import Crypto
import JSONLines
package import Pairing
package import SyncCore

extension Peers {
  /// Forgets a peer's record and the notes about its runs, and makes the payload with which it has paired
  /// invalid.
  ///
  /// The sessions are changed first, so that an interrupted run can be repeated. If they cannot be read, the
  /// peer is still forgotten, because pairing with unreadable sessions is impossible. Throws only if the
  /// trust record cannot be removed.
  ///
  /// - Returns: the first error of the other steps, which cannot be repeated without a trust record.
  package func forget(_ peerId: String) throws(TrustError) -> Result<Void, TrustError> {
    let sessions = try sessions()
    let ended = Result { () throws(TrustError) in try Self.end(sessions, boundTo: peerId) }
    try trust.change { $0.forget(peerId) }
    let noted = Result { () throws(TrustError) in try Self.forget(peerId, in: transfers()) }
    return ended.flatMap { _ in noted }
  }

  private static func forget(
    _ peerId: String, in transfers: RecordFile<TransferList>
  ) throws(TrustError) {
    guard try transfers.load().records.contains(where: { $0.isAbout(peerId) }) else { return }
    try transfers.change { $0.forget(peerId) }
  }

  private static func end(
    _ sessions: RecordFile<PairingSessionList>, boundTo peerId: String
  ) throws(TrustError) {
    let known = try sessions.load()
    guard known.ending(boundTo: peerId) != known else { return }
    try sessions.change { $0 = $0.ending(boundTo: peerId) }
  }

  /// Stores a new session, so that it is remembered even without a connection.
  package func begin(_ payload: PairingPayload, now: Instant) throws(TrustError) {
    try sessions().change { $0.store(PairingSession(payload, payload.version ?? .two), now: now) }
  }

  /// The last session, if it has expired without a pairing; nil otherwise, and nil a day later.
  package func lapsed(at now: Instant) throws(TrustError) -> PairingSession? {
    try sessions().load().lapsed(at: now)
  }

  /// Passes an input to one side of a pairing; required state is on disk when this returns.
  ///
  /// After an error the machine is unchanged, so a pairing that was not stored does not count as done, and
  /// its peer is not trusted.
  ///
  /// - Returns: the messages that may be sent now.
  package func handle(
    _ input: PairingInput, by machine: inout PairingMachine, now: Instant
  ) throws(TrustError) -> [Message] {
    // Use a copy: the closure cannot borrow the machine while it is changed.
    var moved = machine
    let sessions = try sessions()
    let messages = try sessions.locked { () throws(TrustError) -> [Message] in
      var list = try sessions.load()
      let context = moved.context
      let session =
        list.session(context.payload.sessionId) ?? PairingSession(context.payload, context.version)
      let facts = PairingFacts(now: now, session: session, trust: try trust.load())
      var messages: [Message] = []
      var added: TrustRecord?
      for effect in moved.handle(input, facts) {
        switch effect {
        case .send(let message): messages.append(message)
        case .trust(let record):
          try trust.change { list throws(TrustError) in try list.add(record, own: context.own) }
          added = record
        case .keep(let session):
          list.store(session, now: now)
          do throws(TrustError) {
            try sessions.save(list)
          } catch {
            // Version 1 trusts a peer before it ends the session, so that a failed pairing can be repeated.
            if let added {
              let old = facts.trust.record(of: added.peerId)
              try? trust.change { $0.restore(old, for: added) }
            }
            throw error
          }
        }
      }
      return messages
    }
    machine = moved
    return messages
  }
}

extension TrustList {
  /// Stores a peer unless it contradicts a stored one.
  package mutating func add(_ record: TrustRecord, own: PeerIntroduction?) throws(TrustError) {
    try check(record, own: own)
    store(record)
  }

  /// Takes a new record back: restores the record that it has replaced, or forgets the peer without one.
  fileprivate mutating func restore(_ old: TrustRecord?, for new: TrustRecord) {
    if let old { store(old) } else { forget(new.peerId) }
  }

  /// Throws if a peer contradicts a stored one.
  package func check(_ record: TrustRecord, own: PeerIntroduction?) throws(TrustError) {
    if let conflict = conflict(with: record.introduction, over: record.version, own: own) {
      throw .conflict(conflict)
    }
  }
}
