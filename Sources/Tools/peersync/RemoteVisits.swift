import CommandLine
import CommonInputs
import Crypto
import JSONLines
import Links
import Pairing
import Remotes
import Sessions
import Store
import SyncCore
import SystemIO
import RecordInputs

/// Sessions with remotes that are not peers, one after the other.
struct RemoteVisits {
  let records: [RemoteRecord]
  let settings: PeersyncTool.Settings
  let device: Device
  let store: OpenStore

  /// Runs one session; errors are in the report.
  func visit(_ record: RemoteRecord, on console: Console) -> SessionReport {
    var report = SessionReport(LinkPeer(peerId: record.id, deviceName: record.url))
    report.remote = record.url
    do {
      let outcome = try session(with: record) { id in
        report.peer.peerId = id
        try visit(id, for: record, on: console)
      } counted: {
        report.add($0)
        report.quarantinedThere = $1
      }
      (report.bytesReceived, report.bytesSent) = (outcome.bytesReceived, outcome.bytesSent)
      report.clockAhead = outcome.clockAhead
      (report.held, report.givesBack, report.onlyGives) = (
        outcome.held ?? [], outcome.givesBack, outcome.onlyGives
      )
      report.trouble = Diagnostic(
        outcome.end, of: outcome.settings, refusal: outcome.refusal, store: settings.store.path)
      if let path = record.collectionPath, report.trouble?.code == .identityDiffers {
        report.trouble?.hint = path.hint(for: .identityDiffers)
      }
      report.blameQuarantine()
      report.trouble = report.trouble ?? outcome.leftOut
      report.changesSent -= outcome.otherEntities + outcome.unwritten
      if outcome.otherEntities > 0, !settings.isDryRun {
        note(others: outcome.otherEntities, record, on: console)
      }
      report.awaited = outcome.awaited.filter { !$0.isDamaged }.map(\.name)
      if report.trouble == nil, let file = outcome.awaited.first(where: \.isDamaged) {
        report.trouble = Diagnostic(
          .damagedRecord, "\(file.name) differs from the content that was written",
          hint: "'peersync run' on the device that wrote the file writes all its changes again")
      }
    } catch let error as StoreError {
      report.trouble = Diagnostic(error, store: settings.store.path)
    } catch let error as SystemError where error.isFull || error.isReadOnly || error.isUnwritable {
      report.trouble = Diagnostic(error)
      let pull = "or use 'peersync run --direction pull', which only reads"
      report.trouble?.hint =
        error.isFull
        ? "free some space there; the next run continues"
        : error.isReadOnly
          ? "mount the folder writable, \(pull)"
          : "allow this user to write to the folder with chmod, \(pull)"
    } catch {
      report.trouble = SyncRun.diagnostic(error)
    }
    report.blameSignal()
    if !settings.isDryRun {
      do { try note(report, of: record) } catch {
        report.trouble = report.trouble ?? SyncRun.diagnostic(error)
      }
    }
    return report
  }

  /// `known` receives the remote's identity, before any exchange.
  private func session(
    with record: RemoteRecord, _ known: (String) throws -> Void,
    counted: @escaping RemoteSession.Counting
  ) throws -> RemoteSession.Outcome {
    let store = try store.current()
    store.limitWait(to: settings.store.wait)
    defer { store.limitWait(to: .zero) }
    var session = RemoteSession(
      store, own: (device.identity.peerId, device.identity.deviceName), settings.direction
    ) { settings.store.present }
    (session.isDryRun, session.comparesRecords) = (settings.isDryRun, settings.check)
    session.maximumDrift = settings.store.maxDrift.duration
    session.deleteLimit = settings.store.maxDelete
    (session.mixesEntities, session.counted) = (settings.mixesEntities, counted)
    if let path = record.folder {
      let folder = try SharedFolder(path)
      try known(folder.id)
      return try session.run(with: folder)
    }
    try known(record.id)
    if let path = record.collectionPath, let collection = record.collection {
      let types = try collection.typesFile.map { try WireTypes(file: $0) } ?? WireTypes()
      return try session.run(with: path, collection, types: types, id: record.id) {
        try record.firestore(path, patience: settings.timeout) { .wallClock }
      }
    }
    let client = try HTTPClient(record.client(patience: settings.timeout))
    func run(as id: String) throws -> RemoteSession.Outcome {
      var outcome = try session.run(
        with: ServerRemote(client, store, id: id, isDryRun: settings.isDryRun), at: record.url)
      outcome.clockAhead = client.clockAhead
      return outcome
    }
    do {
      return try run(as: record.id)
    } catch let changed as ServerRemote.Changed {
      try known(changed.id)
      do {
        return try run(as: changed.id)
      } catch is ServerRemote.Changed {
        throw Diagnostic(
          .peerBusy, "the server's store changes between answers",
          hint: "several servers behind one address must share one store")
      }
    }
  }

  /// Notes a session, unless the remote has been removed meanwhile.
  private func note(_ report: SessionReport, of record: RemoteRecord) throws {
    guard try isListed(record) else { return }
    try device.peers.note(remote: report, now: settings.store.present)
  }

  /// Whether the remote is still in this device's list of remotes.
  func isListed(_ record: RemoteRecord) throws -> Bool {
    try RemoteFile(in: Places.configuration()).load().contains { $0.isAt(record.url) }
  }

  private func note(others count: Int, _ record: RemoteRecord, on console: Console) {
    let entity = record.collection?.entity.escapingControls ?? ""
    let changes = count == 1 ? "1 change" : "\(count) changes"
    console.note(
      "not written to '\(record.url.escapingControls)': \(changes) of entities other than '\(entity)'",
      hint: "add a collection for each entity: peersync remote add --entity-name NAME "
        + "firestore://PROJECT/COLLECTION")
  }

  /// Waits at a server on a separate thread; nil if its key cannot be read, which the next visit reports.
  func wait(for record: RemoteRecord) -> BackgroundCall<Bool>? {
    guard
      let waiting = try? ServerRemote.wait(
        record.client(patience: settings.timeout), store.current(), id: record.id)
    else { return nil }
    return BackgroundCall(waiting)
  }

  /// Notes that a remote now has another id: another folder is at its path, or another server at its URL.
  private func visit(_ id: String, for record: RemoteRecord, on console: Console) throws {
    guard id != record.id, !settings.isDryRun else { return }
    let kind = record.folder == nil ? "store" : "folder"
    console.note(
      "'\(record.url.escapingControls)' is another \(kind) than before: all records are compared again")
    var isUsed = false
    try RemoteFile(in: Places.configuration()).change { records in
      if let index = records.firstIndex(where: { $0.isAt(record.url) }) { records[index].id = id }
      isUsed = records.contains { $0.id == record.id }
    }
    // Notes that cannot be written must not prevent a session.
    if !isUsed { try? device.peers.transfers().change { $0.forget(record.id) } }
  }
}
