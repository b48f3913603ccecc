import CommandLine
import CommonInputs
import Crypto
import JSONLines
import Links
import Pairing
import PeerProtocol
import Remotes
import Sessions
import Store
import SyncCore
import SystemIO
import RecordInputs

/// The work of a run once its store is open.
struct Work {
  let settings: PeersyncTool.Settings
  let sessions: SessionSettings
  let device: Device
  var caller: Caller
  let store: OpenStore
  let part: DialogueSpeaker.Part
  let visits: RemoteVisits
  let output: RunOutput

  /// Runs one session with each peer and remote; prints a line for each as it ends.
  func once(_ records: [TrustRecord], on console: Console) throws -> ExitStatus {
    var summary = RunSummary()
    let count = records.count + visits.records.count
    let report = { (session: SessionReport) in
      let session = try distinguished(settings.isDryRun ? expected(session) : session)
      console.step(endOf: session)
      summary.add(session)
      write(session)
      console.note(session)
      console.note(keptIn: session)
      tell(session, of: count, on: console)
    }
    var conflicts = try KeptConflicts(store)
    let bound = try BoundSources(settings, store, output, on: console)
    try bound.record()
    let hook = try hook(on: console)
    let notes = try visitAll(records, on: console, report: report)
    let delivered = Result { try bound.deliver() }
    let told = Result { try hook?.finish() }
    summary.keptConflicts = try store.current().conflictCount().count
    let hasConflict = try conflicts.tell(settings) > 0
    summary.isInterrupted = Interruption.pending != nil
    let status = try conclude(&summary, on: console)
    try output.finish()
    try notes.get()
    try delivered.get()
    try told.get()
    if let trouble = bound.trouble ?? hook?.trouble, [.done, .no].contains(status) { return trouble }
    return status == .done && settings.exitCode && (bound.isChanged || hasConflict) ? .no : status
  }

  func hook(on console: Console) throws -> ChangeHook? {
    guard let command = settings.onChange, !settings.isDryRun else { return nil }
    return try ChangeHook(command, settings, store, on: console)
  }

  /// Returns the errors in writing the notes about the peers.
  private func visitAll(
    _ records: [TrustRecord], on console: Console, report: @escaping (SessionReport) throws -> Void
  ) throws -> Result<Void, any Error> {
    let name = records.count == 1 ? "'\(records[0].deviceName.escapingControls)'" : nil
    let line = ProgressLine(name ?? "\(records.count) peers", on: console)
    let run = SyncRun(caller, sessions, part, records) {
      line.update($0)
    } report: { session in
      line.progress.clear()
      try report(session)
    }
    if !records.isEmpty { try run.run(device.identity) }
    let notes = Result { try run.finishNotes() }
    line.progress.clear()
    for remote in visits.records where Interruption.pending == nil {
      console.step("'\(remote.url.escapingControls)': reading and writing")
      try report(visits.visit(remote, on: console))
    }
    return notes
  }

  /// Requests the changes of all remotes without storing them; reports errors with `telling`.
  ///
  /// The status is nil without an error.
  func look(
    _ records: [TrustRecord], on console: Console, telling: Bool = true
  ) throws -> (reports: [SessionReport], status: ExitStatus?) {
    var summary = RunSummary()
    let count = records.count + visits.records.count
    _ = try visitAll(records, on: console) { session in
      let session = distinguished(session)
      summary.add(session)
      if telling { tell(session, of: count, on: console) }
    }
    if Interruption.pending != nil { throw SystemError.interrupted }
    return (summary.reports, telling ? status(of: summary, on: console) : nil)
  }

  /// The exit status of a run in which something failed.
  private func status(of summary: RunSummary, on console: Console) -> ExitStatus? {
    let (failed, all) = (summary.failed.count, summary.reports.count)
    if failed > 0, failed < all {
      return console.report(
        Diagnostic(.partialRun, "remotes that could not be synced: \(failed) of \(all)"))
    }
    // If all failed, the status is that of the first error.
    return summary.failed.first?.trouble?.exit
  }

  /// The report with the id of its peer, if messages need it.
  func distinguished(_ session: SessionReport) -> SessionReport {
    var session = session
    session.distinction = device.peers.distinction(of: session.peer)
    return session
  }

