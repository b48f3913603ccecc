/// The rows of the table in docs/formats/dialogue.md, each a way in which a dialogue goes on.
package enum DialogueRow: String, Sendable, CaseIterable {
  // Beginning
  case startPull, startPush, startListen
  // Asking
  case ask, page, foreign, foreignAlone, expired, tokenLost, refused, yieldWaiting
  case rest, rested, askOn, handOver, allRead, askAgain, tooManyDeletes, quarantineFull, disowned,
    disownedBoth
  // Answering
  case request, rulesDiffer, give, wait, giveAgain, expiredGiven, foreignGiven, completeInstead
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
