import CommandLine
import JSONLines
import Links
import Pairing
import Remotes
import Sessions
import Store
import SystemIO

extension Work {
  /// Runs continuous sessions: writes a line per transfer, and a summary at the end.
  func follow(_ records: [TrustRecord], on console: Console) throws -> ExitStatus {
    let reports = try FollowReports(self, records, on: console)
    let run = FollowRun(caller, sessions, part, records) { reports.add($0) }
    let watch = RemoteWatch(visits, on: console) { reports.add($0, isFinal: $1) }
    let bound = try BoundSources(settings, store, output, on: console)
    try bound.record(waiting: false)
    let hook = try hook(on: console)
    run.alongside = Companions([bound, hook])
    if !visits.records.isEmpty { run.besides = watch }
    let names =
      records.map { device.peers.mention(of: LinkPeer($0)) }
      + visits.records.map { "'\($0.url.escapingControls)'" }
    console.remark("following \(names.joined(separator: ", ")); stop with Ctrl-C")
    try run.run(device.identity)
    let end = Result { try bound.finish() }
    let told = Result { try hook?.finish(isPatient: true) }
    var summary = reports.totals.reduce(into: RunSummary()) { $0.add($1) }
    summary.isInterrupted = Interruption.pending != nil
    // The summary is written even if the store cannot be read any more.
    let counts = Result { try addCounts(to: &summary) }
    write(summary)
    let there = reports.totals.compactMap { Self.quarantine(there: distinguished($0)) }
    let here = Diagnostic(quarantined: summary.quarantined, store: sessions.storePath)
    let aside = (there + [here].compactMap { $0 }).map { console.report($0) }.first
    try end.get()
    try counts.get()
    try told.get()
    try output.finish()
    guard reports.status == .done else { return reports.status }
    if let trouble = aside ?? bound.standingTrouble ?? hook?.trouble { return trouble }
    return settings.exitCode && (summary.isChanged || bound.isChanged) ? .no : .done
  }

  private func addCounts(to summary: inout RunSummary) throws {
    let store = try store.current()
    (summary.quarantined, summary.keptConflicts) = (
      try store.quarantineCount(), try store.conflictCount().count
    )
  }
}
