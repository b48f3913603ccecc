import JSONLines
public import SyncCore

/// The reaction of one side to an event.
public struct DialogueReply: Sendable {
  /// JSON texts to send, in order, each as one message.
  public let messages: [[UInt8]]
  /// The next step.
  public let next: Next

  /// The event that a side waits for.
  public enum Next: Equatable, Sendable {
    /// A message; after this time, call ``PeerDialogue/timeOut()``.
    case message(within: Duration)
    /// The dialogue is complete: both sides have all changes, except those that a side could not apply.
    ///
    /// These changes are counted in ``PeerDialogue/quarantined`` and ``PeerDialogue/quarantinedThere``.
    case done
    /// The dialogue failed; changes that were already exchanged are kept.
    case failed(SyncError)
  }

  package init(messages: [[UInt8]], next: Next) { (self.messages, self.next) = (messages, next) }
}

/// The facts that two stores compare before they exchange changes.
public struct StoreAgreement: Sendable {
  package let shared: SharedRules

  /// Creates the agreement of a store with these rules.
  ///
  /// `digest` is the SHA-256 of `ChangeRules.mergeRules`, 64 lower-case hex digits. `entities` has the key
  /// members of each entity's records as sorted lists of names: `["Task": [["id"]]]`.
  public init(_ rules: ChangeRules, digest: String, entities: [String: [[String]]]) {
    var stored = StoredEntities()
    stored.names = entities
    shared = SharedRules(rules.shape, digest: digest, entities: stored)
  }
}

/// One side of a synchronization, with the app's own store and transport.
///
/// docs/formats/dialogue.md describes the messages. The transport must authenticate the other side, deliver
/// complete messages in order, and report when the connection ends. The dialogue is a value without its own
/// clock or randomness, so it runs on any system.
public struct PeerDialogue<Store: DialogueStore> {
  /// The store after the dialogue so far.
  public private(set) var store: Store
  /// The number of changes of the other side that the store has reported as quarantined.
  public var quarantined: Int { dialogue.setAside }
  /// The number of changes that the other side could not apply, and has in quarantine.
  public var quarantinedThere: Int { dialogue.quarantinedThere }
  private var dialogue: Dialogue
  private let patience: Duration
  private let now: () -> Instant
  private let random: () -> [UInt8]

  /// The default size of a page in bytes.
  public static var defaultPage: Int { DialogueSettings.loopPage }

  /// Creates a dialogue of `own` with `peer`; `beginning` must be true on exactly one of the two sides.
  ///
  /// `agreement` is nil for a store without rules, which then receives the rules of the other side.
  /// `pageSize` limits the bytes of changes in one message; a single longer change is still sent. `patience`
  /// is how long to wait for a message of the other side. `now` is the wall clock, and `random` returns 16
  /// random bytes.
  public init(
    of own: Peer, with peer: Peer, over store: Store, agreement: StoreAgreement?, beginning: Bool,
    pageSize: Int = Self.defaultPage, patience: Duration = .seconds(30), now: @escaping () -> Instant,
    random: @escaping () -> [UInt8]
  ) {
    (self.store, self.patience, self.now, self.random) = (store, patience, now, random)
    var settings = DialogueSettings(
      of: own.introduction, with: peer.introduction, isConnector: beginning, shared: agreement?.shared)
    settings.pageLimit = pageSize
    dialogue = Dialogue(settings, wire: WireCodec(RecordShape(), types: WireTypes()))
  }

  /// Begins the dialogue; call it on both sides.
  public mutating func begin() throws(Store.Failure) -> DialogueReply { try handle(.start) }

  /// Processes a message of the other side: one JSON text, UTF-8, at most 16 MiB.
  public mutating func receive(_ message: [UInt8]) throws(Store.Failure) -> DialogueReply {
    try handle(DialogueEvent(receiving: message))
  }

  /// Continues after a time-out.
  public mutating func timeOut() throws(Store.Failure) -> DialogueReply { try handle(.timedOut) }

  /// Continues after the connection has ended; if the dialogue has already ended, this returns the same end
  /// again.
  public mutating func close() throws(Store.Failure) -> DialogueReply { try handle(.closed) }

  /// Continues after a change in the store, which a waiting peer then gets at once.
  ///
  /// Without this call, a peer that follows gets the change when its request has waited long enough, up to an
  /// hour.
  public mutating func changed() throws(Store.Failure) -> DialogueReply { try handle(.changed) }

  private mutating func handle(_ first: DialogueEvent) throws(Store.Failure) -> DialogueReply {
    var (event, messages) = (first, [[UInt8]]())
    while true {
      let step = dialogue.handle(event, MessageStamp(id: UUIDText(random: random()), sentAt: now()))
      if let message = step.message { messages.append(message.line) }
      switch step.next {
      case .store(let request):
        event = .store(try store.answer(request, aboutPeer: dialogue.settings.peerId))
      case .receive(let extra, _):
        return DialogueReply(messages: messages, next: .message(within: patience + .seconds(extra)))
      case .awaitChange(let seconds), .rest(let seconds):
        return DialogueReply(messages: messages, next: .message(within: .seconds(seconds)))
      case .end(let end):
        let trouble = Diagnostic(end, of: dialogue.settings)
        return DialogueReply(messages: messages, next: trouble.map { .failed(SyncError($0)) } ?? .done)
      }
    }
  }
}

extension DialogueEvent {
  /// The event for a received message: the message, or why it cannot be read.
  package init(receiving message: [UInt8]) {
    guard message.count <= DialogueSettings.longestMessage else {
      self = .unreadable(.tooLarge(limit: DialogueSettings.longestMessage))
      return
    }
    do throws(MessageError) {
      self = .message(try Message(receiving: message.span, over: .two))
    } catch {
      self = .unreadable(error)
    }
  }
}

extension DialogueSettings {
  /// The settings of a dialogue of version 2 in both directions.
  package init(
    of own: PeerIntroduction, with peer: PeerIntroduction, isConnector: Bool, shared: SharedRules?
  ) {
    let settings = DialogueSettings(
      role: isConnector ? .connector(.both) : .acceptor, version: .two, ownId: own.peerId,
      ownName: own.deviceName, peerId: peer.peerId, shared: shared)
    guard let settings else { preconditionFailure("version 2 supports every direction") }
    self = settings
  }
}
