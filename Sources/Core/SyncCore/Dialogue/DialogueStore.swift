/// The operations of a store that a dialogue needs; each is one transaction.
///
/// Tokens are opaque and never empty. `Failure` is for errors without an answer, such as a full disk; a lock
/// held by another process is an answer.
public protocol DialogueStore {
  /// An error that ends the dialogue without an answer.
  associatedtype Failure: Error

  /// How far this store has read the peer's store, as the peer's token; nil the first time.
  mutating func checkpoint(onPeer peer: String) throws(Failure) -> [UInt8]?

  /// How far the peer has acknowledged reading this store, as a token of this store; nil if never.
  mutating func acknowledged(byPeer peer: String) throws(Failure) -> [UInt8]?

  /// The changes that a request asks for, in the order of the store's sequence.
  ///
  /// Changes that came from the peer are left out only if the request acknowledges this store's checkpoint on
  /// the peer. Otherwise the peer may have been restored to an earlier state, and may have lost some of them.
  mutating func page(_ request: PageRequest, forPeer peer: String) throws(Failure) -> PageAnswer

  /// Merges a page and moves the checkpoint on the peer, or does neither.
  ///
  /// If another session has moved the checkpoint since this one has read or set it, the checkpoint does not change.
  /// The changes of the page are then sent to the peer too, because the checkpoint does not cover them.
  mutating func apply(_ page: ReceivedPage, fromPeer peer: String) throws(Failure) -> ApplyAnswer

  /// Remembers how far the peer has read this store; a token that is no longer valid is ignored.
  mutating func acknowledge(_ token: [UInt8], byPeer peer: String) throws(Failure)

  /// Clears the origin of every change that came from the peer and gives each a new sequence.
  ///
  /// The checkpoint does not change, so an interrupted session repeats this step.
  mutating func disownChanges(fromPeer peer: String) throws(Failure)
}

/// The request of a side to its own store, on behalf of the other side.
public struct PageRequest: Equatable, Sendable {
  /// The token after which changes are requested; nil requests all changes.
  public var since: [UInt8]?
  /// The maximum size in bytes, including line feeds; nil for everything at once.
  ///
  /// A single line may be longer.
  public var limit: Int?
  /// This store's checkpoint on the requester, as far as the requester knows it.
  public var acked: [UInt8]?
  /// Whether the acknowledgement is unknown, as in version 1.
  ///
  /// Changes that came from the requester are then left out if the request has a token.
  package var tellsNoAck = false
  /// Whether this requests the first page of the answer to a resync, which needs ``ResyncFacts``.
  public var isResync: Bool
  /// Whether the requester's store lacks rules: the page then includes the rules of this store.
  public var wantsRules = false

  /// A request for the changes after a token.
  public init(since: [UInt8]?, limit: Int?, isResync: Bool = false, acked: [UInt8]? = nil) {
    (self.since, self.acked) = (since, acked)
    (self.limit, self.isResync) = (limit, isResync)
  }
}

/// A store's answer to a ``PageRequest``.
public enum PageAnswer: Equatable, Sendable {
  case page(StorePage)
  /// Tombstones after the token have been compacted away.
  case tokenExpired
  /// The token does not belong to this store's present history.
  case tokenForeign
  /// Another process holds the store.
  case busy
}

/// A page of changes from a store.
public struct StorePage: Equatable, Sendable {
  /// Change lines, each with its LF.
  public var lines: [UInt8]
  /// The end of the page.
  public var token: [UInt8]
  /// Whether more changes follow the page.
  public var hasMore: Bool
  /// The approximate number of changes after the page; 0 if unknown.
  public var remaining = 0
  /// The facts at the beginning of a complete answer, if the request asks for them.
  public var resync: ResyncFacts?
  /// The rules of the store as canonical JSON, if they were requested and exist.
  public var rules: [UInt8]?

  /// A page that ends at a token.
  public init(lines: [UInt8], token: [UInt8], hasMore: Bool = false, resync: ResyncFacts? = nil) {
    (self.lines, self.token, self.hasMore, self.resync) = (lines, token, hasMore, resync)
  }
}

