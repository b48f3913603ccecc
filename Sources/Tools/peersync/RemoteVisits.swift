import CommandLine
import Crypto
import JSONLines
import Links
import Remotes
import Sessions
import Store
import SyncCore
import SystemIO
import ToolInputs

/// Sessions with remotes that are not peers, one after the other.
struct RemoteVisits {
  let records: [RemoteRecord]
  let settings: PeersyncTool.Settings
  let device: Device
  let store: OpenStore

  /// One session; what goes wrong is in the report.
  func visit(_ record: RemoteRecord, on console: Console) -> SessionReport {
    var report = SessionReport(LinkPeer(peerId: record.id, deviceName: record.url))
    report.remote = record.url
    do {
      let folder = try SharedFolder(record.folder ?? "")
      report.peer.peerId = folder.id
      try take(folder, for: record, on: console)
      let outcome = try visit(folder)
      let tally = outcome.tally
      (report.changesReceived, report.changesSent) = (tally.received, tally.sent)
      (report.conflicts, report.hasAdoptedRules) = (tally.conflicts, tally.hasAdoptedRules)
      report.trouble = Diagnostic(
        outcome.end, of: outcome.settings, refusal: outcome.refusal, store: settings.store.path)
      for file in outcome.awaited { console.note("'\(record.url.escapingControls)': waiting for \(file)") }
    } catch let error as StoreError {
      report.trouble = Diagnostic(error, store: settings.store.path)
    } catch {
      report.trouble = SyncRun.diagnostic(error)
    }
    report.blameSignal()
    if !settings.isDryRun {
      do { try device.peers.note(remote: report, now: settings.store.present) } catch {
        report.trouble = report.trouble ?? SyncRun.diagnostic(error)
      }
    }
    return report
  }

  private func visit(_ folder: SharedFolder) throws -> FolderVisit.Outcome {
    let store = try store.current()
    store.limitWait(to: settings.store.wait)
    defer { store.limitWait(to: .zero) }
    var visit = FolderVisit(
      folder, store, own: (device.identity.peerId, device.identity.deviceName), settings.direction
    ) { settings.store.present }
    visit.isTrial = settings.isDryRun
    visit.maximumDrift = settings.store.maxDrift.duration
    visit.deleteLimit = settings.store.maxDelete
    visit.mixesEntities = settings.mixesEntities
    return try visit.run()
  }

  /// Another folder may be mounted there than the one that was added.
  private func take(_ folder: SharedFolder, for record: RemoteRecord, on console: Console) throws {
    guard folder.id != record.id, !settings.isDryRun else { return }
    console.note("'\(record.url.escapingControls)' is another folder than before: all is compared anew")
    try RemoteFile(in: Places.configuration()).change { records in
      if let index = records.firstIndex(where: { $0.url == record.url }) { records[index].id = folder.id }
    }
  }
}

/// Visits that are repeated whenever the store or a folder has changed.
final class RemoteWatch {
  private let visits: RemoteVisits
  private let console: Console
  private let report: (SessionReport) -> Void
  private var states: [String]
  /// When one that went wrong is tried again though nothing has changed.
  private var retries: [Duration]
  private var next = Duration.zero

  init(_ visits: RemoteVisits, on console: Console, report: @escaping (SessionReport) -> Void) {
    (self.visits, self.console, self.report) = (visits, console, report)
    states = visits.records.map { _ in "" }
    retries = visits.records.map { _ in Self.never }
  }

  /// A folder on a network drive tells nobody that it has changed, so that it is looked at.
  private static let interval = Duration.seconds(1)
  private static let pause = Duration.seconds(30)
  private static let never = Duration.seconds(1 << 40)

  func tend(at now: Duration) -> Duration {
    guard next <= now else { return next }
    for (index, record) in visits.records.enumerated()
    where state(of: record) != states[index] || retries[index] <= now {
      let session = visits.visit(record, on: console)
      retries[index] = session.trouble == nil ? Self.never : SystemClock.monotonic() + Self.pause
      report(session)
      // As it is after the visit, which may have written to both.
      states[index] = state(of: record)
    }
    next = SystemClock.monotonic() + Self.interval
    return next
  }

  private func state(of record: RemoteRecord) -> String {
    let sequence = (try? visits.store.current().currentToken().text) ?? ""
    return "\(sequence) \((try? SharedFolder(record.folder ?? "").listing()) ?? "")"
  }
}
