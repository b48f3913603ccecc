import JSONLines
package import StoreFiles
package import SyncCore

/// A store in a dialogue with one peer after the other, which it is given by their ids.
///
/// It reads no clock, so that a simulation can give it another one.
package struct PeerStore: DialogueStore {
  package let store: ChangeStore
  private let shape: RecordShape
  private let limit: DeleteLimit
  /// How far ahead of now a clock may be; nil lets all through.
  private let maximumDrift: Duration?
  private let now: () -> Instant
  /// Told what reading a delta of version 1 has told of types, before the delta is applied.
  ///
  /// Once the checkpoint is past the delta nobody tells them again.
  package var learning: ((WireTypes) throws -> Void)?
  private var session = Session()
  /// Why a page was refused, for whoever reports it.
  package private(set) var refusal: StoreError?
  /// Records that stay though the peer does not have them: this store was restored from a copy that is older than
  /// deletions which the peer cannot tell any more.
  package var keptAfterRestore: Int { session.kept }
  /// What has been exchanged so far.
  package private(set) var tally = Tally()
  /// Pages are counted, and refused for it.
  private let isTrial: Bool

  /// What a session has exchanged, in changes.
  package struct Tally: Equatable, Sendable {
    /// Changes of the peer that the store has taken; in a trial, that it was sent.
    package var received = 0
    /// Changes that were handed to the peer.
    package var sent = 0

    package init() {}
  }

  /// What is counted from the first page to the last.
  private struct Session {
    /// Live records before the first page; nil before it.
    var live: Int?
    var deletions = 0
    /// The peer's checkpoint on this store, as the first page of its complete answer has told.
    var theirs: StoreToken?
    var replacement: ChangeStore.Replacement?
    /// Up to where the store was read when a page was last asked for.
    var read: Int64?
    /// Live records that the peer's complete answer does not have, and that may have been deleted there.
    var kept = 0
  }

  /// With `isTrial` the first page of the peer is counted and refused, which ends the dialogue without an ack.
  package init(
    _ store: ChangeStore, _ shape: RecordShape, limit: DeleteLimit = .usual, maximumDrift: Duration?,
    isTrial: Bool = false, now: @escaping () -> Instant
  ) {
    self.isTrial = isTrial
    (self.store, self.shape, self.limit) = (store, shape, limit)
    (self.maximumDrift, self.now) = (maximumDrift, now)
  }

  /// By its whole id: the beginning of one may be typed by a person, and never sent by a peer.
  private func known(_ id: String) throws(StoreError) -> StorePeer? {
    try store.peers().first { $0.id == id }
  }

  /// Whether changes have been stored since a page was last asked for.
  package mutating func hasChanged() throws -> Bool {
    let present = try store.currentToken().sequence
    defer { session.read = session.read ?? present }
    return present > session.read ?? present
  }

  // MARK: Asking

  package func checkpoint(onPeer id: String) throws -> [UInt8]? {
    try known(id).flatMap { try checkpoint($0) }
  }

  /// Tokens of other programs are bytes too; a text that is none asks for everything.
  private func checkpoint(_ peer: StorePeer) throws(StoreError) -> [UInt8]? {
    guard let text = try store.checkpoint(peer, .outgoing) else { return nil }
    return TokenText.bytes(text)
  }

  package mutating func apply(_ page: ReceivedPage, fromPeer id: String) throws -> ApplyAnswer {
    if isTrial {
      tally.received += page.lines.count { $0 == 10 }
      return .refused
    }
    if case .packed(let types?) = page.equality { try learning?(types) }
    var session = session
    do {
      let counts = try store.write { try take(page, id, &session) }
      self.session = session
      tally.received += counts.taken
      return .applied(quarantined: counts.quarantined)
    } catch StoreError.busy {
      return .busy
    } catch let error as StoreError {
      guard case .tooManyDeletions = error else { throw error }
      refusal = error
      return .refused
    }
  }

  private func take(
    _ page: ReceivedPage, _ id: String, _ session: inout Session
  ) throws -> PeerIntake.Counts {
    let now = now()
    let drift = maximumDrift.map { DriftGuard(now: now, maximum: $0) }
    let peer = try store.peer(seen: id, now: now)
    if session.live == nil {
      session.live = store.state.live
      session.deletions += try store.retryQuarantine(shape, drift).deletions
    }
    if let facts = page.mode.facts {
      session.theirs = StoreToken(bytes: facts.heldToken)
      session.replacement = try begin(facts, peer)
    } else if page.mode != .merge {
      try checkReplacement(session, peer)
    }
    var intake = try PeerIntake(store, from: peer, shape, equality: page.equality)
    try intake.take(page: page.lines.span, drift: drift, now: now, notingSeen: page.mode != .merge)
    for entry in page.unusable { try intake.keepAside(entry, now) }
    session.deletions += intake.counts.deletions
    if page.mode.isEnd {
      if let theirs = session.theirs, try store.standing(of: theirs) == .foreign {
        session.kept = try store.absentCount(from: peer)
      }
      session.deletions += try store.finishReplacement(from: peer, theirs: session.theirs, shape, limit)
    }
    try check(session)
    if page.mode == .merge || page.mode.isEnd, !page.token.isEmpty {
      try store.setCheckpoint(peer, .outgoing, TokenText.text(page.token), now: now)
    }
    return intake.counts
  }

  /// The limit counts over all pages: many small ones delete as much as a large one.
  private func check(_ session: Session) throws(StoreError) {
    try limit.check(session.deletions, of: session.live ?? 0)
  }

  /// Another session with the same peer may have begun one too, which is the one that counts.
  private func checkReplacement(_ session: Session, _ peer: StorePeer) throws(StoreError) {
    guard let replacement = session.replacement, try store.isUnderWay(replacement, from: peer) else {
      throw .busy
    }
  }

  private func begin(
    _ facts: ResyncFacts, _ peer: StorePeer
  ) throws(StoreError) -> ChangeStore.Replacement {
    let replacement = try store.beginReplacement(from: peer)
    for key in facts.quarantinedKeys {
      let key = Array(key.utf8)
      try store.noteSeen(key.span, from: peer)
    }
    return replacement
  }

  package func disownChanges(fromPeer id: String) throws {
    try store.write { try store.resend(to: store.peer(seen: id, now: now())) }
  }

  // MARK: Answering

  package mutating func page(_ request: PageRequest, forPeer id: String) throws -> PageAnswer {
    var token: StoreToken?
    if let since = request.since {
      token = StoreToken(bytes: since)
      if token == nil { return .tokenForeign }
    }
    do {
      var page = StorePage(lines: [], token: [])
      // Before the page: what is released from quarantine meanwhile is in it.
      if request.isResync { page.resync = try facts(for: id) }
      let limits = ChangeStore.PageLimits(bytes: request.limit)
      var count = 0
      let end = try store.changes(after: token, for: known(id), limits: limits) { line in
        page.lines.append(line)
        page.lines.append(10)
        count += 1
      }
      tally.sent += count
      (page.token, page.hasMore) = (end.token.bytes, end.hasMore)
      session.read = end.token.sequence
      return .page(page)
    } catch StoreError.foreignToken {
      return .tokenForeign
    } catch StoreError.expiredToken {
      return .tokenExpired
    } catch StoreError.busy {
      return .busy
    }
  }

  /// The checkpoint first: what is quarantined after it was read is above it.
  ///
  /// Where something has been pruned there is none to tell: the peer would take what was dropped, or is refused, for
  /// deleted. Nor is there where more keys are in quarantine than a message can name.
  private func facts(for id: String) throws(StoreError) -> ResyncFacts {
    guard try store.prunes().isEmpty else { return ResyncFacts() }
    let held = try known(id).flatMap { peer throws(StoreError) in try checkpoint(peer) }
    guard let keys = try store.quarantinedKeys(upTo: Self.longestKeys) else { return ResyncFacts() }
    return ResyncFacts(
      heldToken: held ?? [], quarantinedKeys: keys.map { String(decoding: $0, as: UTF8.self) })
  }

  /// So many bytes of keys go into a message beside its page.
  private static let longestKeys = 1 << 20

  package func acknowledge(_ token: [UInt8], byPeer id: String) throws {
    try store.write {
      let peer = try store.peer(seen: id, now: now())
      guard let token = StoreToken(bytes: token), try store.standing(of: token) != .foreign else { return }
      try store.setCheckpoint(peer, .incoming, token.text, now: now())
    }
  }
}

extension ReceivedPage.Mode {
  fileprivate var facts: ResyncFacts? {
    switch self {
    case .merge: nil
    case .resync(let facts), .resyncEnd(let facts): facts
    }
  }

  fileprivate var isEnd: Bool { if case .resyncEnd = self { true } else { false } }
}
