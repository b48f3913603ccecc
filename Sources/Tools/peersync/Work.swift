import CommandLineTool
import History
import JSONLines
import Peering
import SyncCore
import Syncing
import SystemIO
import Transport

/// What a run does once it has the store.
struct Work {
  let settings: PeersyncTool.Settings
  let rules: SyncRules
  let device: Device
  let caller: Caller
  let store: OpenStore
  let part: DialogueSpeaker.Part

  /// One session with each peer.
  func once(_ records: [TrustRecord], on console: Console) throws -> ExitStatus {
    var summary = RunSummary()
    let run = SyncRun(caller, rules, device.book, part)
    for record in records {
      let line = ProgressLine("'\(record.deviceName.escapingControls)'", on: console)
      var report = run.session(with: record) { line.progress.update($0) }
      if settings.isDryRun, report.trouble == nil {
        report.changesSent =
          settings.direction == .pull ? 0 : try pending(record)
        if settings.direction == .push { report.changesReceived = 0 }
      }
      summary.add(report)
      try write(report.json)
      console.note(report.conflicts, of: "'\(report.peer.deviceName.escapingControls)'")
      tell(report, of: records.count, on: console)
      summary.isInterrupted = Interruption.pending != nil
      if summary.isInterrupted { break }
    }
    return try conclude(&summary, on: console)
  }

  private func pending(_ record: TrustRecord) throws -> Int {
    let store = try store.current()
    return try store.pending(for: store.knownPeer(orNil: record.peerId))
  }

  private func conclude(_ summary: inout RunSummary, on console: Console) throws -> ExitStatus {
    summary.quarantined = try store.current().quarantineCount()
    try write(summary.json(at: settings.store.present))
    if summary.isInterrupted { throw SystemError.interrupted }
    if let aside = Diagnostic(quarantined: summary.quarantined, store: settings.store.path) {
      console.report(aside)
    }
    let (failed, all) = (summary.failed.count, summary.reports.count)
    if failed > 0, failed < all {
      return console.report(
        Diagnostic(.partialRun, "peers that could not be synced with: \(failed) of \(all)"))
    }
    guard summary.status == .done else { return summary.status }
    return settings.exitCode && summary.isChanged ? .no : .done
  }

  /// Sessions that go on, and a line for whatever moves.
  func follow(_ records: [TrustRecord], on console: Console) throws -> ExitStatus {
    var told: [String: PeerStore.Tally] = [:]
    // What a peer was in trouble with is told once, until something has moved again.
    var last: [String: Diagnostic] = [:]
    var (status, isChanged) = (ExitStatus.done, false)
    let run = FollowRun(caller, rules, device.book, part, records) { event in
      switch event {
      case .moved(let record, let speaker):
        let before = told[record.peerId] ?? PeerStore.Tally()
        let now = speaker.tally
        guard now != before else { return }
        (told[record.peerId], last[record.peerId]) = (now, nil)
        isChanged = true
        try? write(Self.line(record, received: now.received - before.received, sent: now.sent - before.sent))
      case .ended(let report, let isFinal):
        told[report.peer.peerId] = nil
        console.note(report.conflicts, of: "'\(report.peer.deviceName.escapingControls)'")
        guard !report.isInterrupted,
          let trouble = report.trouble.map({ Self.named($0, report, always: true) })
        else { return }
        if isFinal {
          status = console.report(trouble)
        } else if trouble != last[report.peer.peerId] {
          console.note(trouble.text)
        }
        last[report.peer.peerId] = trouble
      }
    }
    try run.run(device.identity)
    return status == .done && settings.exitCode && isChanged ? .no : status
  }

  private static func line(_ record: TrustRecord, received: Int, sent: Int) -> JSONValue {
    var report = SessionReport(LinkPeer(record))
    (report.changesReceived, report.changesSent) = (received, sent)
    return report.json
  }

  private func tell(_ report: SessionReport, of count: Int, on console: Console) {
    guard let trouble = report.trouble, !report.isInterrupted else { return }
    console.report(Self.named(trouble, report, always: count > 1))
  }

  /// Says which peer it is about, where that is not plain.
  private static func named(_ trouble: Diagnostic, _ report: SessionReport, always: Bool) -> Diagnostic {
    var trouble = trouble
    let name = report.peer.deviceName.escapingControls
    if trouble.file == nil {
      trouble.file = name
    } else if always, trouble.file != name {
      trouble.message = "'\(name)': \(trouble.message)"
    }
    return trouble
  }

  private func write(_ value: JSONValue) throws(SystemError) {
    try Descriptor.standardOutput.write(line: value)
  }
}

/// Progress that a closure can bring forward.
private final class ProgressLine {
  var progress: Progress
  init(_ label: String, on console: Console) { progress = Progress(label, on: console) }
}
