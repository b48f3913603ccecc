/// An event of a dialogue.
package enum DialogueEvent: Equatable, Sendable {
  case start
  case message(Message)
  /// Data that is not a message has arrived.
  case unreadable(MessageError)
  case store(StoreAnswer)
  /// The store has new changes.
  case changed
  /// The expected event did not arrive in time.
  case timedOut
  /// The connection has ended.
  case closed
  /// The run should end.
  case stop
}

/// The reaction of a dialogue to an event: a message, if needed, and the next action.
package struct DialogueStep: Equatable, Sendable {
  package enum Next: Equatable, Sendable {
    /// Wait for a message, this many seconds more than the default; `wantsChanges` also waits for changes in
    /// the store.
    case receive(extraSeconds: Int, wantsChanges: Bool)
    /// Wait for a change in the store or a message, for this many seconds.
    case awaitChange(seconds: Int)
    /// Wait this many seconds; the next event is the time-out or a message.
    case rest(seconds: Int)
    /// Request an answer from the store.
    case store(StoreRequest)
    case end(DialogueEnd)

    static let receive = Next.receive(extraSeconds: 0, wantsChanges: false)
  }

  package var row: DialogueRow
  package var message: Message?
  package var next: Next
}

/// The id and time of the next message; a dialogue itself has neither a clock nor random numbers.
package struct MessageStamp: Equatable, Sendable {
  package var id: UUIDText
  package var sentAt: Instant

  package init(id: UUIDText, sentAt: Instant) {
    self.id = id
    self.sentAt = sentAt
  }
}

/// How a dialogue ended on one side.
package enum DialogueEnd: Equatable, Sendable {
  /// Complete, except that this many changes could not be applied here or could not be sent.
  case done(setAside: Int)
  /// Stopped between two steps; each step is complete.
  case stopped
  /// This side refused to continue and sent this error.
  case refused(PeerErrorCode)
  /// As above, because the rules or records of the two stores are incompatible.
  case differs(RulesDifference)
  /// The other side has sent an error.
  case peerError(PeerError)
  /// The other side broke the protocol; the message has the details.
  case protocolBroken(String)
  case timedOut
  /// The connection ended too early.
  case closed
  /// A token was rejected twice in one session.
  case tokenLost
  /// One of the two stores was replaced or restored, and the turn cannot be passed.
  case cannotHandOver
  /// More records would be removed than the guard allows.
  case tooManyDeletes
  /// The changes that cannot be applied do not fit into the quarantine.
  case quarantineFull
  /// Another process holds the store.
  case busy

  /// The exit status: 0, 65, 75, 76, 77 or 78, as in docs/exit-status.md.
  package var status: Int32 {
    switch self {
    case .done(let setAside): setAside == 0 ? 0 : 65
    case .stopped: 0
    case .refused(let code): Self.status(of: code)
    case .differs(let difference): Self.status(of: difference.code)
    case .peerError(let error): error.known.map(Self.status) ?? 76
    case .protocolBroken: 76
    case .timedOut, .closed, .tokenLost, .busy: 75
    case .cannotHandOver, .tooManyDeletes, .quarantineFull: 77
    }
  }

  private static func status(of code: PeerErrorCode) -> Int32 {
    switch code {
    case .invalidQRCodePayload, .expiredPairingPayload, .invalidPairingSession, .invalidPairingSecret: 77
    case .untrustedPeer, .tokenForeign, .tooManyDeletions, .quarantineFull, .entitiesDiffer: 77
    case .rulesDiffer, .identityDiffers: 78
    case .busy, .rateLimited, .tokenExpired: 75
    case .incompatibleProtocolVersion, .frameTooLarge: 76
    }
  }
}

/// The rows of the table in docs/formats/dialogue.md; each is one way for a dialogue to continue.
package enum DialogueRow: String, Sendable, CaseIterable {
  // Beginning
  case startPull, startPush, startListen
  // Asking
  case ask, page, foreign, expired, tokenLost, refused, yieldWaiting
  case rest, rested, askOn, pageFollows, handOver, allRead, askAgain, tooManyDeletes, quarantineFull,
    disowned,
    disownedBoth, disownedAlone
  // Answering
  case request, rulesDiffer, give, giveAhead, aheadLater, wait, giveAgain, expiredGiven, foreignGiven,
    completeInstead
  case changed, waitOver, waitYielded, waitClosed
  case ackRecorded, ackEmpty, crossed, acknowledged, farewell
  // Version 1
  case readOn, linger, bothRead, askBack, quiet
  // Turns
  case turnTaken, turnBack, turnAlone, turnRefused
  // Everywhere
  case untrusted, otherVersion, tooLarge, unreadable, peerError, unexpected, busy, timedOut, closed, stopped,
    ignored
}

extension Dialogue.State {
  /// The row's name in the table of docs/formats/dialogue.md.
  package var name: String {
    switch self {
    case .ready: "ready"
    case .readsCheckpoint: "readsCheckpoint"
    case .awaitsResponse: "awaitsResponse"
    case .applies: "applies"
    case .disowns: "disowns"
    case .awaitsRequest: "awaitsRequest"
    case .readsPage: "readsPage"
    case .awaitsChange: "awaitsChange"
    case .awaitsAck: "awaitsAck"
    case .recordsAck: "recordsAck"
    case .readsAhead: "readsAhead"
    case .rests: "rests"
    case .ended: "ended"
    }
  }
}
