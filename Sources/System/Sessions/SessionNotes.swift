import JSONLines
import Crypto
package import Links
import Store
import SyncCore
import SystemIO

/// Notes the results of sessions: at their end, and during sessions that may last for weeks.
///
/// During a session it notes that everything was read, and the number of exchanged changes.
package final class SessionNotes {
  private struct Session {
    let link: Link
    let peer: LinkPeer
    /// The address at which the peer can be reached again; nil if it connected to us.
    let address: String?
    var noted: SessionReport?
    /// The earliest time of the next note, on the monotonic clock.
    var next = Duration.zero

    /// Whether everything has been read, and a new note would differ from the last one.
    var mayBeNoted: Bool {
      guard let speaker = link.dialogue, speaker.hasCaughtUp else { return false }
      guard let noted else { return true }
      return speaker.tally.received != noted.changesReceived
        || speaker.tally.sent != noted.changesSent
    }
  }

  private let peers: Peers
  private let settings: SessionSettings
  private var sessions: [Session] = []
  /// Notes that wait until another process releases the files, the oldest first.
  private var owed: [(report: SessionReport, address: String?, at: Instant)] = []
  /// The shortest time between two notes about one session.
  private static let pause = Duration.seconds(10)

  /// The errors of a link that the peer has left, or that has no place beside the newer one.
  private static let losses: [ErrorCode] = [.connectionLost, .connectionClosed, .timedOut, .peerBusy]

  package init(_ peers: Peers, _ settings: SessionSettings) {
    (self.peers, self.settings) = (peers, settings)
  }

  package func begin(_ link: Link, with peer: LinkPeer, at address: String?) {
    sessions.append(Session(link: link, peer: peer, address: address))
  }

  /// Changes of the peers of all open sessions that could not be applied here.
  package var setAside: Int { sessions.reduce(0) { $0 + ($1.link.dialogue?.course?.setAside ?? 0) } }

  /// Notes changes exchanged since the last call; returns the time of the next call, nil without a deadline.
  package func tend(at now: Duration) -> Duration? {
    try? writeOwed(patience: .zero)
    // A note that waits must not replace a later one.
    guard owed.isEmpty else { return now + .milliseconds(100) }
    for index in sessions.indices where sessions[index].next <= now && sessions[index].mayBeNoted {
      let session = sessions[index]
      var report = SessionReport(soFar: session.link, with: session.peer)
      report.blameQuarantine()
      sessions[index].next = now + Self.pause
      // A full disk must not end a run that only reads.
      do {
        try peers.note(
          report.since(session.noted), address: session.address, now: settings.present(), patience: .zero)
        sessions[index].noted = report
      } catch {}
    }
    return sessions.lazy.filter(\.mayBeNoted).map(\.next).min()
  }

  /// Notes the rest of a session that has ended.
  ///
  /// If the peer has connected again and that session has read everything, the loss of the old link does not
  /// replace the result of the new one.
  package func end(_ link: Link, as report: SessionReport) throws {
    guard let index = sessions.firstIndex(where: { $0.link === link }) else { return }
    let session = sessions.remove(at: index)
    var rest = report.since(session.noted)
    if rest.trouble.map({ Self.losses.contains($0.code) }) == true, let newer = caughtUp(with: session.peer) {
      rest.trouble = newer.noted?.trouble
    }
    try write(rest, address: session.address)
  }

  /// An open session with a peer that has read everything.
  private func caughtUp(with peer: LinkPeer) -> Session? {
    sessions.last { $0.peer.isSame(as: peer) && $0.link.dialogue?.hasCaughtUp == true }
  }

  /// Notes a session, or keeps the note for later while another process has locked the files.
  func write(_ report: SessionReport, address: String?) throws {
    if report.isSilent { return }
    owed.append((report, address, settings.present()))
    do {
      try writeOwed(patience: .zero)
    } catch let error as Diagnostic where error.code == .storeBusy {}
  }

  /// Writes the remaining notes at the end of a run.
  package func finish() throws { try writeOwed(patience: FileLock.patience) }

  /// Writes the waiting notes; a note that cannot be written is dropped, unless a lock is the reason.
  private func writeOwed(patience: Duration) throws {
    while let (report, address, time) = owed.first {
      do {
        try peers.note(report, address: address, now: time, patience: patience)
      } catch {
        if (error as? Diagnostic)?.code != .storeBusy { owed.removeFirst() }
        throw error
      }
      owed.removeFirst()
    }
  }
}
