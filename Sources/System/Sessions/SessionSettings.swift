import Crypto
import JSONLines
import Links
package import Store
package import SyncCore
import SystemIO

/// The settings that all sessions of a run share: of the store, of its limits, of time.
package struct SessionSettings {
  private let choice: RuleChoice
  /// The path of the store.
  package let storePath: String
  /// How long another process may keep the store.
  let wait: Duration
  package var maxDelete = DeleteLimit.usual
  /// How far ahead of now a clock may be; nil accepts all clocks.
  package var maxDrift: Duration? = DriftGuard.usual
  /// How long what has lost is kept; nil for not at all.
  package var conflictAge: Duration? = Conflicts.usualAge
  let present: () -> Instant
  /// The types that peers of version 1 have told, and what keeps those that they tell.
  let wireTypes: () throws -> WireTypes.Memory
  /// Records without an entity may be mixed with records that name theirs.
  package var mixesEntities = false
  /// How long nothing may move.
  let patience: Duration
  /// When a loop for which nothing is due looks again.
  static let idle = Duration.seconds(60)

  package init(
    _ choice: RuleChoice, store path: String, wait: Duration, patience: Duration,
    present: @escaping () -> Instant, wireTypes: @escaping () throws -> WireTypes.Memory
  ) {
    (self.choice, storePath, self.wait, self.patience) = (choice, path, wait, patience)
    (self.present, self.wireTypes) = (present, wireTypes)
  }

  /// Opens the store, whose rules become those of the options if it has none; errors are diagnostics about its file.
  ///
  /// It waits for a lock as long as it is opened, and not after that: a loop would stand still meanwhile.
  func openStore(creating: Bool, wait: Duration) throws -> ChangeStore {
    try naming {
      let opened = try ChangeStore(storePath, creating: creating, wait: wait)
      opened.limitWait(to: .zero)
      opened.conflictAge = conflictAge
      // Sessions read and write in the order of the store; what they have passed is of no use.
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
    // Less than the usual: while a page is stored, a loop serves nobody else.
    settings.pageLimit = 1 << 20
    settings.mixesEntities = mixesEntities
    settings.isTrial = part.isTrial
    settings.inflates = FrameExchange.canDeflate && !facts.isTraced
    if part.follows { settings.waitSeconds = 60 }
    // Over version 1, where nobody can hand over a turn.
    (settings.asksBack, settings.lingerSeconds) = (true, 5)
    return settings
  }
}

/// The store of a process that may live for long: opened again if another file has taken its place.
package final class OpenStore {
  private let settings: SessionSettings
  private var store: ChangeStore
  /// Nil for a store in memory.
  private var identity: FileStamp.Identity?

  /// Makes the file if it does not exist.
  package init(_ settings: SessionSettings) throws {
    self.settings = settings
    store = try settings.openStore(creating: true, wait: settings.wait)
    identity = standing
  }

  /// The store as it is; if it does not exist, one in memory that goes away.
  package init(forTrial settings: SessionSettings) throws {
    self.settings = settings
    guard FileMode.exists(settings.storePath) else {
      store = try ChangeStore(inMemory: SystemRandomNumberGenerator())
      return
    }
    store = try settings.openStore(creating: false, wait: settings.wait)
    identity = standing
  }

  /// For what begins now; throws `storeBusy` at once if another process locks a file that has taken its
  /// place.
  package func current() throws -> ChangeStore {
    if isInPlace { return store }
    store = try settings.openStore(creating: true, wait: .zero)
    identity = standing
    return store
  }

  /// For what is under way: what is written to a file that has no name any more is lost.
  func check() throws(StoreError) { if !isInPlace { throw .replaced } }

  private var isInPlace: Bool { identity == nil || identity == standing }

  /// The file that is at the path now.
  private var standing: FileStamp.Identity? { FileStamp(of: settings.storePath)?.identity }
}

/// A lock that lets one run at a time proceed; it is held as long as the object lives, and released when the process ends.
package final class RunLock {
  private let lock: FileLock

  /// Throws `alreadyRunning` if another run has it.
  package init(of store: String) throws {
    do throws(SystemError) {
      try PrivateFolder.make(FileMode.folder(of: store))
      lock = try FileLock("\(store).run.lock", patience: .zero)
    } catch {
      guard error.isHeld else { throw error }
      throw Diagnostic(
        .alreadyRunning, "another run is under way", file: store,
        hint: "use --quiet to skip this run silently")
    }
  }
}
