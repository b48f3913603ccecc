import Crypto
package import Store
package import SyncCore
import SystemIO

/// One session of a store with a shared folder.
package struct FolderVisit {
  private let folder: SharedFolder
  private let store: ChangeStore
  private let own: (id: String, name: String)
  private let direction: DialogueSettings.Direction
  private let now: () -> Instant
  /// Count what would come, and write nothing.
  package var isTrial = false
  /// How far ahead of now a clock may be; nil lets all through.
  package var maximumDrift: Duration? = DriftGuard.usual
  /// How many records may be deleted.
  package var deleteLimit = DeleteLimit.usual
  package var mixesEntities = false
  /// Of a page that is written, in bytes.
  package var pageLimit = 4 << 20

  /// What has become of it.
  package struct Outcome {
    package var end: DialogueEnd
    package var settings: DialogueSettings
    package var tally = PeerStore.Tally()
    /// Why a page was refused.
    package var refusal: StoreError?
    /// Files that others have written and that are not here yet, or not whole.
    package var awaited: [String] = []
  }

  package init(
    _ folder: SharedFolder, _ store: ChangeStore, own: (id: String, name: String),
    _ direction: DialogueSettings.Direction, now: @escaping () -> Instant
  ) {
    (self.folder, self.store, self.own, self.direction, self.now) = (folder, store, own, direction, now)
  }

  package func run() throws -> Outcome {
    let remote = try FolderRemote(
      folder, store, deviceId: own.id, isTrial: isTrial, mayWrite: direction != .pull, now: now)
    let shape = try store.rules()
    let other = try shape == nil ? nil : remote.otherRules(than: shape)
    let shared = try other.map {
      SharedRules($0, digest: try $0.rulesDigest(), entities: StoredEntities())
    }
    guard
      var ours = DialogueSettings(
        role: .connector(isTrial ? .pull : direction), version: .two, ownId: own.id, ownName: own.name,
        peerId: folder.id),
      var theirs = DialogueSettings(
        role: .acceptor, version: .two, ownId: folder.id, ownName: FileMode.name(of: folder.path),
        peerId: own.id, shared: shared
      )
    else { preconditionFailure("version 2 knows all directions") }
    ours.shared = try store.sharedRules { try $0.rulesDigest() }
    (ours.isTrial, ours.pageLimit, theirs.pageLimit) = (isTrial, pageLimit, pageLimit)
    (ours.mixesEntities, theirs.mixesEntities) = (mixesEntities, mixesEntities)
    var pair = DialoguePair(
      own: try DialogueCourse(ours, over: store, limit: deleteLimit, maximumDrift: maximumDrift, now: now),
      remote: DialogueCourse(
        Dialogue(theirs, wire: WireCodec(shape ?? RecordShape(), types: WireTypes())), remote, now: now))
    return Outcome(
      end: try pair.run(), settings: ours, tally: pair.tally, refusal: pair.refusal,
      awaited: pair.remoteStore.awaited)
  }
}
