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

extension PeersyncTool {
  static func runStatus(_ settings: Settings, on console: Console) throws -> ExitStatus {
    try settings.store.refuseBoundOutput()
    if settings.listsRecords, settings.exitCode {
      throw UsageError.conflict("'--records' and '--exit-code' cannot be used together")
    }
    let path = settings.store.path
    return try Diagnostic.naming(store: path) {
      try Diagnostic.wrapping {
        let peers = Peers(in: try Places.configuration())
        let list = try peers.trust.load()
        let words = settings.operands
        let remotes = try Remote.remotes(words, in: RemoteFile(in: Places.configuration()).load())
        let records = try words.isEmpty ? list.records : Remote.peers(words, in: list)
        let transfers = try peers.transfers().load()
        // With --check, sessions open the store too, so it must not be locked.
        let store =
          try FileMode.isMissingOrEmpty(path)
          ? nil : ChangeStore(path, creating: false, wait: settings.store.wait, onlyRead: !settings.check)
        let checks = try settings.check ? check(records, remotes, settings, console) : nil
        let states = RecordStates(store, checks?.reports)
        if settings.listsRecords {
          for record in records {
            try states.write(record.peerId, JSONMember("peerId", .string(record.peerId)))
          }
          for remote in remotes {
            let who = JSONMember("remote", .string(remote.url))
            try states.write(remote.id, who, of: remote.collection?.entity)
          }
          if checks == nil, !(records.isEmpty && remotes.isEmpty) {
            console.note("changes on the other side are not counted; use --check to count them")
          }
          return checks?.status ?? .done
        }
        var isStuck = false
        var listing = Listing(statusColumns, settings.listing)
        var causes: [Diagnostic] = []
        func tell(_ status: PeerStatus, of peer: LinkPeer) throws {
          var status = status
          try states.complete(&status, of: peer.peerId)
          try listing.add(status.json, named: peer.deviceName + list.distinction(of: peer))
          if status.isStuck { isStuck = true }
          guard var cause = status.cause else { return }
          cause.message = "\(list.mention(of: peer)): \(cause.message)"
          causes.append(cause)
        }
        for record in records {
          try tell(
            PeerStatus(
              record, transfers.record(of: record.peerId), store, name: list.word(for: record)),
            of: LinkPeer(record))
        }
        for remote in remotes {
          let who = [JSONMember("remote", .string(remote.url)), JSONMember("id", .string(remote.id))]
          let status = try PeerStatus(
            id: remote.id, who, transfers.record(of: remote.id), store, name: ServerAddress.word(remote.url),
            removal: "peersync remote remove \(ServerAddress.word(remote.url))")
          try tell(status, of: LinkPeer(peerId: remote.id, deviceName: remote.url))
        }
        try listing.finish(
          none: "no peers or remotes yet; 'peersync pair' or 'peersync remote add' adds one", on: console)
        for cause in causes { console.report(cause) }
        if words.isEmpty, let loss = settings.store.loss({ transfers.records }) {
          isStuck = true
          console.report(loss)
        }
        if words.isEmpty, let store {
          let bindings = try store.bindings()
          let check = SourceCheck(bindings, in: store, settings)
          for binding in bindings {
            do { _ = try check.records(of: binding) } catch let fault as Diagnostic {
              isStuck = true
              console.report(fault)
            }
          }
          if let (sentence, hint) = try UnboundRecords.found(store, bindings) {
            console.note(sentence, hint: hint)
          }
        }
        if settings.operands.isEmpty, let lapsed = try lapsedPairing(peers) {
          isStuck = true
          console.report(lapsed)
        }
        if settings.operands.isEmpty, let latest = settings.store.drift.latest,
          let ahead = try Diagnostic(
            ahead: store?.read { try store?.changes(ahead: latest) } ?? [], store: path)
        {
          isStuck = true
          console.report(ahead)
        }
        // A run that cannot write to the disk cannot note its failure either.
        if settings.operands.isEmpty, let full = Diagnostic(nearlyFullDiskOf: path) {
          isStuck = true
          console.report(full)
        }
        if let status = checks?.status, status != .done { return status }
        return settings.exitCode && isStuck ? .no : .done
      }
    }
  }

  private static let statusColumns: [Listing.Column] = [
    .init("with", "deviceName", "remote"), .init("last run", "lastRunAt", as: .age),
    .init("last change", "lastTransferAt", as: .age), .init("to send", "pending", as: .count),
    .init("to receive", "pendingPull", as: .count), .init("quarantined", "quarantined", as: .count),
    .init("conflicts", "conflictsKept", as: .count), .init("trouble", "code"),
  ]

  /// A pairing code that expired unused, which peers cannot report.
  static func lapsedPairing(_ peers: Peers) throws -> Diagnostic? {
    guard let session = try peers.lapsed(at: .wallClock) else { return nil }
    return Diagnostic(
      .expiredPairingPayload, "the pairing code that was valid until \(session.expiresAt) was not used",
      hint: "run 'peersync pair' again for a new code")
  }

  static func runForget(_ settings: Settings, on console: Console) throws -> ExitStatus {
    let path = settings.store.path
    return try Diagnostic.naming(store: path) {
      try Diagnostic.wrapping {
        let word = settings.operands[0]
        let peers = Peers(in: try Places.configuration())
        let list = try peers.trust.load()
        if TrustList.isRemote(word), case .none = list.find(word) {
          throw Diagnostic(
            .unknownPeer, "'\(word.escapingControls)' is not a peer but a remote",
            hint: "peersync remote remove \(ServerAddress.word(word))")
        }
        let record = try list.named(word)
        if !settings.isDryRun { try forget(record, peers, in: settings.store, console) }
        let name = list.mention(of: LinkPeer(record))
        try settings.listing.write(
          record.json, saying: settings.isDryRun ? "\(name) would be forgotten" : "\(name) is forgotten")
        return .done
      }
    }
  }

  /// Forgets a peer.
  ///
  /// The trust record is removed first, so that the peer is not trusted even if the rest cannot be removed. An
  /// error after that does not end the work, because the command cannot be repeated without a trust record.
  private static func forget(
    _ record: TrustRecord, _ peers: Peers, in settings: StoreSettings, _ console: Console
  ) throws {
    let forgotten = try peers.forget(record.peerId)
    let removed = Result { try forget(record.peerId, in: settings, console) }
    if case .failure = removed {
      let name = record.deviceName.escapingControls
      let command = Diagnostic.command(
        "synclog peers forget \(record.peerId.prefix(8))", store: settings.path)
      console.note("'\(name)' is no longer trusted; '\(command)' removes its checkpoints")
    }
    try forgotten.get()
    try removed.get()
  }

  /// Removes the peer from the store, unless its quarantined changes still need a decision.
  static func forget(_ id: String, in settings: StoreSettings, _ console: Console) throws {
    guard !FileMode.isMissingOrEmpty(settings.path) else { return }
    let store = try ChangeStore(settings.path, creating: false, wait: settings.wait)
    guard let peer = try store.peer(known: id),
      try !store.write({ try store.forget(peer) })
    else { return }
    console.note(
      "its changes are in quarantine: list them with '\(Diagnostic.quarantineList(of: settings.path))', and "
        + "drop or accept each; then run '"
        + Diagnostic.command("synclog peers forget \(id.prefix(8))", store: settings.path) + "'")
  }
}
