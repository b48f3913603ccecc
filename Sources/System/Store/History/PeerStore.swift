import JSONLines
package import SyncCore

/// A store in a dialogue with one peer after the other, which it is given by their ids.
///
/// It reads no clock, so that a simulation can give it another one.
package struct PeerStore: DialogueStore {
  package let store: ChangeStore
  /// The rules that the store had when the session began, or has been given since.
  private(set) var shape: RecordShape
  /// False as long as the store has had none in this session.
  private(set) var hasRules: Bool
  private let limit: DeleteLimit
  /// How far ahead of now a clock may be; nil accepts all clocks.
  private let maximumDrift: Duration?
  let now: () -> Instant
  /// Receives what reading a delta of version 1 has told of types, before the delta is applied.
  ///
  /// Once the checkpoint is past the delta nobody tells them again.
  package var learning: ((WireTypes) throws -> Void)?
  var session = Session()
  /// Why a page was refused, or in a trial would be, for whoever reports it.
  package private(set) var refusal: StoreError?
  /// Of the page that was applied last: what has become of its changes, and which of its lines are none.
  package private(set) var lastPage = (counts: PeerIntake.Counts(), aside: [PeerIntake.Aside]())
  /// Records that stay though the peer does not have them: this store was restored from a copy that is older than
  /// deletions which the peer cannot tell any more.
  package var keptAfterRestore: Int { session.kept }
  /// The counts of the exchange so far.
  package internal(set) var tally = Tally()
  /// Pages are counted, and not stored.
  private let isTrial: Bool
  /// In a trial: which records differ is told too.
  package var comparesRecords = false

  /// The changes that a session has exchanged.
  package struct Tally: Equatable, Sendable {
    /// Changes of the peer that the store has taken; in a trial, that it would take.
    package var received = 0
    /// Changes that the peer has acknowledged.
    package var sent = 0
    /// Append-only records that differed from those of the peer.
    package var conflicts = Conflicts()
    /// The store had no rules, and has taken those of the peer.
    package var hasAdoptedRules = false
    /// The peer is not the store that it was: all that came from it goes to it again.
    package var hasDisowned = false
    /// Changes in pages that have come or been acknowledged, whatever became of them, and about how many are left to move.
    package var moved = 0
    package var left = 0
    /// The differences that a dry run has found.
    package var differences = Differences()

    package init() {}

    /// Adds what a later exchange of the same session has counted.
    package mutating func add(_ later: Self) {
      received += later.received
      sent += later.sent
      (moved, left) = (moved + later.moved, later.left)
      conflicts.add(later.conflicts)
      differences.add(later.differences)
      hasAdoptedRules = hasAdoptedRules || later.hasAdoptedRules
      hasDisowned = hasDisowned || later.hasDisowned
    }
  }

  /// The state kept between pages.
  struct Session {
    /// The peer's checkpoint on this store, as the first page of its complete answer has told.
    var theirs: StoreToken?
    var replacement: ChangeStore.Replacement?
    /// Up to where the store was read when a page was last asked for.
    var read: Int64?
    /// Live records that the peer's complete answer does not have, and that may have been deleted there.
    var kept = 0
    /// The changes of the pages that the peer has not acknowledged yet, and where the last of these ended.
    var given = 0
    /// About how many changes there were after the last page that was given; 0 where none was looked for.
    var remaining = 0
    var givenEnd: [UInt8]?
    /// In a trial: what the pages so far would delete.
    var deletions = 0
  }

  /// With `isTrial` the pages of the peer are counted, and the store stays as it is; too many deletions are a `refusal`
  /// then, and refuse nothing.
  package init(
    _ store: ChangeStore, _ shape: RecordShape?, limit: DeleteLimit = .usual, maximumDrift: Duration?,
    isTrial: Bool = false, now: @escaping () -> Instant
  ) {
    self.isTrial = isTrial
    (self.store, self.limit) = (store, limit)
    (self.shape, hasRules) = (shape ?? RecordShape(), shape != nil)
    (self.maximumDrift, self.now) = (maximumDrift, now)
  }

  /// By its whole id: the beginning of one may be typed by a person, and never sent by a peer.
  func known(_ id: String) throws(StoreError) -> StorePeer? {
    try store.peer(known: id)
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

  package func acknowledged(byPeer id: String) throws -> [UInt8]? {
    try known(id).flatMap { try store.checkpoint($0, .incoming) }.flatMap { TokenText.bytes($0) }
  }

  /// Tokens of other programs are bytes too; a text that is none asks for everything.
  func checkpoint(_ peer: StorePeer) throws(StoreError) -> [UInt8]? {
    guard let text = try store.checkpoint(peer, .outgoing) else { return nil }
    return TokenText.bytes(text)
  }

  package mutating func apply(_ page: ReceivedPage, fromPeer id: String) throws -> ApplyAnswer {
    var session = session
    var counts = PeerIntake.Counts()
    var aside: [PeerIntake.Aside] = []
    do {
      if isTrial { return .applied(quarantined: try count(page, id)) }
      if case .packed(let types?) = page.equality { try learning?(types) }
      let shape = page.rules ?? shape
      let isFirst = try store.write {
        let isFirst = try settle(shape, with: page)
        counts = try apply(page, id, shape, &session, &aside)
        return isFirst
      }
      (self.session, self.shape) = (session, shape)
      lastPage = (counts, aside)
      if isFirst { hasRules = true }
      if isFirst, page.rules != nil { tally.hasAdoptedRules = true }
      tally.received += counts.taken
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
      return answer
    }
  }

  /// The refusal for a page that the store does not accept, now or in a dry run; nil for other errors.
  private static func refusal(_ error: StoreError) -> ApplyAnswer? {
    switch error {
    case .tooManyDeletions: .refused
    case .quarantineFull: .quarantineFull
    default: nil
    }
  }

  /// Makes sure that the store has the rules of the session, inside a `write`; true if it had none before.
  ///
  /// A page without anything settles nothing.
  private func settle(_ shape: RecordShape, with page: ReceivedPage) throws(StoreError) -> Bool {
    guard let present = try store.rules() else {
      if page.rules == nil, page.lines.isEmpty, page.unusable.isEmpty { return false }
      try store.setRules(shape)
      return true
    }
    if !present.hasSameRules(as: shape) { throw .rulesChanged }
    return false
  }

  /// The limit holds for an answer as a whole, over however many pages and sessions it comes: what would delete a record
  /// is held until the last page, and is taken with it or not at all.
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
    var counts = try merge(
      page, from: peer, shape, holdingDeletions: page.hasMore && limit != .off, now, &aside)
    if page.mode.isEnd {
      if let theirs = session.theirs, try store.standing(of: theirs) == .foreign {
        session.kept = try store.absentCount(from: peer)
      }
      counts.deletions += try store.finishReplacement(from: peer, theirs: session.theirs, shape, limit)
    }
    try limit.check(counts.deletions, of: live)
    try store.setLiveBefore(page.hasMore ? live : nil, answerOf: peer)
    if page.mode == .merge || page.mode.isEnd, !page.token.isEmpty {
      try store.setCheckpoint(peer, .outgoing, TokenText.text(page.token), now: now)
    }
    return counts
  }

  /// Records that the answer itself adds do not allow more deletions, and neither do records deleted since.
  private func live(beforeAnswerOf peer: StorePeer) throws(StoreError) -> Int {
    min(try store.liveBefore(answerOf: peer) ?? .max, store.state.live)
  }

  /// With its last page an answer brings in what it has held.
  ///
  /// Lines that can leave quarantine do so before each page, which makes room.
  private func merge(
    _ page: ReceivedPage, from peer: StorePeer, _ shape: RecordShape, holdingDeletions: Bool, _ now: Instant,
    _ aside: inout [PeerIntake.Aside]
  ) throws -> PeerIntake.Counts {
    let drift = maximumDrift.map { DriftGuard(now: now, maximum: $0) }
    var counts = PeerIntake.Counts()
    counts.deletions = try store.retryQuarantine(shape, drift, page.hasMore ? .dueUpserts : .due).deletions
    if !page.hasMore { counts = try counts + store.releaseHeld(from: peer, shape) }
    var intake = try PeerIntake(
      store, from: peer, shape, equality: page.equality, holdingDeletions: holdingDeletions)
    try intake.apply(page: page.lines.span, drift: drift, now: now, notingSeen: page.mode != .merge)
    for entry in page.unusable { try intake.keepAside(entry, now, notingSeen: page.mode != .merge) }
    aside = intake.aside
    return counts + intake.counts
  }

  /// Takes a page as if it were merged, and undoes that; returns how many changes would be kept aside.
  private mutating func count(_ page: ReceivedPage, _ id: String) throws -> Int {
    var (counts, live) = (PeerIntake.Counts(), 0)
    var aside: [PeerIntake.Aside] = []
    var merged = page
    merged.mode = .merge
    do {
      try store.write {
        let peer = try store.peer(seen: id, now: now())
        live = try self.live(beforeAnswerOf: peer)
        let before = store.state.sequence
        if comparesRecords {
          try store.noteDifferences(of: page.lines, page.rules ?? shape, in: &tally.differences)
        }
        counts = try merge(merged, from: peer, page.rules ?? shape, holdingDeletions: false, now(), &aside)
        if comparesRecords { try store.noteTaken(after: before, in: &tally.differences) }
        throw TrialEnd()
      }
    } catch is TrialEnd {}
    tally.received += counts.taken
    tally.conflicts.add(counts.conflicts)
    session.deletions += counts.deletions
    if !limit.allows(session.deletions, of: live) {
      refusal = .tooManyDeletions(count: session.deletions, live: live)
    }
    return counts.quarantined
  }

  /// Rolls a transaction back.
  private struct TrialEnd: Error {}

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

  package mutating func disownChanges(fromPeer id: String) throws {
    tally.hasDisowned = true
    if isTrial { return }
    try store.write { try store.resend(to: store.peer(seen: id, now: now())) }
  }
}

extension ReceivedPage.Mode {
  fileprivate var isEnd: Bool { if case .resyncEnd = self { true } else { false } }
}
