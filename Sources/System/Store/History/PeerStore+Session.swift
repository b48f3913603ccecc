package import SyncCore

/// The state and the counts of a session with a peer.
extension PeerStore {
  /// The changes that a session has exchanged.
  package struct Tally: Equatable, Sendable {
    /// The peer's changes that the store has accepted; in a dry run, that it would accept.
    ///
    /// Records that a complete answer deletes, and changes that leave quarantine meanwhile, count too.
    package var received = 0
    /// Changes that the peer has acknowledged.
    package var sent = 0
    /// Append-only records that differed from those of the peer.
    package var conflicts = Conflicts()
    /// Whether the store has adopted the rules of the peer, because it did not have rules.
    package var hasAdoptedRules = false
    /// Whether the peer's store was replaced, so that all changes that came from it are sent to it again.
    package var hasDisowned = false
    /// Records kept although the peer lacks them: this store was restored from a backup older than deletions
    /// that the peer has compacted away.
    package var keptAfterRestore = 0
    /// The changes in received and acknowledged pages, and the approximate number of changes left.
    package var moved = 0
    package var left = 0
    /// The differences that a dry run has found.
    package var differences = Differences()

    package init() {}

    /// Adds the counts of a later exchange in the same session.
    package mutating func add(_ later: Self) {
      received += later.received
      sent += later.sent
      (moved, left) = (moved + later.moved, later.left)
      conflicts.add(later.conflicts)
      differences.add(later.differences)
      hasAdoptedRules = hasAdoptedRules || later.hasAdoptedRules
      hasDisowned = hasDisowned || later.hasDisowned
      keptAfterRestore += later.keptAfterRestore
    }
  }

  /// The state kept between pages.
  struct Session {
    /// The peer's checkpoint on this store, from the first page of its complete answer.
    var theirs: StoreToken?
    var replacement: ChangeStore.Replacement?
    /// The checkpoint that this session has read or set last; nil before that, for example in a request to a server.
    var checkpoint: [UInt8]??
    /// Whether the current answer has further pages.
    var isUnderWay = false
    /// The sequence up to which the store had been read when a page was last requested.
    var read: Int64?
    /// Live records that are missing from the peer's complete answer, and that may have been deleted there.
    var kept = 0
    /// The pages that the peer has not acknowledged yet, the oldest first; the last page given is never
    /// removed.
    var given: [GivenPage] = []
    /// In a dry run: the number of records that the pages so far would delete.
    var deletions = 0
    /// In a dry run: the sequences of this store's records that are in the complete answer so far.
    var found: Set<Int64> = []

    /// Adds a page; pages that are never acknowledged are counted together.
    mutating func note(_ page: GivenPage) {
      given.append(page)
      guard given.count > Self.mostGiven else { return }
      let oldest = given.removeFirst()
      given[0].changes += oldest.changes
    }

    /// The maximum number of pages that are kept one by one: more than a dialogue sends without an ack.
    private static let mostGiven = 16
  }

  /// The size of a page that was sent.
  struct GivenPage {
    /// The token at the end of the page.
    var end: [UInt8]
    var changes: Int
    /// The approximate number of changes after the page; 0 if they were not counted.
    var remaining: Int
  }
}
