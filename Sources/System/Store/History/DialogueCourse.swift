import JSONLines
package import SyncCore

/// Connects a dialogue and its store: it handles events, and returns messages and the next awaited event.
///
/// It does not use a connection: the caller sends the messages, waits, and passes the next event.
package struct DialogueCourse<Store: DialogueStore> {
  private var dialogue: Dialogue
  package private(set) var store: Store
  /// The request that failed because another process has locked the store.
  private var pending: StoreRequest?
  /// Returns the stored types of version 1 if they have changed; nil in version 2.
  private var reread: (() throws -> WireTypes?)?
  private let now: () -> Instant

  /// The messages to send, and what to wait for next.
  package typealias Outcome = (messages: [Message], pause: DialoguePause)

  package init(_ dialogue: Dialogue, _ store: Store, now: @escaping () -> Instant) {
    (self.dialogue, self.store, self.now) = (dialogue, store, now)
  }

  /// The changes that version 1 could carry only in part.
  package var losses: WireLosses { dialogue.wireLosses }
  /// The number of changes that version 1 could not carry.
  package var leftOut: Int { dialogue.leftOut }
  /// The number of changes that the other side keeps in quarantine.
  package var quarantinedThere: Int { dialogue.quarantinedThere }
  /// The number of changes that could not be applied here.
  package var setAside: Int { dialogue.setAside }
  package var settings: DialogueSettings { dialogue.settings }

  /// Continues as far as possible without another event.
  ///
  /// An error does not leave messages unsent: a page is stored completely with its checkpoint before it is
  /// acknowledged. With `waiting`, the pause `store` is returned while another process locks the store;
  /// otherwise the dialogue ends.
  package mutating func handle(_ event: DialogueEvent, waiting: Bool = false) throws -> Outcome {
    pending = nil
    return try go(event, waiting)
  }

  /// Repeats the pending request to the store; with `isLast` the dialogue ends if it fails again.
  package mutating func resume(isLast: Bool) throws -> Outcome {
    guard let request = pending else { return ([], .store) }
    let answer = try answer(request)
    guard isLast || !answer.isBusy else { return ([], .store) }
    pending = nil
    return try go(.store(answer), !isLast)
  }

  private mutating func go(_ first: DialogueEvent, _ isWaiting: Bool) throws -> Outcome {
    var event = first
    var messages: [Message] = []
    while true {
      let step = dialogue.handle(event, MessageStamp(id: .random(), sentAt: now()))
      if let message = step.message { messages.append(message) }
      switch step.next {
      case .end(let end): return (messages, .end(end))
      case .store(let request):
        let answer = try answer(request)
        if isWaiting, answer.isBusy {
          pending = request
          return (messages, .store)
        }
        event = .store(answer)
      case .receive(let extra, let wantsChanges):
        return (messages, .message(extra: .seconds(extra), wantsChanges: wantsChanges))
      case .awaitChange(let seconds): return (messages, .change(.seconds(seconds)))
      case .rest(let seconds): return (messages, .rest(.seconds(seconds)))
      }
    }
  }

  /// The store's answer; after `busy` the store has not done any part of the request, so it can be repeated.
  private mutating func answer(_ request: StoreRequest) throws -> StoreAnswer {
    do {
      let answer = try store.answer(request, aboutPeer: dialogue.settings.peerId)
      // The types of a change are stored before the change itself, so they are read after the page.
      if case .page(.page) = answer, let stored = try reread?() { dialogue.learn(stored) }
      return answer
    } catch let error as StoreError {
      guard case .busy = error else { throw error }
      return .busy
    }
  }
}

extension DialogueCourse<PeerStore> {
  /// A dialogue over a store under its current rules; for version 1, `types` are the known types of values.
  package init(
    _ settings: DialogueSettings, over store: ChangeStore, limit: DeleteLimit, maximumDrift: Duration?,
    comparingRecords: Bool = false, types: WireTypes.Memory? = nil, now: @escaping () -> Instant
  ) throws {
    let shape = try store.rules()
    let wire = WireCodec(shape ?? RecordShape(), types: types?.known ?? WireTypes())
    var peer = PeerStore(
      store, shape, limit: limit, maximumDrift: maximumDrift, isDryRun: settings.isDryRun, now: now)
    peer.learning = types?.keep
    peer.comparesRecords = comparingRecords
    self.init(Dialogue(settings, wire: wire), peer, now: now)
    reread = types?.reread
  }

  /// The reason why the store has refused a page.
  package var refusal: StoreError? { store.refusal }
  /// The counts of the exchange so far.
  package var tally: PeerStore.Tally { store.tally }

  /// Whether the store has changes that have not been requested yet.
  package mutating func hasChanged() throws -> Bool { try store.hasChanged() }
}

/// The event to wait for; times are in addition to the time for a message.
package enum DialoguePause: Equatable, Sendable {
  /// A message; with `wantsChanges` also a change in our own store.
  case message(extra: Duration, wantsChanges: Bool)
  /// A change in our own store or a message, for this long.
  case change(Duration)
  /// A pause of this length, which a message may end.
  case rest(Duration)
  /// The store, which another process has locked; the next call must be ``DialogueCourse/resume(isLast:)``.
  case store
  case end(DialogueEnd)

  package var isRest: Bool { if case .rest = self { true } else { false } }

  package var wantsChanges: Bool {
    switch self {
    case .message(_, let wantsChanges): wantsChanges
    case .change: true
    case .rest, .store, .end: false
    }
  }
}

extension UUIDText {
  /// A random UUID (RFC 9562, version 4); it distinguishes messages, but does not protect them.
  fileprivate static func random() -> UUIDText {
    var generator = SystemRandomNumberGenerator()
    return UUIDText(random: (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) })
  }
}
