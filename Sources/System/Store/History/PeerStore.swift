import JSONLines
package import SyncCore

/// Answers the requests of dialogues from a store; the dialogues run one after the other.
///
/// Its time is a parameter, so a simulation can use its own clock.
package struct PeerStore: DialogueStore {
  package let store: ChangeStore
  /// The rules that the store had when the session began, or that it has adopted since then.
  private(set) var shape: RecordShape
  /// Whether the store has had rules in this session.
  private(set) var hasRules: Bool
  private let limit: DeleteLimit
  /// The limit for clocks ahead of now; nil accepts all clocks.
  private let maximumDrift: Duration?
  let now: () -> Instant
  /// Receives the types found in a delta of version 1, before the delta is applied.
  ///
  /// Once the checkpoint is past the delta, the peer does not send these types again. The store is locked
  /// during the call, so that two processes do not lose each other's types.
  package var learning: ((WireTypes) throws -> Void)?
  var session = Session()
  /// The reason why a page was refused, or would be in a dry run, for the caller's report.
  package private(set) var refusal: StoreError?
  /// The counts of the last applied page, and its lines that went into quarantine.
  package private(set) var lastPage = (counts: PeerIntake.Counts(), aside: [PeerIntake.Aside]())
  /// The counts of the exchange so far.
  package internal(set) var tally = Tally()
  /// Whether pages are only counted, and not stored.
  let isDryRun: Bool
  /// Whether each page except the last contains the number of changes after it.
  package var countsRemaining = true
  /// In a dry run: whether the records that differ are reported too.
  package var comparesRecords = false

  /// With `isDryRun` the peer's pages are only counted and the store does not change.
  ///
  /// Too many deletions then set `refusal`, but the page is not refused.
  package init(
    _ store: ChangeStore, _ shape: RecordShape?, limit: DeleteLimit = .default, maximumDrift: Duration?,
    isDryRun: Bool = false, now: @escaping () -> Instant
  ) {
    self.isDryRun = isDryRun
    (self.store, self.limit) = (store, limit)
    (self.shape, hasRules) = (shape ?? RecordShape(), shape != nil)
    (self.maximumDrift, self.now) = (maximumDrift, now)
  }

  /// The peer with this complete id: a person may type only its beginning, but a peer sends all of it.
  func known(_ id: String) throws(StoreError) -> StorePeer? {
    try store.peer(known: id)
  }

  /// Whether changes have been stored since a page was last requested.
  package mutating func hasChanged() throws -> Bool {
    let present = try store.currentToken().sequence
    defer { session.read = session.read ?? present }
    return present > session.read ?? present
  }

  // MARK: Asking

  package mutating func checkpoint(onPeer id: String) throws -> [UInt8]? {
    let found = try known(id).flatMap { try checkpoint($0) }
    // Further pages continue after the previous page, not after a checkpoint of another session.
    if !session.isUnderWay { session.checkpoint = .some(found) }
    return found
  }

  package func acknowledged(byPeer id: String) throws -> [UInt8]? {
    try known(id).flatMap { try store.checkpoint($0, .incoming) }.flatMap { TokenText.bytes($0) }
  }

  /// The bytes of the checkpoint's token; nil without a checkpoint, or if its text is not Base64.
  ///
  /// With nil, everything is requested. Another program may have written the text.
  func checkpoint(_ peer: StorePeer) throws(StoreError) -> [UInt8]? {
    guard let text = try store.checkpoint(peer, .outgoing) else { return nil }
    return TokenText.bytes(text)
  }

  package mutating func apply(_ page: ReceivedPage, fromPeer id: String) throws -> ApplyAnswer {
    var session = session
    var counts = PeerIntake.Counts()
    var aside: [PeerIntake.Aside] = []
    do {
      if isDryRun { return .applied(quarantined: try count(page, id)) }
      let shape = page.rules ?? shape
      let isFirst = try store.write {
        if case .packed(let types?) = page.equality { try learning?(types) }
        let isFirst = try settle(shape, with: page)
        counts = try apply(page, id, shape, &session, &aside)
        return isFirst
      }
      (self.session, self.shape) = (session, shape)
      lastPage = (counts, aside)
      tally.keptAfterRestore = session.kept
      if isFirst { hasRules = true }
      if isFirst, page.rules != nil { tally.hasAdoptedRules = true }
      tally.received += counts.taken + counts.changedBeyondPage
      tally.moved += page.lines.count { $0 == 10 }
      tally.left = page.hasMore ? page.remaining : 0
      tally.conflicts.add(counts.conflicts)
      let isIdle = counts.taken + counts.quarantinedAnew == 0 && !page.hasMore
      return .applied(quarantined: counts.quarantined, isIdle: isIdle)
    } catch StoreError.busy, StoreError.rulesChanged {
      return .busy
    } catch let error as StoreError {
      guard let answer = Self.refusal(error) else { throw error }
      refusal = error
      if case .quarantineFull = error, !isDryRun { try? makeRoom(for: id, page.rules ?? shape) }
      return answer
    }
  }

  /// Retries the quarantine with its deletions, because a page that found no room has not come so far.
  ///
  /// The next attempt to receive the page may then find room.
  private mutating func makeRoom(for id: String, _ shape: RecordShape) throws {
    let now = now()
    let counts = try store.write {
      guard let peer = try known(id), try store.rules()?.hasSameRules(as: shape) ?? false else {
        return PeerIntake.Counts()
      }
      return try retry(shape, now, within: limit, besides: 0, of: live(beforeAnswerOf: peer))
    }
    tally.received += counts.changedBeyondPage
  }

  /// The refusal of a page that the store does not accept, now or in a dry run; nil for other errors.
  private static func refusal(_ error: StoreError) -> ApplyAnswer? {
    switch error {
    case .tooManyDeletions: .refused
    case .quarantineFull: .quarantineFull
    default: nil
    }
  }

  /// Ensures that the store has the rules of the session, inside a `write`; true for a store without rules.
  ///
  /// An empty page does not set the rules.
  private func settle(_ shape: RecordShape, with page: ReceivedPage) throws(StoreError) -> Bool {
    guard let present = try store.rules() else {
      if page.rules == nil, page.lines.isEmpty, page.unusable.isEmpty { return false }
      try store.setRules(shape)
      return true
    }
    if !present.hasSameRules(as: shape) { throw .rulesChanged }
    return false
  }

  /// Applies a page; the limit applies to the complete answer, across all its pages and sessions.
  ///
  /// Deletions of records are held until the last page, and applied only together with it.
  private func apply(
    _ page: ReceivedPage, _ id: String, _ shape: RecordShape, _ session: inout Session,
    _ aside: inout [PeerIntake.Aside]
  ) throws -> PeerIntake.Counts {
    let now = now()
    let peer = try store.peer(seen: id, now: now)
    let live = try live(beforeAnswerOf: peer)
    if let facts = page.mode.facts {
      session.theirs = StoreToken(bytes: facts.heldToken)
      session.replacement = try begin(facts, peer)
    } else if page.mode != .merge {
      try checkReplacement(session, peer)
    }
    // Another session with the peer may have moved the checkpoint. Then this page must not move it back, and the
    // peer can acknowledge it although it was restored to a state without the changes of this page.
    let present = try checkpoint(peer)
    let movesCheckpoint = session.checkpoint.map { $0 == present } ?? true
    var counts = try merge(
      page, from: peer, shape, live: live, keepingOrigin: movesCheckpoint,
      holdingDeletions: page.hasMore && limit != .off, now, &aside)
    if page.mode.isEnd {
      if let theirs = session.theirs, try store.standing(of: theirs) == .foreign {
        session.kept = try store.absentCount(from: peer)
      }
      counts = try counts + finish(from: peer, session, shape, limit)
    }
    try limit.check(counts.deletions, of: live)
    if !page.hasMore {
      counts = try counts + retry(shape, now, within: limit, besides: counts.deletions, of: live)
    }
    try store.setLiveBefore(page.hasMore ? live : nil, answerOf: peer)
    session.isUnderWay = page.hasMore
    if page.mode == .merge || page.mode.isEnd, !page.token.isEmpty {
      if movesCheckpoint {
        try store.setCheckpoint(peer, .outgoing, TokenText.text(page.token), now: now)
      }
      if session.checkpoint != nil { session.checkpoint = .some(page.token) }
    }
    return counts
  }

  /// The number of live records before the answer, or now if that is lower: additions must not allow more deletions.
  private func live(beforeAnswerOf peer: StorePeer) throws(StoreError) -> Int {
    min(try store.liveBefore(answerOf: peer) ?? .max, store.state.live)
  }

  /// Removes the records that a complete answer lacks.
  private func finish(
    from peer: StorePeer, _ session: Session, _ shape: RecordShape, _ limit: DeleteLimit
  ) throws(StoreError) -> PeerIntake.Counts {
    let removed = try store.finishReplacement(from: peer, theirs: session.theirs, shape, limit)
    return PeerIntake.Counts(changedBeyondPage: removed, deletions: removed)
  }

  /// Retries the quarantine; `others` counts the deletions that the limit must allow too.
  private func retry(
    _ shape: RecordShape, _ now: Instant, within limit: DeleteLimit, besides others: Int, of live: Int
  ) throws(StoreError) -> PeerIntake.Counts {
    let retried = try store.retryQuarantine(
      shape, driftGuard(at: now), within: limit, besides: others, of: live)
    return PeerIntake.Counts(changedBeyondPage: retried.taken, deletions: retried.deletions)
  }

  private func driftGuard(at now: Instant) -> DriftGuard? {
    maximumDrift.map { DriftGuard(now: now, maximum: $0) }
  }

  /// Merges a page, and with the last page of an answer the held deletions too.
  ///
  /// The quarantine is retried before each page, to make room in it. With a limit, its deletions wait for the
  /// end of the answer, because only then the number of the peer's own deletions is known. If a page lacks room
  /// before that, they are released without it.
  private func merge(
    _ page: ReceivedPage, from peer: StorePeer, _ shape: RecordShape, live: Int, keepingOrigin: Bool = true,
    holdingDeletions: Bool, _ now: Instant, _ aside: inout [PeerIntake.Aside]
  ) throws -> PeerIntake.Counts {
    let drift = driftGuard(at: now)
    var counts = try retry(shape, now, within: limit == .off ? .off : .count(0), besides: 0, of: live)
    if !page.hasMore { counts = try counts + store.releaseHeld(from: peer, shape, drift) }
    var intake = try PeerIntake(
      store, from: peer, shape, equality: page.equality, drift: drift, keepingOrigin: keepingOrigin,
      holdingDeletions: holdingDeletions)
    try intake.apply(page: page.lines.span, now: now, notingSeen: page.mode != .merge)
    for entry in page.unusable { try intake.keepAside(entry, now, notingSeen: page.mode != .merge) }
    aside = intake.aside
    return counts + intake.counts
  }

  /// Merges a page and rolls back; returns the number of changes that would be quarantined.
  private mutating func count(_ page: ReceivedPage, _ id: String) throws -> Int {
    var (counts, live) = (PeerIntake.Counts(), 0)
    var session = session
    var seen: [[UInt8]] = []
    var aside: [PeerIntake.Aside] = []
    let now = now()
    let shape = page.rules ?? shape
    do {
      try store.write {
        let peer = try store.peer(seen: id, now: now)
        live = try self.live(beforeAnswerOf: peer)
        if page.mode != .merge { try resume(page, from: peer, &session) }
        let before = store.state.sequence
        if comparesRecords { try store.noteDifferences(of: page.lines, shape, in: &tally.differences) }
        counts = try merge(page, from: peer, shape, live: live, holdingDeletions: false, now, &aside)
        if comparesRecords { try store.noteTaken(after: before, in: &tally.differences) }
        let merged = store.state.sequence
        if page.mode.isEnd {
          counts = try counts + finish(from: peer, session, shape, .off)
        } else if page.mode != .merge {
          seen = try store.seenKeys(from: peer)
        }
        if !page.hasMore {
          let others = session.deletions + counts.deletions
          counts = try counts + retry(shape, now, within: limit, besides: others, of: live)
        }
        if comparesRecords {
          try store.noteTaken(after: merged, onlyDeletions: true, in: &tally.differences)
        }
        throw TrialEnd()
      }
    } catch is TrialEnd {}
    if !seen.isEmpty { try session.found.formUnion(store.sequences(of: seen)) }
    session.deletions += counts.deletions
    self.session = session
    // Each page retries the same quarantine.
    tally.received += counts.taken + (page.hasMore ? 0 : counts.changedBeyondPage)
    tally.conflicts.add(counts.conflicts)
    if !limit.allows(session.deletions, of: live) {
      refusal = .tooManyDeletions(count: session.deletions, live: live)
    }
    return counts.quarantined
  }

  /// Continues a complete answer in a dry run: its last page finds the keys of all pages.
  private func resume(
    _ page: ReceivedPage, from peer: StorePeer, _ session: inout Session
  ) throws(StoreError) {
    if let facts = page.mode.facts {
      session.theirs = StoreToken(bytes: facts.heldToken)
      session.found = []
    }
    _ = try begin(page.mode.facts ?? ResyncFacts(), peer)
    if page.mode.isEnd { try store.noteSeen(recordsAt: session.found, from: peer) }
  }

  /// Rolls a transaction back.
  private struct TrialEnd: Error {}

  /// Throws `busy` if another session with the same peer has begun a replacement in the meantime.
  private func checkReplacement(_ session: Session, _ peer: StorePeer) throws(StoreError) {
    guard let replacement = session.replacement, try store.isUnderWay(replacement, from: peer) else {
      throw .busy
    }
  }

  private func begin(
    _ facts: ResyncFacts, _ peer: StorePeer
  ) throws(StoreError) -> ChangeStore.Replacement {
    let replacement = try store.beginReplacement(from: peer)
    // The store cannot have records with longer keys.
    let longest = store.database.longestKey ?? .max
    for key in facts.quarantinedKeys where key.utf8.count <= longest {
      let key = Array(key.utf8)
      try store.noteSeen(key.span, from: peer)
    }
    return replacement
  }

  package mutating func disownChanges(fromPeer id: String) throws {
    tally.hasDisowned = true
    if isDryRun { return }
    try store.write { try store.resend(to: store.peer(seen: id, now: now())) }
  }
}

extension ReceivedPage.Mode {
  fileprivate var isEnd: Bool { if case .resyncEnd = self { true } else { false } }
}
