import Crypto
import JSONLines
import Links
package import Store
package import SyncCore
import SystemIO

/// The settings that all sessions of a run share: the store, its limits, and times.
package struct SessionSettings {
  private let choice: RuleChoice
  /// The path of the store.
  package let storePath: String
  /// The longest wait for another process that has locked the store.
  let wait: Duration
  package var maxDelete = DeleteLimit.default
  /// The limit for clocks ahead of now; nil accepts all clocks.
  package var maxDrift: Duration? = DriftGuard.default
  /// The time to keep changes that lost a conflict; nil drops them at once.
  package var conflictAge: Duration? = Conflicts.defaultAge
  let present: () -> Instant
  /// The types learnt from peers of version 1, and the store for new ones.
  let wireTypes: () throws -> WireTypes.Memory
  /// Whether records without an entity may be mixed with records that name their entity.
  package var mixesEntities = false
  /// The longest time that a session may last without progress.
  let patience: Duration
  /// The longest time that a loop waits if no work is due earlier.
  static let idle = Duration.seconds(60)

  package init(
    _ choice: RuleChoice, store path: String, wait: Duration, patience: Duration,
    present: @escaping () -> Instant, wireTypes: @escaping () throws -> WireTypes.Memory
  ) {
    (self.choice, storePath, self.wait, self.patience) = (choice, path, wait, patience)
    (self.present, self.wireTypes) = (present, wireTypes)
  }

  /// Opens the store, and sets the rules of the options if it does not have rules.
  ///
  /// Errors are diagnostics about its file. It waits for a lock only while opening, because a later wait
  /// would block the loop.
  func openStore(creating: Bool, wait: Duration) throws -> ChangeStore {
    try naming {
      let opened = try ChangeStore(storePath, creating: creating, wait: wait)
      opened.limitWait(to: .zero)
      opened.conflictAge = conflictAge
      // Sessions read and write in the order of the store, so they do not need earlier pages again.
      try opened.limitCache(toKiB: 8 << 10)
      try opened.settle(choice)
      return opened
    }
  }

  /// Rethrows an error of the store as a diagnostic about its file.
  package func naming<Value>(_ body: () throws -> Value) throws -> Value {
    try Diagnostic.naming(store: storePath, body)
  }

  func dialogue(_ part: DialogueSpeaker.Part, _ facts: LinkFacts) -> DialogueSettings? {
    guard let peer = facts.peer,
      var settings = DialogueSettings(
        role: part.role, version: facts.version, ownId: facts.selfId, ownName: facts.selfName,
        peerId: peer.peerId)
    else { return nil }
    settings.pageLimit = DialogueSettings.loopPage
    settings.window = DialogueSettings.loopWindow
    settings.mixesEntities = mixesEntities
    settings.isDryRun = part.isDryRun
    settings.inflates = FrameExchange.canDeflate && !facts.isTraced
    if part.follows { settings.waitSeconds = 60 }
    // These settings are for version 1, which does not have a message to hand over a turn.
    (settings.asksBack, settings.lingerSeconds) = (true, 5)
    return settings
  }
}

/// The store of a process that may run for a long time; it is opened again if the file is replaced.
package final class OpenStore {
  private let settings: SessionSettings
  private var store: ChangeStore
  /// The identity of the open file; nil for a store in memory.
  private var identity: FileStamp.Identity?

  /// Makes the file if it does not exist.
  package init(_ settings: SessionSettings) throws {
    self.settings = settings
    store = try settings.openStore(creating: true, wait: settings.wait)
    identity = standing
  }

  /// Opens the existing store; if it is missing or empty, makes a temporary store in memory.
  package init(forDryRun settings: SessionSettings) throws {
    self.settings = settings
    guard !FileMode.isMissingOrEmpty(settings.storePath) else {
      store = try ChangeStore(inMemory: SystemRandomNumberGenerator())
      return
    }
    store = try settings.openStore(creating: false, wait: settings.wait)
    identity = standing
  }

  /// The store for a new session; throws `storeBusy` at once if the file was replaced and is locked.
  ///
  /// It also does so while the file is missing, because a new store would be mixed with a copy that a person
  /// is about to put there.
  package func current() throws -> ChangeStore {
    if isInPlace { return store }
    do {
      store = try settings.openStore(creating: false, wait: .zero)
    } catch let error as Diagnostic where error.code == .fileNotFound {
      throw Diagnostic(
        .storeBusy, "the store was removed", file: settings.storePath,
        hint: "restore it with 'synclog restore'; without a backup, bind the files and tables again")
    }
    identity = standing
    return store
  }

  /// Throws `replaced` if the file was replaced during a session, because its writes would be lost.
  func check() throws(StoreError) { if !isInPlace { throw .replaced } }

  private var isInPlace: Bool { identity == nil || identity == standing }

  /// The file that is at the path now.
  private var standing: FileStamp.Identity? { FileStamp(of: settings.storePath)?.identity }
}

/// A lock for one run at a time; it is released with the object, or when the process ends.
package final class RunLock {
  private let lock: FileLock

  /// Takes the lock, which all symbolic links to a store share; throws `alreadyRunning` if another run has
  /// it.
  package init(of store: String) throws {
    do throws(SystemError) {
      let file = FileMode.target(of: store)
      try PrivateFolder.make(FileMode.folder(of: file))
      lock = try FileLock("\(file).run.lock", patience: .zero)
    } catch {
      guard error.isHeld else { throw error }
      throw Diagnostic(
        .alreadyRunning, "another run is under way", file: store,
        hint: "it may be a 'peersync run --follow' of this store; use --quiet to skip this run silently")
    }
  }
}
