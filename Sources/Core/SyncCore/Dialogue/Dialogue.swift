/// One side of a synchronization: it takes events, and returns messages and requests to the store.
///
/// docs/formats/dialogue.md lists it as a table. A dialogue does not use a connection, a store or a clock.
/// The caller sends the message of each step, performs the next action and passes the resulting event.
package struct Dialogue: Sendable {
  package let settings: DialogueSettings
  var wire: WireCodec
  package internal(set) var state = State.ready
  /// The form of the next request.
  var pull = Pull.normal
  var recovery = Recovery.unused
  /// Whether the other side's token was foreign here.
  var hasGivenForeign = false
  /// Whether the other side has read everything since it received the turn.
  var peerHasRead = false
  /// The end of the last page sent, if more pages follow and the other side has not requested the next one.
  var owed: [UInt8]?
  /// The answer under way, if its pages are sent without a request for each.
  var series: Series?
  /// How often the other side has started reading since it received the turn.
  var beginnings = 0
  /// How often this side has received the turn since the other side announced that it follows.
  var turns = 0
  /// Whether the other side has already let this side read first.
  var wasLetFirst = false
  /// The ends of the pages that this side reads.
  var progress = PageProgress()
  /// Whether the first request, which describes the store, has been sent.
  var hasIntroducedStore = false
  /// Whether this side has read everything once.
  var hasCaughtUp = false
  /// The time of the last request that might wait, if its answer did not have changes.
  var idleSince: Instant?
  /// In version 1, the state to return to after handling a message that arrived meanwhile.
  var besides: State?
  /// Changes that could not be applied here, or that version 1 could not carry.
  package internal(set) var setAside = 0
  /// Changes that version 1 could not carry.
  package internal(set) var leftOut = 0
  /// Changes that the other side could not apply and has quarantined.
  package internal(set) var quarantinedThere = 0
  private(set) var last: DialogueStep.Next = .receive(extraSeconds: 0, wantsChanges: false)

  package init(_ settings: DialogueSettings, wire: WireCodec) {
    self.settings = settings
    self.wire = wire
  }

  /// The state of a side; the names are those of the table.
  package enum State: Equatable, Sendable {
    case ready
    case readsCheckpoint
    case awaitsResponse(Question)
    case applies(Answer)
    case disowns(replyTo: UUIDText)
    case awaitsRequest
    case readsPage(id: UUIDText, SyncRequest, mayWait: Bool)
    case awaitsChange(id: UUIDText, SyncRequest, end: [UInt8])
    case awaitsAck(GivenPage)
    case recordsAck(id: UUIDText, yourTurn: Bool, isLast: Bool)
    /// Reads the next page of a series; the page is the oldest without an ack.
    case readsAhead(GivenPage)
    /// The other side has not let a request wait, and is not asked again at once.
    case rests
    case ended
  }

  /// A request that has been sent.
  package struct Question: Equatable, Sendable {
    var id: UUIDText
    var since: [UInt8]?
    var waits = false
    var sentAt: Instant
    /// Whether the turn was passed before the answer arrived.
    var hasYielded = false
    /// More pages may be sent without a request for each.
    var allowsSeries = false
  }

  /// A page that is being applied.
  package struct Answer: Equatable, Sendable {
    var id: UUIDText
    var token: [UInt8]
    var hasMore: Bool
    var hasYielded: Bool
    /// The time of its request, if the request may wait and this side did not shorten the wait.
    var askedAt: Instant?
    /// The earlier request that the next page answers, if that page is sent without a new request.
    var next: Question?
  }

  /// A page that has been sent.
  package struct GivenPage: Equatable, Sendable {
    /// The id of its response.
    var id: UUIDText
    var token: [UInt8]
    var isLast: Bool
    /// Whether the request waited, so that the requester may pass the turn before it receives the page.
    var mayBeCrossed: Bool
    /// Whether the page is acknowledged before the next is sent, because its record is large.
    var isOversized = false
  }

  /// An answer of several pages, of which some are sent before the first is acknowledged.
  struct Series: Equatable, Sendable {
    /// The id of the request that all pages answer.
    var id: UUIDText
    /// That request, with `since` at the start of the next page.
    var request: SyncRequest
    /// The pages sent after the oldest one without an ack.
    var later: [GivenPage] = []
    /// Whether the next page could not be read ahead; it is read again after the acks of the pages before it.
    var isHalted = false
  }

  enum Pull: Equatable, Sendable {
    case normal
    /// Continues after the end of the last page, in the same turn.
    ///
    /// It does not use the checkpoint, which another session with the same peer may have moved meanwhile.
    case on(from: [UInt8])
    /// Requests all changes, to merge them; records that are missing in the answer are kept.
    case anew
    /// Requests all changes, to replace all records; `next` is the token of the previous page.
    case resync(next: [UInt8]?)
  }

  /// Whether the session has recovered from a lost token, which it does at most once.
  enum Recovery: Equatable, Sendable {
    case unused
    /// The turn was passed after a foreign token: the other side reads first.
    case handedOver
    case used
  }

  /// The changes that version 1 could carry only in part.
  package var wireLosses: WireLosses { wire.losses }

  /// Handles an event; `stamp` is for the message of the step, if it has one.
  package mutating func handle(_ event: DialogueEvent, _ stamp: MessageStamp) -> DialogueStep {
    if state == .ended, [.closed, .timedOut, .changed].contains(event) {
      return DialogueStep(row: .ignored, next: last)
    }
    let step = step(event, stamp)
    if case .end = step.next { state = .ended }
    last = step.next
    return step
  }

  private mutating func step(_ event: DialogueEvent, _ stamp: MessageStamp) -> DialogueStep {
    switch event {
    case .start: start(stamp)
    case .message(let message): handle(message, stamp)
    case .store(let answer): handle(answer, stamp)
    case .unreadable(let error): handleUnreadable(error, stamp)
    case .changed: handleChange(stamp)
    case .timedOut: handleTimeOut(stamp)
    case .closed: handleClose()
    case .stop: DialogueStep(row: .stopped, next: .end(.stopped))
    }
  }

  // MARK: Events other than messages

  private mutating func start(_ stamp: MessageStamp) -> DialogueStep {
    guard settings.isConnector else { return listen(.startListen) }
    if settings.mayPull { return ask(.startPull) }
    return handOver(.startPush, SyncAck(peerId: settings.ownId, yourTurn: true), replyTo: nil, stamp)
  }

  private mutating func handleChange(_ stamp: MessageStamp) -> DialogueStep {
    switch state {
    case .awaitsChange(let id, let request, _):
      return readPage(.changed, id, request, mayWait: false)
    case .awaitsResponse(var question) where question.waits && !question.hasYielded && settings.mayHandOver:
      question.hasYielded = true
      state = .awaitsResponse(question)
      let ack = SyncAck(peerId: settings.ownId, yourTurn: true)
      return send(.yieldWaiting, .ack(ack), replyTo: nil, stamp, then: .receive)
    default: return DialogueStep(row: .ignored, next: last)
    }
  }

  private mutating func handleTimeOut(_ stamp: MessageStamp) -> DialogueStep {
    switch state {
    case .awaitsChange(let id, let request, let end):
      return giveNothing(.waitOver, id, request, end, mayBeCrossed: true, stamp)
    case .rests:
      state = .readsCheckpoint
      return DialogueStep(row: .rested, next: .store(.checkpoint))
    default:
      return DialogueStep(
        row: isQuiet ? .quiet : .timedOut, next: .end(isQuiet ? .done(setAside: setAside) : .timedOut))
    }
  }

  private func handleClose() -> DialogueStep {
    switch state {
    case .awaitsChange: DialogueStep(row: .waitClosed, next: .end(.done(setAside: setAside)))
    case _ where isQuiet, .awaitsRequest where !settings.isConnector && owed == nil:
      DialogueStep(row: .farewell, next: .end(.done(setAside: setAside)))
    default: DialogueStep(row: .closed, next: .end(.closed))
    }
  }

  private func handleUnreadable(_ error: MessageError, _ stamp: MessageStamp) -> DialogueStep {
    switch error {
    case .incompatibleProtocolVersion:
      refuse(.otherVersion, .incompatibleProtocolVersion, error.message, replyTo: nil, stamp)
    case .tooLarge: refuse(.tooLarge, .frameTooLarge, error.message, replyTo: nil, stamp)
    default: DialogueStep(row: .unreadable, next: .end(.protocolBroken(error.message)))
    }
  }
}
