import Crypto
import JSONLines
import Links
package import Store
package import SyncCore
import SystemIO

/// The settings that all sessions of a run share: for the store, its limits and times.
package struct SessionSettings {
  private let choice: RuleChoice
  /// The path of the store.
  package let storePath: String
  /// How long to wait for another process that holds the store.
  let wait: Duration
  package var maxDelete = DeleteLimit.usual
  /// How far ahead of now a clock may be; nil accepts all clocks.
  package var maxDrift: Duration? = DriftGuard.usual
  /// How long lost changes are kept; nil for not at all.
  package var conflictAge: Duration? = Conflicts.usualAge
  let present: () -> Instant
  /// The types learnt from peers of version 1, and the store for new ones.
  let wireTypes: () throws -> WireTypes.Memory
  /// Records without an entity may be mixed with records that name theirs.
  package var mixesEntities = false
  /// How long a session may make no progress.
  let patience: Duration
  /// How long a loop without due work waits before it looks again.
  static let idle = Duration.seconds(60)

  package init(
    _ choice: RuleChoice, store path: String, wait: Duration, patience: Duration,
    present: @escaping () -> Instant, wireTypes: @escaping () throws -> WireTypes.Memory
  ) {
    (self.choice, storePath, self.wait, self.patience) = (choice, path, wait, patience)
    (self.present, self.wireTypes) = (present, wireTypes)
  }

  /// Opens the store, which takes the rules of the options if it has none; errors are diagnostics about its
  /// file.
  ///
  /// It waits for a lock only while opening, as a later wait would stop the loop.
  func openStore(creating: Bool, wait: Duration) throws -> ChangeStore {
    try naming {
      let opened = try ChangeStore(storePath, creating: creating, wait: wait)
      opened.limitWait(to: .zero)
      opened.conflictAge = conflictAge
      // Sessions read and write in the order of the store, so pages that they have passed are not needed
      // again.
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
    // Below the default: while a page is stored, a loop serves nobody else.
    settings.pageLimit = 1 << 20
    // Enough of them for a link of 50 Mbit/s and 100 ms, even if they deflate to a tenth.
    settings.window = 4
    settings.mixesEntities = mixesEntities
    settings.isTrial = part.isTrial
    settings.inflates = FrameExchange.canDeflate && !facts.isTraced
    if part.follows { settings.waitSeconds = 60 }
    // For version 1, which has no message to hand over a turn.
    (settings.asksBack, settings.lingerSeconds) = (true, 5)
    return settings
  }
}

/// The store of a process that may run for long: opened again if another file has taken its place.
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

  /// The store as it is; if it does not exist, a temporary one in memory.
  package init(forTrial settings: SessionSettings) throws {
    self.settings = settings
    guard FileMode.exists(settings.storePath) else {
      store = try ChangeStore(inMemory: SystemRandomNumberGenerator())
      return
    }
    store = try settings.openStore(creating: false, wait: settings.wait)
    identity = standing
  }

  /// The store for a new session; throws `storeBusy` at once if another process locks a new file in its
  /// place.
  package func current() throws -> ChangeStore {
    if isInPlace { return store }
    store = try settings.openStore(creating: true, wait: .zero)
    identity = standing
    return store
  }

  /// For a session under way: writes to a file that no longer has a name would be lost.
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
