import Crypto
package import Store
package import SyncCore

/// One session of a store with a shared folder.
package final class FolderVisit {
  private let folder: SharedFolder
  private let store: ChangeStore
  private let own: (id: String, name: String)
  private let direction: DialogueSettings.Direction
  private let isTrial: Bool
  private let maximumDrift: Duration?
  private let now: () -> Instant
  /// Of a page that the folder or the store gives, in bytes.
  package var pageLimit = 4 << 20
  /// How many records may be deleted.
  package var deleteLimit = DeleteLimit.usual
  package var mixesEntities = false
  /// What has been exchanged, and why a page was refused.
  package private(set) var tally = PeerStore.Tally()
  package private(set) var refusal: StoreError?
  /// Files that others have written and that are not here yet, or not whole.
  package private(set) var awaited: [String] = []

  package init(
    _ folder: SharedFolder, _ store: ChangeStore, own: (id: String, name: String),
    _ direction: DialogueSettings.Direction, isTrial: Bool, maximumDrift: Duration?, now: @escaping () -> Instant
  ) throws {
    (self.folder, self.store, self.own, self.direction) = (folder, store, own, direction)
    (self.isTrial, self.maximumDrift, self.now) = (isTrial, maximumDrift, now)
  }

  package func run() throws -> DialogueEnd {
    let shape = try store.rules()
    let remote = try FolderRemote(folder, store, deviceId: own.id, isTrial: isTrial, now: now)
    let own = PeerStore(
      store, shape, limit: deleteLimit, maximumDrift: maximumDrift, isTrial: isTrial, now: now)
    guard let ours = try settings(shape), let theirs = try settings(of: remote, shape) else {
      return .stopped
    }
    var pair = DialoguePair(
      own: DialogueCourse(Dialogue(ours, wire: wire(shape)), own, now: now),
      remote: DialogueCourse(Dialogue(theirs, wire: wire(shape)), remote, now: now))
    defer { (tally, refusal, awaited) = (pair.tally, pair.refusal, pair.remoteStore.awaited) }
    return try pair.run()
  }

  private func wire(_ shape: RecordShape?) -> WireCodec { WireCodec(shape ?? RecordShape(), types: WireTypes()) }

  /// Not nil, as version 2 knows all directions.
  private func settings(_ shape: RecordShape?) throws -> DialogueSettings? {
    let shared = try store.sharedRules { try $0.rulesDigest() }
    let role = DialogueSettings.Role.connector(isTrial ? .pull : direction)
    var settings = DialogueSettings(
      role: role, version: .two, ownId: own.id, ownName: own.name, peerId: folder.id, shared: shared)
    settings?.isTrial = isTrial
    return common(settings)
  }

  private func settings(of remote: FolderRemote, _ shape: RecordShape?) throws -> DialogueSettings? {
    let other = try shape == nil ? nil : remote.otherRules(than: shape)
    let shared = try other.map {
      SharedRules($0, digest: try $0.rulesDigest(), entities: StoredEntities())
    }
    return common(
      DialogueSettings(
        role: .acceptor, version: .two, ownId: folder.id, ownName: folder.path, peerId: own.id, shared: shared))
  }

  private func common(_ settings: DialogueSettings?) -> DialogueSettings? {
    var settings = settings
    settings?.pageLimit = pageLimit
    settings?.mixesEntities = mixesEntities
    return settings
  }
}
