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
    /// A message; after this time it receives the time-out event.
    case message(within: Duration)
    /// Nothing: both sides have all changes.
    case done
    /// Nothing: it has ended in another way; what was exchanged before is kept.
    case failed(SyncError)
  }

  package init(messages: [[UInt8]], next: Next) { (self.messages, self.next) = (messages, next) }
}

/// The facts that two stores compare before they exchange changes.
public struct StoreAgreement: Sendable {
  package let shared: SharedRules

  /// The side of a store that has these rules.
  ///
  /// `digest` is the SHA-256 of `ChangeRules.mergeRules`, 64 lower-case hex digits. `entities` has the key
  /// members of each entity's records, sorted lists of names: `["Task": [["id"]]]`.
  public init(_ rules: ChangeRules, digest: String, entities: [String: [[String]]]) {
    var stored = StoredEntities()
    stored.names = entities
    shared = SharedRules(rules.shape, digest: digest, entities: stored)
  }
}

/// One side of a synchronization over a store of the app's own and a transport of the app's own.
///
/// docs/formats/dialogue.md describes the messages. The transport has to authenticate the other side, keep
/// messages whole and in order, and report when the other side is gone. It is a value without clock or
/// chance, so that it runs anywhere.
public struct PeerDialogue<Store: DialogueStore> {
  /// The store, as the dialogue has left it.
  public private(set) var store: Store
  private var dialogue: Dialogue
  private let patience: Duration
  private let now: () -> Instant
  private let random: () -> [UInt8]

  /// A dialogue of `own` with `peer`; one of the two sides begins it.
  ///
  /// `agreement` is nil while the store has no rules; it then receives those of the other side. `pageSize` is
  /// the most bytes of changes in one message, unless one change is longer; `patience` is how long the other
  /// side may send nothing. `now` is the wall clock, and `random` gives 16 random bytes.
  public init(
    of own: Peer, with peer: Peer, over store: Store, agreement: StoreAgreement?, beginning: Bool,
    pageSize: Int = 1 << 20, patience: Duration = .seconds(30), now: @escaping () -> Instant,
    random: @escaping () -> [UInt8]
  ) {
    (self.store, self.patience, self.now, self.random) = (store, patience, now, random)
    var settings = DialogueSettings(
      of: own.introduction, with: peer.introduction, isConnector: beginning, shared: agreement?.shared)
    settings.pageLimit = pageSize
    dialogue = Dialogue(settings, wire: WireCodec(RecordShape(), types: WireTypes()))
  }

  /// Begins; both sides call it.
  public mutating func begin() throws(Store.Failure) -> DialogueReply { try handle(.start) }

  /// Takes a message of the other side: one JSON text, UTF-8, at most 16 MiB.
  public mutating func receive(_ message: [UInt8]) throws(Store.Failure) -> DialogueReply {
    try handle(DialogueEvent(receiving: message))
  }

  /// Continues when nothing has come in time.
  public mutating func timeOut() throws(Store.Failure) -> DialogueReply { try handle(.timedOut) }

  /// Continues when the other side is gone.
  public mutating func close() throws(Store.Failure) -> DialogueReply { try handle(.closed) }

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
  /// The content of one message.
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
  /// Those of a dialogue of version 2 in both directions.
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
