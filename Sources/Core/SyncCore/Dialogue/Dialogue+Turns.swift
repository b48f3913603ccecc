extension Dialogue {
  /// Waits for what the other side asks.
  mutating func listen(_ row: DialogueRow) -> DialogueStep {
    state = .awaitsRequest
    return DialogueStep(row: row, next: .receive)
  }

  /// One, and one more after each of the errors that tell of a lost token.
  private static let mostTurns = 3

  /// Gives the turn away.
  mutating func handOver(
    _ row: DialogueRow, _ ack: SyncAck, replyTo: UUIDText?, _ stamp: MessageStamp
  ) -> DialogueStep {
    peerHasRead = false
    (owed, beginnings) = (nil, 0)
    state = .awaitsRequest
    return send(row, .ack(ack), replyTo: replyTo, stamp, then: .receive)
  }

  /// The turn is given to this side.
  mutating func takeTurn(replyTo: UUIDText, _ stamp: MessageStamp) -> DialogueStep {
    guard settings.version == .two else { return broken("a turn in version 1") }
    turns += 1
    if !settings.isConnector, turns > Self.mostTurns { return broken("a turn that is given again and again") }
    if recovery == .handedOver {
      // The answer to a foreign token is complete only when the other side has what this one has.
      guard peerHasRead else {
        return refuse(
          .turnAlone, .tokenForeign, "nothing was read here first", replyTo: replyTo, stamp,
          end: .cannotHandOver)
      }
      recovery = .used
      pull = .complete
      return ask(.turnTaken)
    }
    guard settings.isConnector else { return ask(.turnTaken) }
    if !peerHasRead {
      // It has been told that its token is foreign, and lets this side read first.
      guard settings.mayPull else {
        return DialogueStep(row: .turnRefused, next: .end(.cannotHandOver))
      }
      if wasLetFirst { return broken("a turn that is given back unused again and again") }
      wasLetFirst = true
      return ask(.turnTaken)
    }
    if settings.follows { return ask(.turnTaken) }
    return DialogueStep(row: .turnBack, next: .end(.done(setAside: setAside)))
  }
}
