/// What happens to a dialogue.
package enum DialogueEvent: Equatable, Sendable {
  case start
  case message(Message)
  /// Something that is no message has arrived.
  case unreadable(MessageError)
  case store(StoreAnswer)
  /// The store has changes that it had not before.
  case changed
  /// What was waited for did not come in time.
  case timedOut
  /// The connection has ended.
  case closed
  /// The run is to end.
  case stop
}

/// What a dialogue does in answer to an event: it may send a message, and wants one thing next.
package struct DialogueStep: Equatable, Sendable {
  package enum Next: Equatable, Sendable {
    /// A message, for so many seconds more than usual; with `wantsChanges` changes in the store are an event too.
    case receive(extraSeconds: Int, wantsChanges: Bool)
    /// A change in the store or a message, for so many seconds.
    case awaitChange(seconds: Int)
    /// Nothing, for so many seconds: an event that the time is over is what comes next, or a message.
    case rest(seconds: Int)
    /// The store's answer.
    case store(StoreRequest)
    case end(DialogueEnd)

    static let receive = Next.receive(extraSeconds: 0, wantsChanges: false)
  }

  package var row: DialogueRow
  package var message: Message?
  package var next: Next
}

/// What the next message is given for its own: pure code has neither clock nor random numbers.
package struct MessageStamp: Equatable, Sendable {
  package var id: UUIDText
  package var sentAt: Instant

  package init(id: UUIDText, sentAt: Instant) {
    self.id = id
    self.sentAt = sentAt
  }
}
