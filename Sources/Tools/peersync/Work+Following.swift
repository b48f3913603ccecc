import JSONLines
import CommandLine
import Crypto
import Links
import Pairing
import Sessions
import Store
import SyncCore
import SystemIO

extension Work {
  /// Sessions that go on: a line whenever changes have moved, and a summary at the end.
  func follow(_ records: [TrustRecord], on console: Console) throws -> ExitStatus {
    // What has become of each peer: the sum of its sessions, and how the last of them went.
    var totals = records.map { SessionReport(LinkPeer($0), trouble: SessionReport.interruption) }
    // What a peer was in trouble with is told once, until something has moved again.
    var last: [String: Diagnostic] = [:]
    var status = ExitStatus.done
    let run = FollowRun(caller, rules, device.book, part, records) { event in
      switch event {
      case .moved(let session):
        last[session.peer.peerId] = nil
        try? write(session.json)
      case .ended(let session, let isFinal):
        if let index = totals.firstIndex(where: { $0.peer == session.peer }) { totals[index].add(session) }
        session.note(on: console)
        guard !session.isInterrupted,
          let trouble = session.trouble.map({ Self.named($0, session, always: true) })
        else { return }
        if isFinal {
          status = console.report(trouble)
        } else if trouble != last[session.peer.peerId] {
          console.note(trouble.text)
        }
        last[session.peer.peerId] = trouble
      }
    }
    try run.run(device.identity)
    let summary = try self.summary(of: totals)
    try write(summary.json(at: settings.store.present))
    return status == .done && settings.exitCode && summary.isChanged ? .no : status
  }

  private func summary(of reports: [SessionReport]) throws -> RunSummary {
    var summary = RunSummary()
    for report in reports { summary.add(report) }
    summary.quarantined = try store.current().quarantineCount()
    summary.isInterrupted = Interruption.pending != nil
    return summary
  }
}
