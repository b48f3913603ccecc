import CommandLineTool
import History
package import Transport

/// Writes down what sessions have moved: now and then while they go on, as one may for weeks, and in the end.
package final class SessionNotes {
  private struct Session {
    let link: Link
    let peer: LinkPeer
    /// Where the peer can be reached again; nil where it came by itself.
    let address: String?
    var noted: SessionReport?
    /// When it may be written down again, on the monotonic clock.
    var next = Duration.zero

    /// All has been read that there was, and something of it is not written down.
    var mayBeNoted: Bool {
      guard let speaker = link.speaker as? DialogueSpeaker, speaker.hasCaughtUp else { return false }
      return speaker.tally.received != noted?.changesReceived ?? 0
        || speaker.tally.sent != noted?.changesSent ?? 0
    }
  }

  private let book: TransferBook
  private let rules: SyncRules
  private var sessions: [Session] = []
  /// How often what moves in a session is written down, at most.
  private static let pause = Duration.seconds(10)

  package init(_ book: TransferBook, _ rules: SyncRules) { (self.book, self.rules) = (book, rules) }

  package func begin(_ link: Link, with peer: LinkPeer, at address: String?) {
    sessions.append(Session(link: link, peer: peer, address: address))
  }

  /// Writes down what has moved since the last time; says when to be called again, nil for when something moves.
  package func tend(at now: Duration) -> Duration? {
    for index in sessions.indices where sessions[index].next <= now && sessions[index].mayBeNoted {
      let session = sessions[index]
      let report = SessionReport(soFar: session.link, with: session.peer)
      // A disk that is full must not end what only reads.
      try? book.note(report.since(session.noted), address: session.address, now: rules.store.present)
      sessions[index].noted = report
      sessions[index].next = now + Self.pause
    }
    return sessions.lazy.filter(\.mayBeNoted).map(\.next).min()
  }

  /// Writes down what is left of a session that is over.
  package func end(_ link: Link, as report: SessionReport) throws {
    guard let index = sessions.firstIndex(where: { $0.link === link }) else { return }
    let session = sessions.remove(at: index)
    try book.note(report.since(session.noted), address: session.address, now: rules.store.present)
  }
}
