import CommandLine
import JSONLines
import Links
import Pairing
import Sessions
import Store
import SyncCore

/// Reports the sessions of a continuous run while they run, and adds up their outcomes.
final class FollowReports {
  private let work: Work
  private let console: Console
  /// The outcome of each peer and remote: the sum of its sessions, and how the last one ended.
  private(set) var totals: [SessionReport]
  /// The status of the last session that was given up.
  private(set) var status = ExitStatus.done
  /// The last trouble of each peer and remote, so that it is reported once until a session makes progress again.
  private var last: [String: Diagnostic] = [:]
  /// The peers and remotes whose trouble was reported, and that have not synced since then.
  private var lost: Set<String> = []
  /// The files last reported as missing for each remote, so that each change is reported once.
  private var awaited: [String: [String]] = [:]
  private var conflicts: KeptConflicts
  private var quarantine: KnownQuarantine

  init(_ work: Work, _ records: [TrustRecord], on console: Console) throws {
    (self.work, self.console) = (work, console)
    totals = records.map { SessionReport(LinkPeer($0), trouble: SessionReport.interruption) }
    conflicts = try KeptConflicts(work.store)
    quarantine = try KnownQuarantine(work.store, at: work.sessions.storePath)
  }

  /// Adds an event of a session with a peer.
  func add(_ event: FollowRun.Event) {
    switch event {
    case .moved(let session):
      let session = work.distinguished(session)
      last[session.peer.peerId] = nil
      console.note(keptIn: session)
      if session.isChanged || session.keptAfterRestore > 0 { write(session) }
      noteQuarantine(session)
    case .caughtUp(let peer):
      noteRecovery(peer)
      // A terminal shows each break; a log must not grow with every short break.
      if console.isTerminal { last[peer.peerId] = nil }
    case .ended(let session, let isFinal):
      let session = work.distinguished(session)
      console.step(endOf: session)
      sum(session)
      console.note(session)
      // Changes in quarantine there were reported when they were sent.
      if session.trouble?.code != .quarantined { report(session, isFinal) }
    }
  }

  /// Adds a visit to a remote.
  func add(_ session: SessionReport, isFinal: Bool) {
    let id = session.peer.peerId
    if session.isChanged { write(session) }
    if session.awaited != awaited[id] ?? [] { console.note(session) }
    awaited[id] = session.awaited
    console.note(keptIn: session)
    _ = try? quarantine.tell(on: console)
    sum(session)
    // Each visit reports its own changes in quarantine, even if it fails after that.
    if session.quarantinedThere > 0 { last[id] = nil }
    if session.trouble?.code != .quarantined { noteQuarantine(session) }
    report(session, isFinal)
    if session.trouble == nil {
      last[id] = nil
      noteRecovery(session.peer)
    }
  }

  private func sum(_ session: SessionReport) {
    if let index = totals.firstIndex(where: { $0.peer == session.peer }) {
      totals[index].add(session)
    } else {
      totals.append(session)
    }
  }

  private func report(_ session: SessionReport, _ isFinal: Bool) {
    guard !session.isInterrupted, let trouble = session.trouble else { return }
    let (id, named) = (session.peer.peerId, Work.named(trouble, session, always: true))
    if isFinal {
      status = console.report(named)
    } else if named.code != last[id]?.code || named.text != last[id]?.text {
      console.note(named.text, hint: named.retryAfter.flatMap { $0 < .seconds(60) ? nil : Self.pause($0) })
      // Changes in quarantine do not keep back others.
      if named.code != .quarantined { lost.insert(id) }
    }
    last[id] = named
  }

  /// Reports changes that a session has put in quarantine, here or on the other side.
  private func noteQuarantine(_ session: SessionReport) {
    if session.setAside > 0 { _ = try? quarantine.tell(on: console) }
    guard let trouble = Work.quarantine(there: session) else { return }
    console.note(trouble.text, hint: trouble.hint)
  }

  private static func pause(_ time: Duration) -> String {
    "the server requested a pause: the next try is in \((time.components.seconds + 59) / 60) minutes"
  }

  private func noteRecovery(_ peer: LinkPeer) {
    guard lost.remove(peer.peerId) != nil else { return }
    console.remark("\(work.device.peers.mention(of: peer)): syncs again")
  }

  /// A failure to write is reported at the end.
  private func write(_ session: SessionReport) {
    work.write(session)
    _ = try? conflicts.tell(work.settings)
  }
}
