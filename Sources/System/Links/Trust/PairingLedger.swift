import Crypto
import JSONLines
package import Pairing
package import SyncCore

/// What a provider remembers from one connection to the next: attempts, and to whom a session is bound.
///
/// The file is `pairing-sessions.jsonl`; no secret is in it.
package struct PairingLedger: Sendable {
  private let sessions: RecordFile<PairingSessionList>
  private let trust: TrustStore

  /// `folder` is usually `Places.state()`.
  package init(in folder: String, _ trust: TrustStore) {
    sessions = RecordFile(
      file: PrivateFile("pairing-sessions.jsonl", in: folder),
      parse: { text throws(DamagedLine) in try PairingSessionList(parsing: text) }, write: { $0.text })
    self.trust = trust
  }

  /// Forgets a peer: its record, and that the payload by which it has paired is still good for it.
  ///
  /// The sessions first, so that a run that is ended between the two can be repeated; where they cannot be read nobody
  /// can pair by them either, and the trust ends all the same.
  package func forget(_ peerId: String) throws(TrustError) {
    let ended = Result { () throws(TrustError) in try end(boundTo: peerId) }
    try trust.change { list throws(TrustError) in list.forget(peerId) }
    try ended.get()
  }

  private func end(boundTo peerId: String) throws(TrustError) {
    let known = try sessions.load()
    guard known.ending(boundTo: peerId) != known else { return }
    try sessions.locked { () throws(TrustError) in
      try sessions.save(try sessions.load().ending(boundTo: peerId))
    }
  }

  /// Remembers a session that begins, so that it is known of where nobody comes.
  package func begin(_ payload: PairingPayload, now: Instant) throws(TrustError) {
    try sessions.locked { () throws(TrustError) in
      var list = try sessions.load()
      list.store(PairingSession(payload, payload.version ?? .two), now: now)
      try sessions.save(list)
    }
  }

  /// The last session, where its time is over and nobody has paired in it; nil a day later.
  package func lapsed(at now: Instant) throws(TrustError) -> PairingSession? {
    try sessions.load().lapsed(at: now)
  }

  /// Gives an input to one side of a pairing; what has to be on disk is there when this returns.
  ///
  /// - Returns: the messages that may be sent now.
  package func take(
    _ input: PairingInput, by machine: inout PairingMachine, now: Instant
  ) throws(TrustError) -> [Message] {
    // The closure cannot borrow the machine while it is changed.
    var moved = machine
    defer { machine = moved }
    return try sessions.locked { () throws(TrustError) in
      var list = try sessions.load()
      let context = moved.context
      let session =
        list.session(context.payload.sessionId) ?? PairingSession(context.payload, context.version)
      let facts = PairingFacts(now: now, session: session, trust: try trust.load())
      var messages: [Message] = []
      for effect in moved.take(input, facts) {
        switch effect {
        case .send(let message): messages.append(message)
        case .trust(let record): try trust.add(record, own: context.own)
        case .keep(let session):
          list.store(session, now: now)
          try sessions.save(list)
        }
      }
      return messages
    }
  }
}