/// A page of the other side, to apply.
public struct ReceivedPage: Equatable, Sendable {
  /// The use of a page.
  public enum Mode: Equatable, Sendable {
    /// The lines are merged, and the checkpoint becomes the token.
    case merge
    /// A page of an answer that replaces all records: its keys are also remembered, and the checkpoint stays.
    ///
    /// With `facts` it is the first page, and the keys of an interrupted resync are forgotten.
    case resync(facts: ResyncFacts?)
    /// The last page of such an answer: records missing from all of its pages are removed, and the checkpoint
    /// moves.
    case resyncEnd(facts: ResyncFacts?)

    /// The facts sent with the first page of a resync; nil for any other page.
    public var facts: ResyncFacts? {
      switch self {
      case .merge: nil
      case .resync(let facts), .resyncEnd(let facts): facts
      }
    }
  }

  /// Change lines, each with its LF.
  public var lines: [UInt8]
  /// The end of the page; if it is empty, the checkpoint stays unchanged.
  public var token: [UInt8]
  /// How the page replaces existing records.
  public var mode: Mode
  /// Whether the answer continues after this page.
  public var hasMore = false
  /// The approximate number of changes after the page, as the other side reported; 0 if it did not.
  public var remaining = 0
  /// The rules of the other side, for a store without rules.
  package var rules: RecordShape?
  /// The rules as canonical JSON, which is the text of a profile; nil if missing.
  public var profile: [UInt8]? { rules?.rules }
  /// Entries of version 1 that are not changes, for the quarantine.
  package var unusable: [UnusableEntry] = []
  /// How to recognize lines that the store already has; version 1 returns such lines in a shortened form.
  package var equality = ChangeEquality.bytes

  package init(lines: [UInt8], token: [UInt8], mode: Mode = .merge) {
    (self.lines, self.token, self.mode) = (lines, token, mode)
  }
}

/// A store's answer to a ``ReceivedPage``.
public enum ApplyAnswer: Equatable, Sendable {
  /// Done, with this many changes in quarantine; `isIdle` means that all changes were already in the store.
  case applied(quarantined: Int, isIdle: Bool = false)
  /// Not applied: more records would be removed than the guard allows.
  case refused
  /// Not applied: the changes for the quarantine do not fit into it.
  case quarantineFull
  /// Another process holds the store.
  case busy
}

/// The next request of a dialogue to its store.
package enum StoreRequest: Equatable, Sendable {
  case checkpoint
  case page(PageRequest)
  case apply(ReceivedPage)
  case acknowledge([UInt8])
  case disownChanges
}

/// The store's answer to a ``StoreRequest``.
package enum StoreAnswer: Equatable, Sendable {
  /// How far this side has read, and how far the other side has acknowledged reading.
  case checkpoint([UInt8]?, acked: [UInt8]? = nil)
  case page(PageAnswer)
  case applied(ApplyAnswer)
  case acknowledged
  case disowned
  /// Another process has held the store for too long.
  case busy

  /// Whether another process holds the store, for any request.
  package var isBusy: Bool {
    switch self {
    case .busy, .page(.busy), .applied(.busy): true
    default: false
    }
  }
}

extension DialogueStore {
  /// Carries out a dialogue's request.
  package mutating func answer(
    _ request: StoreRequest, aboutPeer peer: String
  ) throws(Failure) -> StoreAnswer {
    switch request {
    case .checkpoint:
      return .checkpoint(try checkpoint(onPeer: peer), acked: try acknowledged(byPeer: peer))
    case .page(let request): return .page(try page(request, forPeer: peer))
    case .apply(let page): return .applied(try apply(page, fromPeer: peer))
    case .acknowledge(let token):
      try acknowledge(token, byPeer: peer)
      return .acknowledged
    case .disownChanges:
      try disownChanges(fromPeer: peer)
      return .disowned
    }
  }
}
