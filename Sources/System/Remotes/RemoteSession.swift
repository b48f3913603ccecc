import Crypto
package import JSONLines
package import Store
package import SyncCore
import SystemIO

/// One session of a store with a remote that is not a peer.
package struct RemoteSession {
  private let store: ChangeStore
  private let own: (id: String, name: String)
  let direction: DialogueSettings.Direction
  let now: () -> Instant
  /// Whether changes are only counted, and not written.
  package var isDryRun = false
  /// In a dry run: whether to find the records that differ.
  package var comparesRecords = false
  /// The limit for clocks ahead of now; nil accepts all clocks.
  package var maximumDrift: Duration? = DriftGuard.default
  /// The limit of records that may be deleted.
  package var deleteLimit = DeleteLimit.default
  package var mixesEntities = false
  /// The limit of a written page, in bytes.
  package var pageLimit = DialogueSettings.defaultPage
  /// Receives the counts at the end, even if the session fails.
  package var counted: Counting = { _, _ in }

  /// Receives the counts of a session, and the number of changes that the remote keeps in quarantine.
  package typealias Counting = (PeerStore.Tally, _ quarantinedThere: Int) -> Void

  /// The outcome of the session.
  package struct Outcome {
    package var end: DialogueEnd
    package var settings: DialogueSettings
    package var tally = PeerStore.Tally()
    /// The reason why a page was refused.
    package var refusal: StoreError?
    /// In a dry run: the remote's own report of how far it has read this store; nil if it has not read it.
    package var held: [UInt8]?
    /// In a dry run: whether the remote has lost changes; then its own changes would be sent back to it.
    package var givesBack = false
    /// In a dry run: whether the remote rejects all changes from this device.
    package var onlyGives = false
    /// Files of other devices that are missing or incomplete here.
    package var awaited: [AwaitedFile] = []
    /// The number of changes that the remote keeps in quarantine.
    package var quarantinedThere = 0
    /// A report of records, documents or folders that were left out; nil if all were exchanged.
    package var leftOut: Diagnostic?
    /// The number of changes that were not sent because the collection has another entity.
    package var otherEntities = 0
    /// The number of other changes that could not be written into the collection.
    package var unwritten = 0
    /// The bytes in the bodies of requests and answers, or in the change lines of a folder's files.
    package var bytesReceived = 0
    package var bytesSent = 0
    /// The seconds by which a server's clock is ahead of ours; nil for a folder.
    package var clockAhead: Int?
  }

  package init(
    _ store: ChangeStore, own: (id: String, name: String), _ direction: DialogueSettings.Direction,
    now: @escaping () -> Instant
  ) {
    (self.store, self.own, self.direction, self.now) = (store, own, direction, now)
  }

  /// Runs a session with a shared folder; if it fails because the folder is gone, the error reports that.
  package func run(with folder: SharedFolder) throws -> Outcome {
    do {
      return try visit(folder)
    } catch let error as SystemError where !error.isInterruption {
      try folder.requirePresence()
      throw error
    }
  }

  private func visit(_ folder: SharedFolder) throws -> Outcome {
    var remote = try FolderRemote(
      folder, store, deviceId: own.id, isDryRun: isDryRun, mayWrite: direction != .pull, now: now)
    let shape = try store.rules()
    if shape == nil { try remote.requireOneRules() }
    try remote.announceRules()
    let other = try shape.flatMap { try remote.otherRules(than: $0) }
    let shared = try other.map {
      SharedRules($0, digest: try $0.rulesDigest(), entities: StoredEntities())
    }
    var (outcome, after) = try run(remote, id: folder.id, name: FileMode.name(of: folder.path), shared)
    (outcome.bytesReceived, outcome.bytesSent) = after.bytes
    outcome.awaited = after.awaited
    outcome.givesBack = after.isComplete
    outcome.leftOut = after.unreadable.min { $0.key < $1.key }?.value
    return outcome
  }

  /// Runs a session with a server, and repeats it with smaller pages while the server refuses a page because
  /// of its size.
  package func run(with server: ServerRemote, at url: String) throws -> Outcome {
    var session = self
    var (tally, quarantinedThere) = (PeerStore.Tally(), 0)
    defer { counted(tally, quarantinedThere) }
    session.counted = {
      tally.add($0)
      quarantinedThere += $1
    }
    while true {
      do {
        var (outcome, after) = try session.run(server, id: server.id, name: url, nil)
        (outcome.bytesReceived, outcome.bytesSent) = after.bytes
        (outcome.tally, outcome.quarantinedThere) = (tally, quarantinedThere)
        (outcome.givesBack, outcome.onlyGives) = (tally.hasDisowned, after.isReadOnly)
        return outcome
      } catch let refused as ServerRemote.TooLarge {
        // Earlier pages are stored. Those of a complete answer are sent again, and their changes in
        // quarantine are counted again.
        session.pageLimit = refused.size / 2
      }
    }
  }

  /// Runs a session with a collection, and repeats it if a document was newer than its read version.
  package func run(
    with collection: CollectionPath, _ settings: CollectionSettings, types: WireTypes, id: String,
    _ connect: () throws -> FirestoreClient
  ) throws -> Outcome {
    let client = try connect()
    var (others, unwritten) = (0, 0)
    var tally = PeerStore.Tally()
    // A collection does not have a quarantine.
    defer { counted(tally, 0) }
    for _ in 0..<Self.rounds {
      var session = self
      var remote = try FirestoreRemote(
        client, store, id: id, settings, types: types, isDryRun: isDryRun, direction: direction,
        deleteLimit: deleteLimit, now: now)
      try remote.agree()
      let isFirst = remote.agreement == nil
      session.counted = { part, _ in
        tally.add(part)
        // Without an agreement, the session has used the default rules; it has not adopted the rules of
        // another store.
        if isFirst { tally.hasAdoptedRules = false }
      }
      guard
        case (var outcome, let after)? = try session.unlessNews(remote, id, collection.url, remote.shared())
      else { continue }
      (outcome.bytesReceived, outcome.bytesSent) = client.bytes
      outcome.clockAhead = client.clockAhead
      outcome.tally = tally
      outcome.givesBack = tally.hasDisowned || after.isAnother
      others += after.others
      unwritten += after.unwritten
      (outcome.otherEntities, outcome.unwritten) = (others, unwritten)
      if case .done = outcome.end { outcome.leftOut = try Diagnostic(leftOutOf: after) }
      return outcome
    }
    throw Diagnostic(.peerBusy, "other devices keep writing the same documents")
  }

  /// The outcome of the session; nil if documents must be read first.
  private func unlessNews(
    _ remote: FirestoreRemote, _ id: String, _ name: String, _ shared: SharedRules?
  ) throws -> (Outcome, FirestoreRemote)? {
    do {
      return try run(remote, id: id, name: name, shared)
    } catch is FirestoreRemote.News {
      return nil
    }
  }

  /// The maximum number of repetitions in a run.
  private static let rounds = 20

  /// `shared` are the remote's rules, if they are known and differ from those of the store.
  func run<Remote: DialogueStore>(
    _ remote: Remote, id: String, name: String, _ shared: SharedRules?
  ) throws -> (Outcome, Remote) {
    guard
      var ours = DialogueSettings(
        role: .connector(isDryRun ? .pull : direction), version: .two, ownId: own.id, ownName: own.name,
        peerId: id),
      var theirs = DialogueSettings(
        role: .acceptor, version: .two, ownId: id, ownName: name, peerId: own.id, shared: shared)
    else { preconditionFailure("version 2 supports all directions") }
    ours.shared = try store.sharedRules { try $0.rulesDigest() }
    (ours.isDryRun, ours.pageLimit, theirs.pageLimit) = (isDryRun, pageLimit, pageLimit)
    (ours.mixesEntities, theirs.mixesEntities) = (mixesEntities, mixesEntities)
    var pair = DialoguePair(
      own: try DialogueCourse(
        ours, over: store, limit: deleteLimit, maximumDrift: maximumDrift, comparingRecords: comparesRecords,
        now: now),
      remote: DialogueCourse(
        Dialogue(theirs, wire: WireCodec(try store.rules() ?? RecordShape(), types: WireTypes())), remote,
        now: now))
    defer { counted(pair.tally, pair.quarantinedThere) }
    let end = try pair.run()
    var outcome = Outcome(
      end: end, settings: ours, tally: pair.tally, refusal: pair.refusal,
      quarantinedThere: pair.quarantinedThere)
    var after = pair.remoteStore
    if isDryRun { outcome.held = try after.checkpoint(onPeer: own.id) }
    return (outcome, after)
  }
}

extension Diagnostic {
  /// Reports records and documents that were left out; nil if all were exchanged.
  fileprivate init?(leftOutOf remote: FirestoreRemote) throws {
    var parts: [String] = []
    if let (count, some) = try remote.unsent(limit: 3) {
      let named = some.map { "\(Key.shown($0.key.span)): \($0.problem)" }.joined(separator: "; ")
      let rest = count > some.count ? "; and \(count - some.count) more" : ""
      parts.append(
        "\(count == 1 ? "1 record" : "\(count) records") could not be written to the collection: "
          + "\(named)\(rest)"
      )
    }
    if let (count, first, problem) = try remote.unreadable() {
      let rest = count > 1 ? "; and \(count - 1) more" : ""
      parts.append(
        "\(count == 1 ? "1 document" : "\(count) documents") could not be read into the store: "
          + "'\(first.shown(upTo: 100))': \(problem)\(rest)")
    }
    guard !parts.isEmpty else { return nil }
    self.init(
      .partialRun, parts.joined(separator: "; "),
      hint: "all others are synced; a later run retries these after a change")
  }
}