  /// The changes that the other side would have received in reply to a dry run.
  private func expected(_ session: SessionReport) throws -> SessionReport {
    guard session.trouble == nil else { return session }
    let store = try store.current()
    var session = session
    session.changesSent =
      try settings.direction == .pull
      ? 0
      : store.pending(
        for: store.knownPeer(orNil: session.peer.peerId), held: session.held, givingBack: session.givesBack)
    if session.onlyGives, session.changesSent > 0 { session.trouble = .readOnlyKey() }
    if settings.direction == .push { session.changesReceived = 0 }
    return session
  }

  private func conclude(_ summary: inout RunSummary, on console: Console) throws -> ExitStatus {
    summary.quarantined = try store.current().quarantineCount()
    write(summary)
    if summary.isInterrupted { throw SystemError.interrupted }
    let aside = Diagnostic(quarantined: summary.quarantined, store: settings.store.path)
      .map { console.report($0) }
    if let status = status(of: summary, on: console) ?? aside { return status }
    return settings.exitCode && summary.isChanged ? .no : .done
  }

  private func tell(_ report: SessionReport, of count: Int, on console: Console) {
    guard let trouble = report.trouble, !report.isInterrupted else { return }
    // No later run sends changes that are in quarantine there, so no later run reports them.
    if trouble.code != .quarantined, let aside = Self.quarantine(there: report) {
      console.note(aside.text, hint: aside.hint)
    }
    console.report(Self.named(trouble, report, always: count > 1))
  }

  /// Adds the peer's name to a diagnostic if it is not obvious.
  static func named(_ trouble: Diagnostic, _ report: SessionReport, always: Bool) -> Diagnostic {
    var trouble = trouble
    let name = report.peer.deviceName.escapingControls
    if trouble.code == .cannotConnect, trouble.hint == nil {
      trouble.hint = "check that 'peersync serve' is running there, or use --address HOST:PORT"
    }
    if trouble.file == nil || trouble.file == name {
      trouble.file = name + report.distinction
    } else if always {
      trouble.message = "\(report.name): \(trouble.message)"
    }
    return trouble
  }

  /// The report of changes that the other side could not apply; nil without such changes.
  static func quarantine(there session: SessionReport) -> Diagnostic? {
    guard session.quarantinedThere > 0 else { return nil }
    return named(Diagnostic(quarantinedThere: session.quarantinedThere), session, always: true)
  }

  func write(_ session: SessionReport) {
    output.write(session.json, saying: session.sentence(isDryRun: settings.isDryRun))
  }

  func write(_ summary: RunSummary) {
    output.write(
      summary.json(at: settings.store.present), saying: settings.isDryRun ? nil : summary.sentence)
  }
}

/// Progress that a closure can update.
private final class ProgressLine {
  var progress: Progress
  init(_ label: String, on console: Console) { progress = Progress(label, on: console) }

  /// Counts changes as soon as their number is known.
  func update(_ now: SyncRun.Progress) {
    if now.left > 0 { progress.unit = "changes" }
    guard progress.unit != nil else { return progress.update(now.bytes) }
    progress.total = now.changes + now.left
    progress.update(now.changes)
  }
}

extension Console {
  /// With `--verbose`: writes the counts of a finished session.
  func step(endOf session: SessionReport) {
    step(
      "\(session.name): changes received: \(session.changesReceived), sent: "
        + "\(session.changesSent); bytes received: \(session.bytesReceived), sent: \(session.bytesSent)")
  }

  /// Reports records that a restored store may have brought back.
  func note(keptIn session: SessionReport) {
    note(keptAfterRestore: session.keptAfterRestore, of: session.name)
  }

  /// Reports conflicts, clocks and losses of an ended session.
  func note(_ session: SessionReport) {
    let name = session.name
    note(session.conflicts, of: name)
    for file in session.awaited { note("\(name): waiting for \(file)") }
    if session.hasAdoptedRules { noteAdoptedRules(of: name) }
    if let ahead = session.clockAhead, abs(ahead) >= SessionReport.notableClock {
      note("\(name): its clock is \(SessionReport.said(ahead)); clocks decide which change is later")
    }
    if let losses = session.losses {
      note("\(name): protocol 1 cannot carry all of the sent data: \(losses)")
    }
  }
}
